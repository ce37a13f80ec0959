"""The injected block: what every conversation starts with. Composed fresh, never stored; the same memories give the
same bytes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from itertools import chain

from django.conf import settings

from claude.tokens import estimate_tokens
from memories.models import PREFERENCES, Category, Kind, Memory, Person
from memories.wording import memory_line

# What matters whatever the message is about: no search would find it.
_ALWAYS = (Category.STYLE, Category.PROFILE, Category.TASTE, Category.HEALTH, Category.PLACE, Category.ROUTINE)
_CONSIDERED = 400
_SHORTEST = 11  # tokens; no line has fewer


@dataclass(frozen=True)
class Block:
    text: str
    memories: list[Memory]


def compose(person: Person, *, now: datetime, budget: int | None = None) -> Block:
    """Instructions first, then what the preference page rests on, then the newest; in the order of their numbers."""
    if not person.use_memories:
        return Block("", [])
    budget = settings.INJECTED_BLOCK_MAX_TOKENS if budget is None else budget
    chosen: list[tuple[Memory, str]] = []
    room = budget
    for memory in _in_order_of_need(person, now):
        line = memory_line(memory, person)
        cost = estimate_tokens(line) + 1
        if cost <= room:
            chosen.append((memory, line))
            room -= cost
        if room < _SHORTEST:
            break
    chosen.sort(key=lambda one: one[0].number)
    return Block("\n".join(line for _, line in chosen), [memory for memory, _ in chosen])


def _in_order_of_need(person: Person, now: datetime) -> Iterator[Memory]:
    """One kind after the other, each read only when there is room after those before it."""
    current = Memory.objects.of(person).active().filter(trusted=True)
    today = person.local(now).date()
    newest = current.order_by("-said_at", "-number")
    facts = newest.filter(kind=Kind.SEMANTIC)
    rows = chain(
        newest.filter(kind=Kind.PROCEDURAL)[:_CONSIDERED],
        newest.filter(lines__page__person=person, lines__page__slug=PREFERENCES)[:_CONSIDERED],
        facts.filter(category__in=_ALWAYS)[:_CONSIDERED],
        facts.exclude(category__in=_ALWAYS)[:_CONSIDERED],
        current.filter(event_from__gte=today).order_by("event_from", "number")[:20],
    )
    seen: set[int] = set()
    for memory in rows:
        passed = memory.event_until is not None and memory.event_until < today and not memory.lasting
        if memory.pk not in seen and not passed:
            seen.add(memory.pk)
            yield memory
