"""Alice says something; somebody asks the write door to remember it."""

from __future__ import annotations

from datetime import date, datetime
from typing import Any

from memories.models import (
    AskedBy,
    Category,
    Confidence,
    Conversation,
    Kind,
    MemoryMode,
    Origin,
    Passage,
    Person,
    Role,
    Write,
)
from memories.remember import Proposal, remember
from memories.transcript import Part, say


def conversation(person: Person, now: datetime, mode: MemoryMode = MemoryMode.ON) -> Conversation:
    return Conversation.objects.create(person=person, memory_mode=mode, started_at=now, last_said_at=now)


def said(
    person: Person,
    text: str,
    now: datetime,
    *,
    origin: Origin = Origin.TYPED,
    within: Conversation | None = None,
    reply: str = "",
) -> Passage:
    """One message with one passage; with an answer when `reply` is given."""
    within = within or conversation(person, now)
    role = Role.ASSISTANT if origin == Origin.ASSISTANT else Role.USER
    message = say(within, role, [Part(origin, text)], now=now)
    if reply:
        say(within, Role.ASSISTANT, [Part(Origin.ASSISTANT, reply)], now=now)
    return message.passages.get()


def proposal(passage: Passage | None, statement: str, *, quote: str | None = None, **more: Any) -> Proposal:
    return Proposal(
        statement=statement,
        quote=(passage.text if passage else "") if quote is None else quote,
        passage_id=passage.pk if passage else None,
        kind=more.pop("kind", Kind.SEMANTIC),
        category=more.pop("category", Category.OTHER),
        confidence=more.pop("confidence", Confidence.HIGH),
        **more,
    )


def told(
    person: Person,
    text: str,
    statement: str,
    now: datetime,
    *,
    origin: Origin = Origin.TYPED,
    asked_by: AskedBy = AskedBy.NIGHT,
    quote: str | None = None,
    **more: Any,
) -> Write:
    """Say `text`, then ask the door to remember `statement` from it."""
    passage = said(person, text, now, origin=origin)
    return remember(person, proposal(passage, statement, quote=quote, **more), now=now, asked_by=asked_by)


def day(text: str) -> date:
    return date.fromisoformat(text)
