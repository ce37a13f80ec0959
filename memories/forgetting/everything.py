"""What differs where all that is remembered goes: as many rows as a person has, so the database works on them as a
whole and none of their words are read into memory."""

from __future__ import annotations

from django.db import connection

from memories.models import Deletion, Passage, Person

_BURY = """
    INSERT INTO memories_tombstone (person_id, passage_id, deletion_id, start, "end")
    SELECT person_id, id, %(deletion)s, 0, char_length(text) FROM memories_passage
    WHERE person_id = %(person)s AND text <> ''
"""


def has_words(person: Person) -> bool:
    return Passage.objects.of(person).exclude(text="").exists()


def bury(deletion: Deletion) -> int:
    """A tombstone over each passage from its first character to its last. Returns how many."""
    with connection.cursor() as cursor:
        cursor.execute(_BURY, {"deletion": deletion.pk, "person": deletion.person_id})
        return int(cursor.rowcount)
