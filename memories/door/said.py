"""What was said where a proposal points: the passage, and what the door asks about it, each in one statement."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple

from django.db import connection

from memories.models import MemoryMode, Origin, Person, Status
from memories.reading import readable_text
from memories.spans import Span

# What the person typed before the quoted words explains them: "she", "that one".
EARLIER_MESSAGES = 12
CONTEXT_CHARACTERS = 20_000

_PASSAGE = """
SELECT passage.id, passage.text, passage.origin, message.said_at, message.position, message.conversation_id,
       conversation.memory_mode,
       ARRAY(SELECT ARRAY[start, "end"] FROM memories_tombstone WHERE passage_id = passage.id),
       ARRAY(SELECT ARRAY[evidence.start, evidence."end"] FROM memories_evidence evidence
             JOIN memories_memory memory ON memory.id = evidence.memory_id
             WHERE evidence.passage_id = passage.id AND memory.person_id = %(person)s
               AND memory.status = %(deleted)s AND memory.statement = ''),
       EXISTS(SELECT FROM memories_deletion
              WHERE person_id = %(person)s AND carried_out_at >= message.said_at)
FROM memories_passage passage
JOIN memories_message message ON message.id = passage.message_id
JOIN memories_conversation conversation ON conversation.id = message.conversation_id
WHERE passage.id = %(passage)s AND passage.person_id = %(person)s
"""
_TYPED_BEFORE = """
SELECT passage.text, ARRAY(SELECT ARRAY[start, "end"] FROM memories_tombstone WHERE passage_id = passage.id)
FROM memories_message message JOIN memories_passage passage ON passage.message_id = message.id
WHERE message.conversation_id = %(conversation)s AND message.shown AND passage.origin = %(typed)s
  AND message.position <= %(position)s AND message.position > %(position)s - %(earlier)s
ORDER BY message.position DESC, passage.position
"""
_OF_ORIGINS = """
SELECT passage.text FROM memories_message message JOIN memories_passage passage ON passage.message_id = message.id
WHERE message.conversation_id = %(conversation)s AND passage.origin = ANY(%(origins)s)
"""


class Said(NamedTuple):
    passage_id: int
    text: str
    origin: str
    said_at: datetime
    position: int
    conversation_id: int
    memory_mode: str
    # Under tombstones; and the spans of proposals that the person rejected.
    gone: list[Span]
    rejected: list[Span]
    # Whether anything at all was deleted after it was said: else no deletion can cover it.
    is_before_a_deletion: bool

    @property
    def learns(self) -> bool:
        return self.memory_mode == MemoryMode.ON

    @property
    def readable(self) -> str:
        return readable_text(self.text, self.gone)


def find(person: Person, passage_id: int) -> Said | None:
    values: dict[str, Any] = {"person": person.pk, "passage": passage_id, "deleted": Status.DELETED.value}
    with connection.cursor() as cursor:
        cursor.execute(_PASSAGE, values)
        row = cursor.fetchone()
    if row is None:
        return None
    *told, gone, rejected, is_before_a_deletion = row
    return Said._make([*told, _spans(gone), _spans(rejected), is_before_a_deletion])


def spoken(conversation_id: int, origins: Sequence[Origin]) -> str:
    """All texts of these origins in a conversation."""
    with connection.cursor() as cursor:
        cursor.execute(_OF_ORIGINS, {"conversation": conversation_id, "origins": [origin.value for origin in origins]})
        return "\n".join(text for (text,) in cursor.fetchall())


def typed_before(said: Said) -> str:
    """What the person typed in this message and before it, the newest first."""
    values: dict[str, Any] = {
        "conversation": said.conversation_id,
        "position": said.position,
        "typed": Origin.TYPED.value,
        "earlier": EARLIER_MESSAGES,
    }
    with connection.cursor() as cursor:
        cursor.execute(_TYPED_BEFORE, values)
        near = cursor.fetchall()
    return "\n".join(readable_text(text, _spans(gone)) for text, gone in near)[:CONTEXT_CHARACTERS]


def _spans(pairs: list[list[int]]) -> list[Span]:
    return [(start, end) for start, end in pairs]
