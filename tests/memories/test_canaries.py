"""Unique words are planted in every layer, deleted through every door and purged; then the whole database, Valkey and
its file, the broker, the log, every page and the admin are searched for them. Each is seen to hold them first."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from claude.client import using
from config.services import is_ours
from consolidation import night
from consolidation.models import AskedFor, NightState
from memories import forget
from memories.models import Conversation, Deletion, Memory, OrderedDeletion, Person, ProposedDeletion, Status
from tests.chat.saying import keeping, nothing_queued
from tests.fakes.wire import FakeWire, tool_use
from tests.memories.canaries import (
    Canaries,
    in_admin,
    in_valkey,
    in_valkeys_file,
    on_pages,
    say,
)
from tests.memories.rows import every_row

type Door = Callable[[Client, Memory, Conversation, str], None]

pytestmark = pytest.mark.django_db(transaction=True)


def _signed(client: Client, **query: object) -> dict[str, str]:
    page = client.get(reverse("memories:forget"), {name: str(value) for name, value in query.items()})
    text = page.content.decode()
    return {
        name: text.split(f'name="{name}" value="', 1)[1].split('"', 1)[0]
        for name in ("plan", "plan_without")
        if f'name="{name}" value="' in text
    }


def by_list(client: Client, memory: Memory, _chat: Conversation, words: str) -> None:
    client.post(reverse("memories:forget"), _signed(client, m=memory.number) | {"words": words, "via": "list"})


def by_list_with_others(client: Client, memory: Memory, _chat: Conversation, words: str) -> None:
    said = say(
        memory.person,
        "I collect stamps.",
        tool_use("remember", keeping("I collect stamps", "The user collects stamps.")),
        "Nice.",
    )
    other = Memory.objects.get(reply=said)
    page = client.get(reverse("memories:forget"), {"m": [memory.number, other.number]}).content.decode()
    plan = page.split('name="plan" value="', 1)[1].split('"', 1)[0]
    client.post(reverse("memories:forget"), {"plan": plan, "words": words, "via": "list"})
    assert not Memory.objects.kept().exists()


def by_detail(client: Client, memory: Memory, _chat: Conversation, words: str) -> None:
    client.post(reverse("memories:forget"), _signed(client, m=memory.number) | {"words": words, "via": "detail"})


def by_all(client: Client, _memory: Memory, _chat: Conversation, words: str) -> None:
    client.post(reverse("memories:forget"), _signed(client, all=1) | {"words": words})
    forget.carry_out_ordered(OrderedDeletion.objects.get().pk, now=timezone.now())


def by_card(client: Client, memory: Memory, chat: Conversation, words: str) -> None:
    say(
        memory.person,
        "Forget everything about my sister.",
        tool_use("forget", {"request": "Forget everything about my sister."}),
        {"reasoning": "Her.", "memories": [memory.label], "ambiguous": False},
        {"verdicts": []},
        "Please see the card.",
        to=chat,
    )
    card = ProposedDeletion.objects.get()
    with using(FakeWire({"verdicts": []})):
        client.post(
            reverse("memories:answer-proposal", args=[card.pk]),
            {"answer": "confirm", "group": "0", "words": words},
            headers={"HX-Request": "true"},
        )


def by_conversation(client: Client, _memory: Memory, chat: Conversation, _words: str) -> None:
    for found in Conversation.objects.filter(person=chat.person_id):
        client.post(reverse("memories:forget"), _signed(client, conversation=found.pk) | {"memories": "forget"})


def by_command(_client: Client, memory: Memory, _chat: Conversation, words: str) -> None:
    call_command("forget", user="alice", memory=[memory.number], erase_words=words == "erase", yes=True)


def by_account(client: Client, memory: Memory, _chat: Conversation, _words: str) -> None:
    person = memory.person
    client.post(reverse("memories:account-delete"), {"name": person.email or person.username})


# Through these the person says whether the words go too; the others always take them.
CHOOSING: list[Door] = [by_list, by_list_with_others, by_detail, by_all, by_card, by_command]
# Where the person reads what was said.
TRANSCRIPT = ["chat:conversation", "memories:export"]
DOORS: list[Door] = [*CHOOSING, by_conversation, by_account]


@pytest.fixture
def canaries() -> Canaries:
    return Canaries.hatch()


@pytest.fixture
def log() -> Iterator[list[str]]:
    """Every line of every logger that `LOG_LEVEL=DEBUG` would write, with the texts of errors, which our lines omit."""
    lines: list[str] = []

    class Kept(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            lines.append(f"{record.name} {self.format(record)} {record.args!r}")

    handler, root = Kept(), logging.getLogger()
    before = root.level
    root.addHandler(handler)
    root.setLevel(logging.DEBUG)
    yield lines
    root.removeHandler(handler)
    root.setLevel(before)


def two_nights(person: Person) -> None:
    for day in (1, 2):
        at = timezone.now() + timedelta(days=day)
        with nothing_queued():
            begun = night.begin(person, now=at, asked_for=AskedFor.PERSON)
            assert begun is not None
            assert night.run(begun.pk, now=at).state == NightState.DONE


def purge(settings: Any) -> None:
    assert forget.purge_due(now=timezone.now() + timedelta(seconds=settings.UNDO_WINDOW_S + 1))


@pytest.mark.parametrize("door", DOORS, ids=lambda door: door.__name__)
def test_what_is_deleted_with_its_words_by_any_door_is_nowhere(
    door: Door, client: Client, staff_client: Client, alice: Person, canaries: Canaries, log: list[str], settings: Any
) -> None:
    memory, chat = canaries.plant(alice)
    assert canaries.rows(every_row()) >= {
        "memories_conversation",
        "memories_line",
        "memories_memory",
        "memories_passage",
        "memories_version",
        "chat_sentturn",
    }
    assert canaries.are_in(in_valkey(settings.REDIS_URL))
    assert '"reply_id": ' in in_valkey(settings.REDIS_URL)
    assert canaries.are_in(in_valkeys_file(settings.REDIS_URL)) == is_ours(settings.REDIS_URL)
    if door is by_list:
        assert canaries.are_in(on_pages(client, alice))
        assert canaries.are_in(in_admin(staff_client))

    door(client, memory, chat, "erase")
    if door is not by_account:
        canaries.assert_nowhere(on_pages(client, alice))
        purge(settings)
        two_nights(alice)
        assert forget.verify(Deletion.objects.of(alice), now=timezone.now() + timedelta(days=3)) == []
        canaries.assert_nowhere(on_pages(client, alice))

    canaries.assert_nowhere(every_row())
    canaries.assert_nowhere(in_valkey(settings.REDIS_URL))
    canaries.assert_nowhere(in_admin(staff_client))
    canaries.assert_nowhere("\n".join(log))
    until = time.monotonic() + 60
    while canaries.are_in(in_valkeys_file(settings.REDIS_URL)) and time.monotonic() < until:
        time.sleep(0.1)
    canaries.assert_nowhere(in_valkeys_file(settings.REDIS_URL))
    if door is not by_account:
        restated_is_remembered(alice, canaries)


@pytest.mark.parametrize("door", CHOOSING, ids=lambda door: door.__name__)
def test_with_the_words_kept_by_any_door_only_the_transcript_has_them_and_no_night_learns_them(
    door: Door, client: Client, staff_client: Client, alice: Person, canaries: Canaries, log: list[str], settings: Any
) -> None:
    memory, chat = canaries.plant(alice)

    door(client, memory, chat, "keep")
    canaries.assert_nowhere(on_pages(client, alice, but=TRANSCRIPT))
    purge(settings)
    two_nights(alice)

    assert canaries.rows(every_row()) == {"memories_passage"}
    canaries.assert_nowhere(in_valkey(settings.REDIS_URL))
    canaries.assert_nowhere(in_admin(staff_client))
    canaries.assert_nowhere(on_pages(client, alice, but=TRANSCRIPT))
    canaries.assert_nowhere("\n".join(log))
    assert not Memory.objects.of(alice).kept().exists()
    restated_is_remembered(alice, canaries)


def restated_is_remembered(person: Person, canaries: Canaries) -> None:
    """In a conversation of its own, after all that."""
    words = keeping(canaries.said.rstrip("."), canaries.statement)
    say(person, canaries.said, tool_use("remember", words), "Noted.")

    kept = Memory.objects.of(person).kept().get()
    assert (kept.status, kept.statement) == (Status.ACTIVE, canaries.statement)
