"""The injected block: what every conversation starts with. Composed fresh, never stored; the same memories give the
same bytes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.conf import settings

from claude.tokens import estimate_tokens
from memories.models import PREFERENCES, Category, Kind, Memory, Person
from memories.wording import memory_line

# What matters whatever the message is about: no search would find it.
_ALWAYS = (Category.STYLE, Category.PROFILE, Category.TASTE, Category.HEALTH, Category.PLACE, Category.ROUTINE)
_CONSIDERED = 400


@dataclass(frozen=True)
class Block:
    text: str
    memories: list[Memory]


def compose(person: Person, *, now: datetime, budget: int | None = None) -> Block:
    """Instructions first, then what the preference page rests on, then the newest; in the order of their numbers."""
    if not person.use_memories:
        return Block("", [])
    budget = settings.INJECTED_BLOCK_MAX_TOKENS if budget is None else budget
    chosen: list[Memory] = []
    spent = 0
    for memory in _in_order_of_need(person, now):
        cost = estimate_tokens(memory_line(memory, person)) + 1
        if spent + cost <= budget:
            chosen.append(memory)
            spent += cost
    chosen.sort(key=lambda memory: memory.number)
    return Block("\n".join(memory_line(memory, person) for memory in chosen), chosen)


def _in_order_of_need(person: Person, now: datetime) -> Iterable[Memory]:
    current = Memory.objects.of(person).active().filter(trusted=True)
    today = person.local(now).date()
    rows = list(current.filter(kind=Kind.PROCEDURAL).order_by("-said_at", "-number")[:_CONSIDERED])
    rows += current.filter(lines__page__person=person, lines__page__slug=PREFERENCES).order_by("-said_at", "-number")[
        :_CONSIDERED
    ]
    rows += current.filter(kind=Kind.SEMANTIC, category__in=_ALWAYS).order_by("-said_at", "-number")[:_CONSIDERED]
    rows += current.filter(kind=Kind.SEMANTIC).order_by("-said_at", "-number")[:_CONSIDERED]
    rows += current.filter(event_from__gte=today).order_by("event_from", "number")[:20]
    seen: set[int] = set()
    for memory in rows:
        passed = memory.event_until is not None and memory.event_until < today and not memory.lasting
        if memory.pk not in seen and not passed:
            seen.add(memory.pk)
            yield memory
