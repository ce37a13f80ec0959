"""The pages of the chat by axe, in light and in dark."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Literal

import pytest
from django.utils import timezone

from chat.revise import revise
from chat.taking_back import take_back
from memories.models import Message, Origin, Person, Role, Write
from memories.transcript import Part
from tests.chat.saying import answer, ask, nothing_queued, talk
from tests.fakes.wire import no_credit, tool_use

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser

REMEMBER = {
    "quote": "I live in Dublin.", "statement": "The user lives in Dublin.", "kind": "semantic", "category": "place",
    "event_date": "", "plan": False, "asked_outright": True, "replaces": "",
}  # fmt: skip
MARKDOWN = (
    "# A heading\n\n- one\n- two\n\n```python\nprint(1)\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\nIn Dublin [m1]."
)


@pytest.fixture
def addresses(alice: Person) -> list[str]:
    """Conversations with all that a row may show."""
    now: datetime = timezone.now()
    kept = ask(alice, "I live in Dublin.", now=now)
    answer(kept, tool_use("remember", REMEMBER), MARKDOWN, now=now)
    conversation = kept.conversation
    failed = ask(alice, [Part(Origin.PASTED, "A letter\nof two lines"), Part(Origin.TYPED, "Shorten it")], now=now)
    answer(failed, no_credit(), now=now)
    talk(alice, ("What is new?", "Little."), now=now, to=conversation)
    said = Message.objects.filter(conversation=conversation, role=Role.USER).order_by("position").last()
    assert said is not None
    with nothing_queued():
        anew = revise(said, "What is old?", key="", now=now)
    answer(anew, "Much.", now=now)
    taken = ask(alice, "I keep bees.", now=now)
    bees = REMEMBER | {"quote": "I keep bees.", "statement": "The user keeps bees."}
    answer(taken, tool_use("remember", bees), "Yes.", now=now)
    with nothing_queued():
        take_back(Write.objects.get(reply=taken), now=now)
    return [
        "/",
        "/?temporary=1",
        "/chats/",
        *(f"/chats/{reply.conversation_id}/" for reply in (kept, failed, taken)),
        f"/chats/{conversation.pk}/title/",
        f"/messages/{anew.pk - 1}/revise/",
    ]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_chat_passes_axe(page: Page, addresses: list[str], scheme: Literal["light", "dark"]) -> None:
    from axe_playwright_python.sync_playwright import Axe

    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    for address in addresses:
        page.goto(address)
        page.evaluate("document.querySelectorAll('details').forEach((details) => { details.open = true })")
        found = Axe().run(page).response["violations"]
        assert [(rule["id"], rule["nodes"][0]["html"]) for rule in found] == [], address
