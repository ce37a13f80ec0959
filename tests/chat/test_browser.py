"""What only a browser shows: input methods, drafts, pastes, streams, scrolling."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from datetime import datetime

import pytest
from celery.worker import WorkController
from playwright.sync_api import Page, expect
from pytest_django.fixtures import Settings

from memories.models import Message, Origin, Passage, Person, Role
from tests.chat.saying import ask, long_talk, talk
from tests.chat.test_streaming import slowly
from tests.fakes.server import MessagesServer
from tests.fakes.wire import text

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

LONG = "\n\n".join(
    f"Paragraph {number}, which is long enough to fill some lines on a small screen." for number in range(40)
)


@pytest.fixture
def server(settings: Settings) -> Iterator[MessagesServer]:
    with MessagesServer() as server:
        settings.ANTHROPIC_BASE_URL, settings.CLAUDE_STANDIN = server.url, False
        yield server


def _in_thread(work: object) -> object:
    """Playwright keeps an event loop in this thread, where the ORM refuses to work."""
    found: list[object] = []

    def run() -> None:
        from django.db import connection

        try:
            found.append(work())  # type: ignore[operator]
        finally:
            connection.close()

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    assert found
    return found[0]


def _messages() -> int:
    return int(str(_in_thread(Message.objects.count)))


def test_enter_sends_and_a_reply_streams_in(page: Page, worker: WorkController, server: MessagesServer) -> None:
    server.enqueue(slowly("Hi **there**, friend.", 0.05))
    page.goto("/")
    page.locator("#send-text").fill("Hello")
    page.locator("#send-text").press("Enter")

    page.wait_for_url("**/chats/*/")
    expect(page.locator(".said--reply strong")).to_have_text("there")
    expect(page.locator("article[data-stream]")).to_have_count(0)
    expect(page.locator("#status")).to_contain_text("Done")
    assert page.evaluate("localStorage.length") == 0


def test_an_enter_that_commits_a_candidate_does_not_send(page: Page) -> None:
    page.goto("/")
    page.locator("#send-text").fill("你好")
    for event in ({"isComposing": True}, {"keyCode": 229}):
        page.locator("#send-text").evaluate(
            "(element, more) => element.dispatchEvent("
            "new KeyboardEvent('keydown', {key: 'Enter', bubbles: true, cancelable: true, ...more}))",
            event,
        )
    page.locator("#send-text").press("Shift+Enter")
    page.wait_for_timeout(300)

    assert page.locator("#send-text").input_value() == "你好\n"
    assert _messages() == 0


def test_a_draft_outlives_the_page_and_a_failed_send(page: Page) -> None:
    page.goto("/")
    page.locator("#send-text").fill("Not yet sent")
    page.reload()
    expect(page.locator("#send-text")).to_have_value("Not yet sent")

    page.route("**/chats/send/", lambda route: route.abort())
    page.locator("#send-text").press("Enter")
    expect(page.locator("#status")).to_contain_text("Nothing was lost")
    expect(page.locator("#send-text")).to_have_value("Not yet sent")

    page.unroute("**/chats/send/")
    page.reload()
    expect(page.locator("#send-text")).to_have_value("Not yet sent")


def test_what_cannot_be_sent_stays_in_the_composer(page: Page, settings: Settings) -> None:
    settings.MESSAGE_MAX_CHARACTERS = 10
    page.goto("/")
    page.locator("#send-text").fill("Longer than ten")
    page.locator("#send-text").press("Enter")

    expect(page.locator("#send-problem")).to_contain_text("too long")
    expect(page.locator("#send-text")).to_have_value("Longer than ten")


def test_a_long_paste_becomes_an_attachment(page: Page) -> None:
    page.goto("/")
    page.locator("#send-text").fill("What is this? ")
    _paste(page, "one line")
    assert page.locator("[data-chips] .chip").count() == 0
    _paste(page, "\n".join(f"line {number}" for number in range(9)))
    expect(page.locator("[data-chips] .chip")).to_contain_text("Pasted text")
    page.locator("#send-text").press("Enter")
    page.wait_for_url("**/chats/*/")

    expect(page.locator(".attachment")).to_contain_text("9 lines")
    origins = _in_thread(lambda: list(Passage.objects.order_by("position").values_list("origin", flat=True)))
    assert origins == [Origin.PASTED, Origin.TYPED]


def test_one_long_paragraph_and_many_short_pastes_are_not_the_persons_words(page: Page) -> None:
    page.goto("/")
    _paste(page, "This paragraph came from somewhere else and has no line break. " * 6)
    expect(page.locator("[data-chips] .chip")).to_have_count(1)
    _paste(page, "這段話是從別的地方貼過來的，沒有換行。" * 8)
    expect(page.locator("[data-chips] .chip")).to_have_count(2)

    piece = "One of several short pieces that were pasted after each other, a hundred characters and a few of them. "
    for times in range(1, 4):
        _paste(page, piece)
        page.locator("#send-text").fill(piece * times)
    expect(page.locator("[data-chips] .chip")).to_have_count(2)
    _paste(page, piece)
    expect(page.locator("[data-chips] .chip")).to_have_count(3)


def test_a_chosen_file_becomes_an_attachment_and_can_be_taken_back(page: Page) -> None:
    page.goto("/")
    for name in ("one.txt", "two.txt"):
        page.locator("[data-files]").set_input_files({"name": name, "mimeType": "text/plain", "buffer": name.encode()})
    expect(page.locator("[data-chips] .chip")).to_have_count(2)
    page.locator("[data-chip-remove]").first.click()
    page.locator("#send-text").press("Enter")
    page.wait_for_url("**/chats/*/")

    expect(page.locator(".attachment__name")).to_have_text(["two.txt"])


def test_the_page_follows_the_end_but_not_a_reader_who_scrolled_up(
    page: Page, worker: WorkController, server: MessagesServer
) -> None:
    server.enqueue(slowly(LONG, 0.01))
    page.set_viewport_size({"width": 390, "height": 640})
    page.goto("/")
    page.locator("#send-text").fill("Tell me")
    page.locator("[data-send]").click()
    page.wait_for_url("**/chats/*/")
    place = "document.querySelector('[data-scroll]')"
    while page.evaluate(f"{place}.scrollTop") < 200:
        page.wait_for_timeout(50)

    page.evaluate(f"{place}.scrollTop = 40")
    page.get_by_role("button", name="Account").focus()
    expect(page.locator("article[data-stream]")).to_have_count(0)
    assert page.evaluate("document.activeElement.getAttribute('popovertarget')") == "account-menu"
    assert page.evaluate(f"{place}.scrollTop") < 120
    box = page.locator(".composer__box").bounding_box()
    assert box is not None
    assert box["y"] + box["height"] <= 640


def test_a_reload_in_mid_stream_loses_nothing_and_stop_ends_it(
    page: Page, worker: WorkController, server: MessagesServer
) -> None:
    server.enqueue(slowly(LONG, 0.1))
    page.goto("/")
    page.locator("#send-text").fill("Tell me")
    page.locator("#send-text").press("Enter")
    page.wait_for_url("**/chats/*/")
    expect(page.locator("[data-words]")).to_contain_text("Paragraph 0")
    page.reload()
    expect(page.locator("[data-words]")).to_contain_text("Paragraph 0")

    page.locator("[data-stop-button]").click()
    expect(page.locator(".said--reply")).to_contain_text("You stopped this answer.")
    assert server.hung_up.wait(60)
    expect(page.locator("[data-send]")).to_be_visible()


def test_earlier_messages_come_in_above_what_is_being_read(page: Page, alice: Person, now: datetime) -> None:
    conversation = _in_thread(lambda: long_talk(alice, 200, now=now).pk)
    page.goto(f"/chats/{conversation}/")
    page.locator("[data-scroll]").evaluate("(place) => { place.scrollTop = 0 }")
    first = page.locator("article").first
    expect(first).to_contain_text("Word 140.")
    page.get_by_role("link", name="Earlier messages").press("Enter")

    expect(page.locator("article")).to_have_count(120)
    page.wait_for_timeout(300)
    kept = page.locator("article", has_text="Word 140.").bounding_box()
    assert kept is not None
    assert 0 < kept["y"] < 500


def test_code_is_copied_over_plain_http(page: Page, alice: Person, now: datetime) -> None:
    conversation = _in_thread(lambda: talk(alice, ("Code?", "```python\nprint(1)\n```"), now=now).pk)
    page.add_init_script("Object.defineProperty(window, 'isSecureContext', {value: false})")
    page.goto(f"/chats/{conversation}/")
    page.evaluate("document.addEventListener('copy', () => { window.copied = String(window.getSelection()) })")
    page.locator("[data-copy]").click()

    assert page.evaluate("window.copied").strip() == "print(1)"


def test_two_tabs_do_not_send_over_each_other(page: Page, alice: Person, now: datetime) -> None:
    reply = _in_thread(lambda: ask(alice, "Hello", now=now))
    assert isinstance(reply, Message)
    page.goto(f"/chats/{reply.conversation_id}/")
    expect(page.locator("[data-stop-button]")).to_be_visible()
    page.evaluate("document.querySelector('#send-text').value = 'And?'")
    page.evaluate("document.querySelector('[data-composer]').requestSubmit()")

    expect(page.locator("#send-problem")).to_contain_text("still being written")
    expect(page.locator("#send-text")).to_have_value("And?")
    assert _messages() == 2


def test_nothing_on_the_page_breaks_the_policy_or_scripts(
    page: Page, worker: WorkController, server: MessagesServer
) -> None:
    problems: list[str] = []
    page.on("console", lambda message: problems.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: problems.append(str(error)))
    server.enqueue(text("One."), text("A title"), text("Two."))
    page.goto("/")
    for said in ("Hello", "More"):
        page.locator("#send-text").fill(said)
        page.locator("#send-text").press("Enter")
        page.wait_for_url("**/chats/*/")
        expect(page.locator(".said--mine .said__words").last).to_have_text(said)
        expect(page.locator("article[data-stream]")).to_have_count(0)

    assert problems == []
    roles = _in_thread(lambda: list(Message.objects.order_by("position").values_list("role", flat=True)))
    assert roles == [Role.USER, Role.ASSISTANT] * 2


def _paste(page: Page, words: str) -> None:
    page.evaluate(
        """(words) => {
          const data = new DataTransfer();
          data.setData("text/plain", words);
          const event = new ClipboardEvent("paste", {clipboardData: data, bubbles: true, cancelable: true});
          document.querySelector("#send-text").dispatchEvent(event);
        }""",
        json.loads(json.dumps(words)),
    )
