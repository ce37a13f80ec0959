"""The memory list's search: the same words as recall's, as a filter, so that counts and pages agree with it."""

from __future__ import annotations

from django.db.models import Q

from memories import words
from memories.index import term_hash
from memories.models import Memory, Person
from memories.models.memory import MemoryQuerySet


def search(person: Person, query: str) -> MemoryQuerySet:
    """The person's memories with every word of `query`, or with it as it stands: a word being typed is half one."""
    query = query.replace("\x00", "").strip()[:200]
    kept = Memory.objects.of(person).kept()
    if not query:
        return kept
    as_typed = Q(statement__icontains=query.encode(errors="ignore").decode())
    if wanted := words.query_tokens(query):
        hashes = [term_hash(person.pk, word) for word in wanted]
        return kept.filter(Q(search_row__person=person, search_row__terms__contains=hashes) | as_typed)
    return kept.filter(as_typed)
