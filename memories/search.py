"""The memory list's search: the same words as recall's, as a filter, so that counts and pages agree with it."""

from __future__ import annotations

import re
from functools import reduce
from operator import and_

from django.db.models import Q

from memories import matching, words
from memories.index import term_hash
from memories.models import Memory, Person
from memories.models.memory import MemoryQuerySet
from memories.spans import Span


def search(person: Person, query: str) -> MemoryQuerySet:
    """The person's memories with every word of `query`, or each piece as it stands: a word being typed is half one.
    A memory's number (m12) finds it."""
    query = query.replace("\x00", "").strip()[:200]
    kept = Memory.objects.of(person).kept()
    if not query:
        return kept
    if number := is_number(query):
        return kept.filter(number=int(number[1]))
    pieces = _pieces(query)
    as_typed = reduce(and_, (Q(statement__icontains=piece) for piece in pieces), Q())
    if wanted := words.query_tokens(query):
        hashes = [term_hash(person.pk, word) for word in wanted]
        return kept.filter(Q(search_row__person=person, search_row__terms__contains=hashes) | as_typed)
    return kept.filter(as_typed)


def matched(statement: str, query: str) -> list[Span]:
    """Where the statement has what was asked for: its words, or the pieces as they were typed."""
    spans = matching.matched(statement, words.query_tokens(query))
    if spans:
        return spans
    folded = statement.lower()
    if len(folded) != len(statement):
        return []
    found: list[Span] = []
    for start, end in sorted(
        (at, at + len(piece)) for piece in _pieces(query) if (at := folded.find(piece.lower())) >= 0
    ):
        if not found or start >= found[-1][1]:
            found.append((start, end))
    return found


def is_number(query: str) -> re.Match[str] | None:
    return re.fullmatch(r"m(\d{1,9})", query.strip(), re.IGNORECASE)


def _pieces(query: str) -> list[str]:
    return query.encode(errors="ignore").decode().split()
