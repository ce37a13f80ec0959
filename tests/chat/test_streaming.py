"""The parts of a reply on their way to the page: numbered, complete, resumed, ended, and cheap."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from typing import Any

import httpx2
import pytest
from celery.worker import WorkController
from django.conf import settings as live_settings
from django.db import connection
from django.test import Client
from pytest_django.fixtures import Settings

from chat import attempts
from chat import live as leases
from chat.live import valkey
from chat.reply import write_reply
from chat.stream import Writer, end, publish, stream_key
from chat.watch import watching
from memories.models import Message, MessageState, Person
from tests.chat.saying import answer, ask, nothing_queued, text_of
from tests.conftest import Live
from tests.fakes.server import MessagesServer
from tests.fakes.wire import Scripted, text, text_block

LONG = "\n\n".join(f"Paragraph {number} of *many*, with 中文." for number in range(12))


class Page:
    """What stream.js does with the events, without the drawing."""

    def __init__(self) -> None:
        self.blocks: list[str] = []
        self.parts: list[int] = []
        self.ended: str | None = None

    def hear(self, name: str, number: str, data: dict[str, Any]) -> None:
        if name == "end":
            self.ended = data["html"]
            return
        opening = '<div class="block">'
        self.blocks = [*self.blocks[: data["kept"]], *[opening + block for block in data["html"].split(opening)[1:]]]
        self.parts.append(int(number))


def listen(client: httpx2.Client, url: str, *, parts: int | None = None) -> Page:
    """Follow a stream to its end, or hang up after some parts."""
    page = Page()
    with client.stream("GET", url) as response:
        assert response.status_code == 200
        name, number = "", ""
        for line in response.iter_lines():
            if line.startswith("event: "):
                name = line[7:]
            elif line.startswith("id: "):
                number = line[4:]
            elif line.startswith("data: "):
                page.hear(name, number, json.loads(line[6:]))
                if page.ended is not None or (parts is not None and len(page.parts) >= parts):
                    break
    return page


@contextmanager
def signed_in(client: Client, live: Live) -> Iterator[httpx2.Client]:
    cookie = client.cookies[live_settings.SESSION_COOKIE_NAME].value
    with httpx2.Client(
        base_url=live.url, cookies={live_settings.SESSION_COOKIE_NAME: cookie}, timeout=100, trust_env=False
    ) as browser:
        yield browser


@pytest.fixture
def server(settings: Settings) -> Iterator[MessagesServer]:
    with MessagesServer() as server:
        settings.ANTHROPIC_BASE_URL, settings.CLAUDE_STANDIN = server.url, False
        yield server


def slowly(words: str, pause_s: float = 0.05) -> Scripted:
    return Scripted((text_block(words),), pause_s=pause_s)


def written(reply: Message) -> threading.Thread:
    def write() -> None:
        try:
            with nothing_queued():
                write_reply(reply.pk)
        finally:
            connection.close()

    thread = threading.Thread(target=write)
    thread.start()
    return thread


def until(true: Callable[[], object], seconds: float = 60) -> float:
    began = time.monotonic()
    while not true():
        assert time.monotonic() - began < seconds, "It never came to that."
        time.sleep(0.01)
    return time.monotonic() - began


def state_of(reply: Message) -> str:
    reply.refresh_from_db()
    return reply.state


@pytest.mark.django_db(transaction=True)
def test_a_reply_streams_as_it_is_written_and_ends_with_its_row(
    client: Client, live: Live, alice: Person, now: datetime, server: MessagesServer
) -> None:
    reply = ask(alice, "Hello", now=now)
    server.enqueue(slowly(LONG, 0.02))
    thread = written(reply)
    with signed_in(client, live) as browser:
        page = listen(browser, f"/replies/{reply.pk}/stream/")
    thread.join()

    assert len(page.parts) > 3
    assert page.ended is not None
    # The last part may lack the last words, which came with the end; never anything in the middle.
    assert page.ended.find("".join(page.blocks)[:-40]) > 0
    assert "Paragraph 11" in page.ended
    assert f'id="message-{reply.pk}"' in page.ended


@pytest.mark.django_db(transaction=True)
def test_a_reload_shows_what_there_is_and_goes_on(
    client: Client, live: Live, alice: Person, now: datetime, server: MessagesServer
) -> None:
    reply = ask(alice, "Hello", now=now)
    server.enqueue(slowly(LONG))
    thread = written(reply)
    with signed_in(client, live) as browser:
        first = listen(browser, f"/replies/{reply.pk}/stream/", parts=3)
        second = listen(browser, f"/replies/{reply.pk}/stream/")
    thread.join()

    assert second.parts[0] >= first.parts[-1]
    assert second.ended is not None
    assert state_of(reply) == MessageState.DONE
    assert "Paragraph 0" in "".join(second.blocks)


@pytest.mark.django_db(transaction=True)
def test_a_finished_reply_answers_at_once_and_nothing_buffers_it(
    client: Client, live: Live, alice: Person, now: datetime
) -> None:
    reply = ask(alice, "Hello", now=now)
    answer(reply, "Hi **there**.", now=now)
    with signed_in(client, live) as browser:
        response = browser.get(f"/replies/{reply.pk}/stream/", headers={"Accept-Encoding": "gzip, br"})

    assert response.text.count("event: ") == 1
    assert response.text.startswith("event: end\n")
    assert "<strong>there</strong>" in json.loads(response.text.split("data: ")[1])["html"]
    assert response.headers["content-type"] == "text/event-stream"
    assert response.headers["x-accel-buffering"] == "no"
    assert response.headers["content-encoding"] == "identity"


@pytest.mark.django_db(transaction=True)
def test_a_stranger_gets_404_from_a_stream(bobs_client: Client, live: Live, alice: Person, now: datetime) -> None:
    reply = ask(alice, "Hello", now=now)
    with signed_in(bobs_client, live) as browser:
        assert browser.get(f"/replies/{reply.pk}/stream/").status_code == 404


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("words", ["", "Half a sentence"])
def test_stop_ends_the_call_upstream_at_once(
    client: Client, alice: Person, now: datetime, server: MessagesServer, words: str
) -> None:
    reply = ask(alice, "Hello", now=now)
    blocks = (text_block(words + " and so on" * 500),) if words else (text_block("x"),)
    server.enqueue(Scripted(blocks, pause_s=0.1 if words else 60))
    thread = written(reply)
    until(server.asked.is_set)
    if words:
        until(lambda: valkey().xlen(stream_key(reply.pk)))
    else:
        time.sleep(0.3)

    began = time.monotonic()
    client.post(f"/replies/{reply.pk}/stop/")
    assert server.hung_up.wait(60)
    took = time.monotonic() - began
    thread.join()

    # A second, on a machine that does nothing else; the answer itself would take a minute.
    assert took < 20
    assert state_of(reply) == MessageState.STOPPED
    assert text_of(reply).startswith(words[:4])


@pytest.mark.django_db(transaction=True)
def test_a_stream_whose_worker_died_ends_with_retry(
    client: Client, live: Live, alice: Person, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("chat.stream.HEARTBEAT_S", 0.2)
    reply = ask(alice, "Hello", now=now)
    attempts.claim(reply.pk, now=now)
    leases.give_up_lease(reply.pk)
    leases.valkey().set(leases.lease_key(reply.pk), 1, px=500)
    with signed_in(client, live) as browser:
        page = listen(browser, f"/replies/{reply.pk}/stream/")

    assert page.ended is not None
    assert "Retry" in page.ended
    assert state_of(reply) == MessageState.FAILED


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_a_hundred_streams_hold_no_database_connection(
    client: Client, live: Live, alice: Person, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("chat.live.LEASE_S", 600)
    replies = [ask(alice, f"Hello {number}", now=now) for number in range(100)]
    for reply in replies:
        attempts.claim(reply.pk, now=now)
        Writer(reply.pk, {}).add("Words")
    pages: list[Page] = []
    with signed_in(client, live) as browser:
        browser_pages = [
            threading.Thread(target=lambda pk=reply.pk: pages.append(listen(browser, f"/replies/{pk}/stream/")))
            for reply in replies
        ]
        for thread in browser_pages:
            thread.start()
        # Each waits for its next part.
        until(lambda: int(valkey().info("clients")["blocked_clients"]) >= 100, 100)
        during = _connections_in_use()
        Message.objects.filter(state=MessageState.STREAMING).update(state=MessageState.DONE, finished_at=now)
        for reply in replies:
            end(reply.pk)
        for thread in browser_pages:
            thread.join()
    assert len(pages) == 100
    assert all(page.ended for page in pages)
    # The test's own, and one that looks after all.
    assert during <= 2


@pytest.mark.django_db(transaction=True)
def test_a_posted_message_is_answered_by_the_worker(
    client: Client, worker: WorkController, alice: Person, server: MessagesServer
) -> None:
    server.enqueue(text("Hi there."))
    client.post("/chats/send/", {"text": "Hello", "key": "k1"})
    reply = Message.objects.get(role="assistant")
    until(lambda: state_of(reply) == MessageState.DONE)

    assert text_of(reply) == "Hi there."


def test_the_first_words_are_out_at_once_and_the_watch_publishes_the_rest(alice: Person, now: datetime) -> None:
    writer = Writer(1, {})
    with watching(writer):
        for word in range(200):
            writer.add(f"word{word} ")
        assert parts_of(1)[0][0] == b"1-0"
        until(lambda: b"word199" in parts_of(1)[-1][1][b"html"])

    assert len(parts_of(1)) < 10
    assert int(valkey().ttl(stream_key(1))) > 0


def test_the_parts_of_many_replies_go_out_at_one_stroke() -> None:
    writers = [Writer(number, {}) for number in range(1, 31)]
    for writer in writers:
        writer.add("The first words")
        writer.add(" and more")
    until(
        lambda: published(writers) and all(b"and more" in parts_of(one.reply_id)[-1][1][b"html"] for one in writers),
    )


def test_after_a_lost_part_the_next_one_carries_everything() -> None:
    writer = Writer(1, {})
    # A key of another kind refuses the part, as a server that comes back empty would lose it.
    valkey().set(stream_key(1), "something else")
    writer.add("One.\n\nTwo.\n\nThree.")
    valkey().delete(stream_key(1))
    writer.add("\n\nFour.")
    until(lambda: published([writer]) and parts_of(1))

    (_number, part), *more = parts_of(1)
    assert not more
    assert part[b"kept"] == b"0"
    assert all(word in part[b"html"] for word in (b"One.", b"Two.", b"Three.", b"Four."))


def test_a_part_speaks_the_language_of_its_reply() -> None:
    writer = Writer(1, {})
    writer.language = "zh-hant"
    writer.add("```\ncode\n```\n")

    assert "複製".encode() in parts_of(1)[0][1][b"html"]


def published(writers: list[Writer]) -> bool:
    """As the watch does it, again and again: a part that is not due yet comes with the next tick."""
    publish(writers)
    return True


def parts_of(reply_id: int) -> Any:
    return valkey().xrange(stream_key(reply_id))


def _connections_in_use() -> int:
    stats = connection.pool.get_stats()  # type: ignore[attr-defined]
    return int(stats["pool_size"] - stats["pool_available"])
