"""Play a file of dated conversations through the same code as the chat view, with the clock of the file, and let the
nights between them come. The assistant's words in the file take the place of the model's last words on the wire
itself, so that no product code knows of it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import httpx2

from chat.reply import write_reply
from chat.send import send
from claude.connection import wrapping
from config.celery import app
from consolidation import held, night
from consolidation.models import AskedFor, Night, NightState
from evals.judging import by_strings
from evals.scripts import Question, Script, Turn, read_script
from memories import forget
from memories.models import Conversation, MemoryMode, Message, MessageState, Origin, Person
from memories.tasks import embed_pending
from memories.transcript import Part

__all__ = [
    "Answer", "Question", "Script", "ask", "ask_in", "dream", "play", "read_script", "settle_in", "without_worker",
]  # fmt: skip


_BROKERS = ("broker_url", "broker_read_url", "broker_write_url")


@dataclass(frozen=True)
class Answer:
    question: Question
    text: str

    @property
    def right(self) -> bool:
        return by_strings(self.question, self.text) is True


def play(
    script: Script, person: Person, *, nights: bool = True, key: str = "", on_step: Callable[[str], None] | None = None
) -> list[Night]:
    """All sessions in order, each with the nights that lie before the next, and one after the last. With a `key`,
    playing again goes on where it was broken off."""
    settle_in(script, person)
    dreamt: list[Night] = []
    for session in script.sessions:
        conversation: Conversation | None = None
        for index, turn in enumerate(session.turns):
            place = (session.name, 2 * index + 1)
            conversation = _say(script, person, conversation, turn, place, key=key).conversation
        if nights:
            embed_pending(person_id=person.pk)
            dreamt.append(_look_at(dream(person, at=_night_after(person, session.turns[-1].at))))
        if on_step:
            on_step(session.name)
    return dreamt


@contextmanager
def without_worker() -> Iterator[None]:
    """Replies and nights are written here, with the clock of the file: no worker may take them first. In all threads of
    the process, as the addresses of Celery's application are."""
    before = {name: app.conf.get(name) for name in _BROKERS}
    _send_to(dict.fromkeys(_BROKERS, "memory://localhost/"))  # with a host, or kombu warns that there is none
    try:
        yield
    finally:
        _send_to(before)


def _send_to(brokers: dict[str, str | None]) -> None:
    app.conf.update(brokers)
    # The pools are made at the first use, for the address of that moment, and kept.
    app._pool = None  # type: ignore[attr-defined]
    app.amqp._producer_pool = None  # type: ignore[attr-defined]


def dream(person: Person, *, at: datetime) -> Night:
    """One night, at once."""
    person.refresh_from_db()
    # What beat asks for every minute; here the minutes are the file's.
    forget.purge_due(now=at, person=person)
    embed_pending(person_id=person.pk)
    begun = Night.objects.of(person).filter(started_at=at).first()
    if begun is None:
        begun = night.begin(person, now=at, asked_for=AskedFor.STAFF)
    elif begun.state == NightState.FAILED:
        begun = night.reopen(begun, now=at)
    if begun is None:
        raise RuntimeError("No night could begin: one is running or held.")
    # One that was broken off is taken up when its lease has run out.
    over = night.run(begun.pk, now=max(at, begun.leased_until))
    embed_pending(person_id=person.pk)
    return over


def _look_at(over: Night) -> Night:
    """A night that would retire many memories waits for the person, who here looks at it at once and agrees."""
    if over.state != NightState.HELD or not held.approve(over, now=over.started_at):
        return over
    return night.run(over.pk, now=Night.objects.get(pk=over.pk).leased_until)


def ask(person: Person, question: Question) -> Answer:
    """Asked in a conversation of its own that reads memory and teaches it nothing."""
    return Answer(question, _text(ask_in(person, question, MemoryMode.READ_ONLY).pk))


def ask_in(person: Person, question: Question, mode: MemoryMode) -> Message:
    """The reply to the question, in a new conversation."""
    person.refresh_from_db()
    parts = [Part(Origin.TYPED, question.ask)]
    reply = send(person, conversation=None, parts=parts, key="", now=question.asked_at, memory_mode=mode)
    write_reply(reply.pk, now=question.asked_at)
    reply.refresh_from_db()
    return reply


def settle_in(script: Script, person: Person) -> None:
    Person.objects.filter(pk=person.pk).update(
        time_zone=script.time_zone, language="zh-hant" if script.language.startswith("zh") else "en"
    )
    person.refresh_from_db()


def _say(
    script: Script, person: Person, conversation: Conversation | None, turn: Turn, place: tuple[str, int], *, key: str
) -> Message:
    session, number = place
    key = f"{key} {session} {number}" if key else ""
    reply = send(person, conversation=conversation, parts=turn.parts, key=key, now=turn.at)
    if key:
        # A reply that was broken off is written again.
        unfinished = Message.objects.filter(pk=reply.pk, state=MessageState.STREAMING)
        unfinished.update(state=MessageState.QUEUED)
    with _answering(turn.answer):
        write_reply(reply.pk, now=turn.at)
    reply.refresh_from_db()
    asked = Message.objects.shown().get(conversation_id=reply.conversation_id, position=reply.position - 1)
    script.places[f"{session}.{number}"] = asked.pk
    script.places[f"{session}.{number + 1}"] = reply.pk
    for name in (session, f"{session}.{number}", f"{session}.{number + 1}", *turn.names):
        script.heard.setdefault(name, set()).update([asked.pk, reply.pk])
    return reply


def _text(reply_id: int) -> str:
    return "\n".join(passage.text for passage in Message.objects.get(pk=reply_id).passages.order_by("position"))


def _night_after(person: Person, at: datetime) -> datetime:
    """The person's next night hour."""
    local = person.local(at)
    night_of = local.replace(hour=person.night_hour, minute=0, second=0, microsecond=0)
    return (night_of if night_of > local else night_of + timedelta(days=1)).astimezone(UTC)


@contextmanager
def _answering(words: str) -> Iterator[None]:
    """While the reply is written, its last words on the wire are these; the tools that the model calls stay its own."""
    if not words:
        yield
        return
    with wrapping(lambda inner: Rewriting(inner, words)):
        yield


class Rewriting(httpx2.BaseTransport):
    """A transport around another: an answer that calls no tool gets other words, plain or streamed."""

    def __init__(self, inner: httpx2.BaseTransport, words: str) -> None:
        self._inner, self._words = inner, words

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        asked = json.loads(request.read() or b"{}")
        response = self._inner.handle_request(request)
        if response.status_code != 200 or not asked.get("tools"):
            return response
        body = response.read()
        response.close()
        streamed = "event-stream" in response.headers.get("content-type", "")
        rewritten = _rewrite_stream(body.decode(), self._words) if streamed else _rewrite_message(body, self._words)
        headers = {
            name: value
            for name, value in response.headers.items()
            if name.lower() not in {"content-length", "content-encoding", "transfer-encoding"}
        }
        return httpx2.Response(200, headers=headers, content=rewritten)


def _rewrite_message(body: bytes, words: str) -> bytes:
    message = json.loads(body)
    if any(block["type"] == "tool_use" for block in message.get("content", [])):
        return body
    message["content"] = [{"type": "text", "text": words}]
    return json.dumps(message).encode()


def _rewrite_stream(stream: str, words: str) -> bytes:
    events = [json.loads(line[5:]) for line in stream.splitlines() if line.startswith("data:")]
    blocks = [event for event in events if event["type"] == "content_block_start"]
    if any(block["content_block"]["type"] == "tool_use" for block in blocks) or not blocks:
        return stream.encode()
    start = [event for event in events if event["type"] == "message_start"]
    end = [event for event in events if event["type"] in {"message_delta", "message_stop"}]
    said = [
        {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
        {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": words}},
        {"type": "content_block_stop", "index": 0},
    ]
    return "".join(
        f"event: {event['type']}\ndata: {json.dumps(event, ensure_ascii=False)}\n\n" for event in [*start, *said, *end]
    ).encode()
