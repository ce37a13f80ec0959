"""The chain of a memory: what it replaced, what replaced it, and so on, both ways."""

from __future__ import annotations

from collections.abc import Collection

from django.db.models import Q

from memories.forgetting.plan import Why
from memories.models import Memory, Person


def chain(person: Person, asked: Collection[Memory]) -> dict[int, tuple[Memory, Why]]:
    """By key, the memories linked to `asked` by replacement, without `asked` themselves and without the deleted."""
    found: dict[int, tuple[Memory, Why]] = {}
    seen = {memory.pk for memory in asked}
    edge: list[Memory] = list(asked)
    while edge:
        keys = [memory.pk for memory in edge]
        later = {memory.superseded_by_id for memory in edge if memory.superseded_by_id}
        linked = Memory.objects.of(person).kept().filter(Q(superseded_by__in=keys) | Q(pk__in=later))
        edge = [memory for memory in linked if memory.pk not in seen]
        for memory in edge:
            seen.add(memory.pk)
            found[memory.pk] = (memory, Why.REPLACES if memory.pk in later else Why.REPLACED)
    return found
