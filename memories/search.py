"""The memory list's search: the same words as recall's, as a filter, so that counts and pages agree with it."""

from __future__ import annotations

import re
from functools import reduce
from operator import and_

from django.db.models import Q

from memories import words
from memories.index import term_hash
from memories.models import Memory, Person
from memories.models.memory import MemoryQuerySet


def search(person: Person, query: str) -> MemoryQuerySet:
    """The person's memories with every word of `query`, or each piece as it stands: a word being typed is half one.
    A memory's number (m12) finds it."""
    query = query.replace("\x00", "").strip()[:200]
    kept = Memory.objects.of(person).kept()
    if not query:
        return kept
    if number := re.fullmatch(r"m(\d{1,9})", query, re.IGNORECASE):
        return kept.filter(number=int(number[1]))
    pieces = query.encode(errors="ignore").decode().split()
    as_typed = reduce(and_, (Q(statement__icontains=piece) for piece in pieces), Q())
    if wanted := words.query_tokens(query):
        hashes = [term_hash(person.pk, word) for word in wanted]
        return kept.filter(Q(search_row__person=person, search_row__terms__contains=hashes) | as_typed)
    return kept.filter(as_typed)
