"""What the tests of the chat say, and how it is answered."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from threading import Lock
from typing import Any
from unittest.mock import patch

from chat.reply import write_reply
from chat.send import Part, send
from claude.client import using
from memories.models import Conversation, MemoryMode, Message, Origin, Passage, Person, Role
from tests.fakes.wire import Answer, FakeWire

type Request = dict[str, Any]


def typed(text: str) -> list[Part]:
    return [Part(Origin.TYPED, text)]


_not_queueing = 0
_not_queueing_lock = Lock()
_no_sending = patch("celery.app.task.Task.apply_async")


@contextmanager
def nothing_queued() -> Iterator[None]:
    """Tasks are not sent, by any thread: the test runs what it wants to run.

    Several threads may be in here at once. The first one in takes sending away and the last one out gives it back; each
    with a patch of its own, they would give back one another's."""
    global _not_queueing
    with _not_queueing_lock:
        if not _not_queueing:
            _no_sending.start()
        _not_queueing += 1
    try:
        yield
    finally:
        with _not_queueing_lock:
            _not_queueing -= 1
            if not _not_queueing:
                _no_sending.stop()


def ask(
    person: Person,
    text: str | list[Part],
    *,
    now: datetime,
    to: Conversation | None = None,
    key: str = "",
    mode: MemoryMode = MemoryMode.ON,
) -> Message:
    """Send and leave the reply queued."""
    parts = typed(text) if isinstance(text, str) else text
    with nothing_queued():
        return send(person, conversation=to, parts=parts, key=key, now=now, memory_mode=mode)


def answer(reply: Message, *answers: Answer, now: datetime, otherwise: Answer | None = None) -> list[Request]:
    """Write a queued reply with a scripted model. Returns what was sent to it."""
    wire = FakeWire(*answers, otherwise=otherwise)
    with nothing_queued(), using(wire):
        write_reply(reply.pk, now=now)
    reply.refresh_from_db()
    return wire.history


def talk(person: Person, *exchanges: tuple[str, str], now: datetime, to: Conversation | None = None) -> Conversation:
    """A conversation that went so."""
    for said, answered in exchanges:
        reply = ask(person, said, now=now, to=to)
        answer(reply, answered, now=now)
        to = reply.conversation
    assert to is not None
    return to


def long_talk(person: Person, messages: int, *, now: datetime) -> Conversation:
    """So many messages, made at once: `Word 0.`, `Word 1.` and so on."""
    conversation = Conversation.objects.create(person=person, started_at=now, last_said_at=now)
    said = Message.objects.bulk_create(
        Message(
            person=person,
            conversation=conversation,
            position=position,
            role=Role.ASSISTANT if position % 2 else Role.USER,
            said_at=now,
            finished_at=now,
        )
        for position in range(messages)
    )
    Passage.objects.bulk_create(
        Passage(
            person=person,
            message=message,
            origin=Origin.ASSISTANT if message.position % 2 else Origin.TYPED,
            text=f"Word {message.position}.",
        )
        for message in said
    )
    return conversation


def text_of(message: Message) -> str:
    return "\n".join(message.passages.order_by("position").values_list("text", flat=True))


def keeping(quote: str, statement: str, **more: object) -> dict[str, object]:
    """The arguments of a call of `remember`."""
    return {
        "quote": quote,
        "statement": statement,
        "kind": "semantic",
        "category": "work",
        "event_date": "",
        "plan": False,
        "asked_outright": False,
        "replaces": "",
    } | more


def results_of(request: Request) -> list[Any]:
    """The results of tools in the newest turn."""
    turn = request["messages"][-1]
    return [block for block in turn["content"] if block["type"] == "tool_result"]


def without_breakpoints(request: Request) -> list[Any]:
    """The turns of a request as the cache sees them."""
    return [
        {
            "role": turn["role"],
            "content": [{k: v for k, v in block.items() if k != "cache_control"} for block in turn["content"]],
        }
        for turn in request["messages"]
    ]
