"""Where a memory may be said: by recall's own index of words, the person's in the query before anything is ranked."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from math import ceil

from django.db import connection
from django.db.backends.utils import CursorWrapper
from pgvector import HalfVector

from memories import index
from memories.models import ExchangeSearch, Memory, MemorySearch, Person

_HOW_COMMON = """
    SELECT term, count(*) FROM (
        SELECT terms FROM memories_exchangesearch
        WHERE person_id = %(person)s ORDER BY conversation_id DESC, position DESC LIMIT %(sample)s
    ) newest, unnest(terms) term
    WHERE term = ANY(%(terms)s) GROUP BY term
"""
_RANKED = """
    SELECT message_id FROM (
        SELECT message_id, (SELECT count(*) FROM unnest(terms) term WHERE term = ANY(%(terms)s)) AS shared
        FROM memories_exchangesearch WHERE person_id = %(person)s AND terms && %(rare)s
    ) counted WHERE shared >= %(least)s ORDER BY shared DESC, message_id DESC LIMIT %(limit)s
"""
_REPLIES = """
    SELECT reply.id FROM memories_message asked
    JOIN memories_message reply
      ON reply.conversation_id = asked.conversation_id AND reply.position = asked.position + 1
    WHERE asked.id = ANY(%s)
"""
_MEANS = """
    WITH near AS (
        SELECT message_id, -(vector <#> %(vector)s::halfvec) AS cosine
        FROM memories_exchangesearch
        WHERE person_id = %(person)s AND embedder = %(embedder)s AND vector IS NOT NULL
    ), spread AS (SELECT avg(cosine) AS mean, nullif(stddev_pop(cosine), 0) AS deviation FROM near)
    SELECT message_id, (cosine - mean) / deviation FROM near, spread
    WHERE (cosine - mean) / deviation >= %(far)s ORDER BY cosine DESC LIMIT %(limit)s
"""
# Memories whose meaning is looked for, and how far a place must stand out among all that the person said.
MEANT = 5
STANDS_OUT = 3.0
# Exchanges that show how common a word is.
SAMPLE = 300


def messages_with_any(person: Person, words: Collection[str], *, limit: int) -> set[int]:
    """Keys of the messages whose exchange holds any of `words`: for names, where each place counts."""
    if not words:
        return set()
    rows = ExchangeSearch.objects.filter(person=person, terms__overlap=_hashes(person, words))
    return _of_exchanges(rows.order_by("-message_id").values_list("message_id", flat=True)[:limit])


def messages_with_most(person: Person, sayings: Sequence[Collection[str]], *, share: float, limit: int) -> set[int]:
    """Keys of the messages whose exchange holds at least that share of the words of one of `sayings`; for each, those
    with the most first."""
    found: set[int] = set()
    with connection.cursor() as cursor:
        common = _how_common(cursor, person, sayings)
        for words in sayings:
            terms = sorted(_hashes(person, words), key=lambda term: common.get(term, 0))
            least = max(1, ceil(share * len(terms)))
            # What holds so many of them holds one of the rarest, however few of the common ones are among these.
            rare = terms[: len(terms) - least + 1]
            asked: dict[str, list[int] | int] = {
                "terms": terms,
                "rare": rare,
                "person": person.pk,
                "least": least,
                "limit": limit,
            }
            cursor.execute(_RANKED, asked)
            found.update(row[0] for row in cursor.fetchall())
    return _of_exchanges(found)


def messages_that_mean(person: Person, memories: Sequence[Memory], *, limit: int) -> dict[int, float]:
    """Keys of messages whose exchange is nearest in meaning, and how far each stands out, in standard deviations.
    By the vectors that are stored: none is made here."""
    found: dict[int, float] = {}
    rows = MemorySearch.objects.filter(memory__in=[memory.pk for memory in memories], vector__isnull=False)
    for row in rows[:MEANT]:
        asked: dict[str, str | int | float] = {
            "person": person.pk,
            "vector": HalfVector(row.vector).to_text(),
            "embedder": row.embedder,
            "limit": limit,
            "far": STANDS_OUT,
        }
        with connection.cursor() as cursor:
            cursor.execute(_MEANS, asked)
            for message, far in cursor.fetchall():
                found[message] = max(far, found.get(message, 0.0))
    return found


def memories_with_any(person: Person, words: Collection[str], *, limit: int) -> list[Memory]:
    """Memories that hold any of `words`, the newest first."""
    if not words:
        return []
    rows = Memory.objects.of(person).kept().filter(search_row__terms__overlap=_hashes(person, words))
    return list(rows.order_by("-number")[:limit])


def _how_common(cursor: CursorWrapper, person: Person, sayings: Sequence[Collection[str]]) -> dict[int, int]:
    """In how many of the newest exchanges each word is. It only says where to look first; nothing is missed by it."""
    terms = _hashes(person, {word for words in sayings for word in words})
    cursor.execute(_HOW_COMMON, {"person": person.pk, "terms": terms, "sample": SAMPLE})
    return dict(cursor.fetchall())


def _of_exchanges(asked: Collection[int]) -> set[int]:
    """An exchange is a message of the person and every attempt at a reply to it."""
    if not asked:
        return set()
    with connection.cursor() as cursor:
        cursor.execute(_REPLIES, [list(asked)])
        return {*asked, *(row[0] for row in cursor.fetchall())}


def _hashes(person: Person, words: Collection[str]) -> list[int]:
    return [index.term_hash(person.pk, word) for word in words]
