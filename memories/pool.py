"""What is looked at closely: of the rows that a question found, how they stand now, in one query each."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime
from typing import NamedTuple

from django.db import connection

from memories.days import Days
from memories.models import Confidence, Person, Status


class Pooled(NamedTuple):
    """A memory that may be recalled, and the exchange that it was last said in."""

    id: int
    number: int
    status: str
    confidence: str
    said_at: datetime
    confirmed_at: datetime | None
    event_from: date | None
    event_until: date | None
    sources: int
    said_in: int | None

    @property
    def is_sure(self) -> bool:
        return self.confidence != Confidence.LOW


class Exchange(NamedTuple):
    asked: int
    said_at: datetime
    messages: list[int]


MEMORIES = """
SELECT memory.id, number, status, confidence, memory.said_at, confirmed_at, event_from, event_until,
       sources.count, sources.said_in
FROM memories_memory memory CROSS JOIN LATERAL (
    SELECT count(*), (array_agg(passage.message_id ORDER BY evidence.said_at DESC, evidence.id DESC)
                      FILTER (WHERE passage.id IS NOT NULL))[1] AS said_in
    FROM memories_evidence evidence
    LEFT JOIN memories_passage passage
           ON passage.id = evidence.passage_id AND passage.person_id = memory.person_id
    WHERE evidence.memory_id = memory.id
) AS sources
WHERE memory.person_id = %(person)s AND memory.id = ANY(%(ids)s) AND trusted AND status = ANY(%(statuses)s)
"""
EXCHANGES = """
SELECT asked.id, asked.said_at, array_agg(said.id)
FROM memories_message asked
JOIN memories_conversation conversation
  ON conversation.id = asked.conversation_id AND conversation.deletion_id IS NULL
JOIN memories_message said
  ON said.conversation_id = asked.conversation_id AND said.shown
     AND said.position BETWEEN asked.position AND asked.position + 1
     AND (said.id = asked.id OR said.role = 'assistant')
WHERE asked.person_id = %(person)s AND asked.id = ANY(%(ids)s)
GROUP BY asked.id
"""


def memories(person: Person, ids: Sequence[int], *, past: bool) -> list[Pooled]:
    """What may be recalled of the found rows, as it stands now, in the order found."""
    statuses = [Status.ACTIVE.value, Status.SUPERSEDED.value] if past else [Status.ACTIVE.value]
    with connection.cursor() as cursor:
        cursor.execute(MEMORIES, {"person": person.pk, "ids": list(ids), "statuses": statuses})
        found = {row[0]: Pooled(*row) for row in cursor.fetchall()}
    return [found[pk] for pk in ids if pk in found]


def exchanges(person: Person, ids: Sequence[int]) -> list[Exchange]:
    """The exchanges that begin with these messages, with the messages of each that may be shown, in the order found."""
    with connection.cursor() as cursor:
        cursor.execute(EXCHANGES, {"person": person.pk, "ids": list(ids)})
        found = {row[0]: Exchange(*row) for row in cursor.fetchall()}
    return [found[pk] for pk in ids if pk in found]


def is_on(person: Person, memory: Pooled, days: Days) -> bool:
    """Whether it happened on the days; when it has no time of its own, whether it was said on them."""
    if memory.event_from is not None:
        return memory.event_from <= days[1] and (memory.event_until or memory.event_from) >= days[0]
    return was_on(person, memory.said_at, days)


def was_on(person: Person, at: datetime, days: Days) -> bool:
    return days[0] <= person.local(at).date() <= days[1]
