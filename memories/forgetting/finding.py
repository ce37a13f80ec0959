"""Where a memory may be said: by recall's own index of words, the person's in the query before anything is ranked."""

from __future__ import annotations

from collections.abc import Collection
from math import ceil

from django.db import connection
from django.db.models import Q

from memories import index
from memories.models import ExchangeSearch, Memory, Message, Person

_RANKED = """
    SELECT message_id FROM (
        SELECT message_id, (SELECT count(*) FROM unnest(terms) term WHERE term = ANY(%(terms)s)) AS shared
        FROM memories_exchangesearch WHERE person_id = %(person)s AND terms && %(terms)s
    ) counted WHERE shared >= %(least)s ORDER BY shared DESC, message_id DESC LIMIT %(limit)s
"""


def messages_with_any(person: Person, words: Collection[str], *, limit: int) -> set[int]:
    """Keys of the messages whose exchange holds any of `words`: for names, where each place counts."""
    if not words:
        return set()
    rows = ExchangeSearch.objects.filter(person=person, terms__overlap=_hashes(person, words))
    return _of_exchanges(rows.order_by("-message_id").values_list("message_id", flat=True)[:limit])


def messages_with_most(person: Person, words: Collection[str], *, share: float, limit: int) -> set[int]:
    """Keys of the messages whose exchange holds at least that share of `words`, those with the most first."""
    if not words:
        return set()
    asked: dict[str, list[int] | int] = {
        "terms": _hashes(person, words),
        "person": person.pk,
        "least": max(1, ceil(share * len(words))),
        "limit": limit,
    }
    with connection.cursor() as cursor:
        cursor.execute(_RANKED, asked)
        return _of_exchanges([row[0] for row in cursor.fetchall()])


def memories_with_any(person: Person, words: Collection[str], *, limit: int) -> list[Memory]:
    """Memories that hold any of `words`, the newest first."""
    if not words:
        return []
    rows = Memory.objects.of(person).kept().filter(search_row__terms__overlap=_hashes(person, words))
    return list(rows.order_by("-number")[:limit])


def _of_exchanges(asked: Collection[int]) -> set[int]:
    """An exchange is a message of the person and every attempt at a reply to it."""
    places = Message.objects.filter(pk__in=list(asked)).values_list("conversation_id", "position")
    beside = Q()
    for conversation, position in places:
        beside |= Q(conversation=conversation, position=position + 1)
    replies = Message.objects.filter(beside).values_list("pk", flat=True) if beside else ()
    return {*asked, *replies}


def _hashes(person: Person, words: Collection[str]) -> list[int]:
    return [index.term_hash(person.pk, word) for word in words]
