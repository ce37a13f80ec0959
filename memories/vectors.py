"""Filling in the vectors of search rows. Recall works meanwhile, by words."""

from __future__ import annotations

from collections.abc import Sequence

from django.db.models import Count, Q

from memories import index
from memories.embedding import Embedder, embedder
from memories.models import ExchangeSearch, MemorySearch

_BATCH = 32
_PEOPLE = 200


def fill(person_id: int) -> int:
    """All rows of one person that lack a vector of the present embedder. Returns how many were made."""
    made = 0
    if (model := embedder()) is None:
        return made
    while rows := list(
        MemorySearch.objects.filter(_pending(model), person=person_id)
        .select_related("memory__person")
        .order_by("pk")[:_BATCH]
    ):
        made += _store(model, rows, [index.memory_to_embed(row.memory) for row in rows])
    while found := list(
        ExchangeSearch.objects.filter(_pending(model), person=person_id)
        .select_related("message__conversation", "message__person")
        .order_by("pk")[:_BATCH]
    ):
        made += _store(model, found, [index.exchange(row.message).to_embed() for row in found])
    return made


def people_with_pending() -> list[int]:
    model = embedder()
    if model is None:
        return []
    people: set[int] = set()
    for rows in (MemorySearch.objects, ExchangeSearch.objects):
        people.update(rows.filter(_pending(model)).values_list("person", flat=True).distinct()[:_PEOPLE])
    return sorted(people)


def count_by_embedder() -> dict[str, int]:
    """How many rows have a vector of each embedder; of none where the name is blank."""
    found: dict[str, int] = {}
    for rows in (MemorySearch.objects, ExchangeSearch.objects):
        for name, count in rows.values_list("embedder").annotate(Count("pk")).order_by():
            found[name] = found.get(name, 0) + count
    return found


def _pending(model: Embedder) -> Q:
    """In two ranges, which an index has: that nothing is pending is found without reading every row."""
    return Q(embedder__lt=model.name) | Q(embedder__gt=model.name)


def _store(model: Embedder, rows: Sequence[MemorySearch] | Sequence[ExchangeSearch], texts: Sequence[str]) -> int:
    """A row whose words changed since it was read keeps waiting: its vector would be of words that are gone."""
    made = 0
    for row, vector in zip(rows, model.passages(texts), strict=True):
        unchanged = type(row)._default_manager.filter(pk=row.pk, packed=bytes(row.packed))
        made += unchanged.update(vector=vector.tolist(), embedder=model.name)
    return made
