"""Which memories a reply is given, and the record of it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.conf import settings
from django.db import transaction

from memories.matching import matched
from memories.models import How, Memory, Message, Origin, Person, Recollection, Role, lock_person
from memories.recall import recall
from memories.spans import Span
from memories.transcript import readable_message
from memories.wording import memory_line

# A message shorter than this, or one that points back, is asked together with the turns before it.
SHORT_CHARACTERS = 24
REFERRED_CHARACTERS = 300
QUERY_CHARACTERS = 2_000
_POINTS_BACK = re.compile(
    r"\b(it|its|that|this|those|these|them|they|he|she|him|her|there|then|one|ones|same|again|else|former|latter)\b"
    r"|[它牠祂他她]|那|這|该|該|上述|剛才|刚才|再|同樣|一樣",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Given:
    """A memory as a reply was given it."""

    memory: Memory
    line: str
    how: How
    rank: int
    score: float | None = None
    why: tuple[str, ...] = ()
    # Where the words that were asked for stand in the statement.
    spans: tuple[Span, ...] = ()


def look_up(person: Person, query: str, *, now: datetime, include_past: bool) -> list[Given]:
    return _recalled(person, query, How.ASKED_FOR, now=now, include_past=include_past)


def fitting(person: Person, message: Message, before: list[Message], *, now: datetime) -> list[Given]:
    """What fits the message; `before` are the turns just before it, oldest first."""
    query = query_for(message, before)
    return _recalled(person, query, How.RETRIEVED, now=now, include_past=False) if query else []


def query_for(message: Message, before: list[Message]) -> str:
    """The message with what it refers to, without asking a model."""
    words = readable_message(message, [Origin.TYPED]) or readable_message(message)[:REFERRED_CHARACTERS]
    if len(words) > SHORT_CHARACTERS and not _POINTS_BACK.search(words):
        return words[:QUERY_CHARACTERS]
    origins = {Role.USER.value: [Origin.TYPED], Role.ASSISTANT.value: [Origin.ASSISTANT]}
    turns = [readable_message(turn, origins[turn.role])[-REFERRED_CHARACTERS:] for turn in before[-2:]]
    return "\n".join(turn for turn in (words[:QUERY_CHARACTERS], *reversed(turns)) if turn)


def injected(person: Person, memories: Iterable[Memory]) -> list[Given]:
    return [
        Given(memory, memory_line(memory, person), How.INJECTED, rank) for rank, memory in enumerate(memories, start=1)
    ]


def record(reply: Message, given: Iterable[Given], *, now: datetime) -> None:
    Recollection.objects.bulk_create(
        [
            Recollection(
                person_id=reply.person_id,
                reply=reply,
                memory=one.memory,
                how=one.how,
                rank=one.rank,
                score=one.score,
                why=list(one.why),
                spans=[place for span in one.spans for place in span],
                of_version=one.memory.version,
                given_at=now,
            )
            for one in given
        ],
        ignore_conflicts=True,
    )


@transaction.atomic
def record_found(reply: Message, given: list[Given], *, now: datetime) -> list[Given]:
    """Of what was looked up, what is still there; recorded under the person's lock, so that a deletion comes either
    before, and it is left out, or after, and finds the record."""
    lock_person(reply.person_id)
    there = set(Memory.objects.filter(pk__in=[one.memory.pk for one in given]).kept().values_list("pk", flat=True))
    given = [one for one in given if one.memory.pk in there]
    record(reply, given, now=now)
    return given


def _recalled(person: Person, query: str, how: How, *, now: datetime, include_past: bool) -> list[Given]:
    if not query.strip():
        return []
    found = recall(person, query, now=now, budget=settings.RECALL_MAX_TOKENS, include_past=include_past)
    return [
        Given(
            one.memory,
            memory_line(one.memory, person),
            how,
            one.rank,
            one.score,
            one.why,
            tuple(matched(one.memory.statement, one.words)),
        )
        for one in found
    ]
