"""A person's rows as the chat and the nights make them, for tests that need them as they stand."""

from __future__ import annotations

from datetime import datetime, timedelta
from itertools import count

from memories import index
from memories.models import (
    Category,
    Conversation,
    Evidence,
    Kind,
    Memory,
    Message,
    Origin,
    Passage,
    Person,
    Role,
    Status,
)

_minutes = count()


def converse(person: Person, *turns: str, at: datetime) -> Conversation:
    """A conversation of the person and the assistant by turns, a minute apart."""
    conversation = Conversation.objects.create(person=person, started_at=at, last_said_at=at)
    for position, text in enumerate(turns):
        say(conversation, text, position=position, at=at + timedelta(minutes=position))
    return conversation


def say(conversation: Conversation, text: str, *, at: datetime, position: int | None = None) -> Passage:
    place = conversation.messages.count() if position is None else position
    role = Role.USER if place % 2 == 0 else Role.ASSISTANT
    message = Message.objects.create(
        person_id=conversation.person_id,
        conversation=conversation,
        position=place,
        role=role,
        said_at=at,
        finished_at=at,
    )
    passage = Passage.objects.create(
        person_id=conversation.person_id,
        message=message,
        origin=Origin.TYPED if role == Role.USER else Origin.ASSISTANT,
        text=text,
    )
    index.add_exchange_of(message)
    return passage


def passage(conversation: Conversation, position: int) -> Passage:
    return Passage.objects.get(message__conversation=conversation, message__position=position)


def learn(
    person: Person,
    statement: str,
    *evidence: tuple[Passage, str],
    status: Status = Status.ACTIVE,
    replaces: Memory | None = None,
    category: Category = Category.OTHER,
) -> Memory:
    """A memory that rests on the quoted words of each passage."""
    said_at = max(passage.message.said_at for passage, _quote in evidence)
    person.last_memory_number += 1
    person.save(update_fields=["last_memory_number"])
    memory = Memory.objects.create(
        person=person,
        number=person.last_memory_number,
        statement=statement,
        kind=Kind.SEMANTIC,
        category=category,
        status=status,
        waiting_reason="unclear" if status == Status.WAITING else "",
        trusted=True,
        said_at=said_at,
        created_at=said_at,
    )
    for found, quote in evidence:
        start = found.text.index(quote)
        Evidence.objects.create(
            memory=memory, passage=found, start=start, end=start + len(quote), said_at=found.message.said_at
        )
    index.add_memory(memory)
    if replaces is not None:
        Memory.objects.filter(pk=replaces.pk).update(
            status=Status.SUPERSEDED, superseded_by=memory, superseded_at=said_at
        )
    return memory


def forgotten(conversation: Conversation, position: int) -> list[str]:
    """The words of a turn that are under a tombstone."""
    found = passage(conversation, position)
    return [found.text[t.start : t.end] for t in found.tombstones.order_by("start")]
