"""How long it takes to plan a deletion and to carry it out, for a person with much in store. Without model calls."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from functools import partial

from django.db import connection, transaction

from evals import recall_speed
from memories import forget, index
from memories.models import Memory, Person, Via


@dataclass(frozen=True)
class Times:
    """Seconds."""

    name: str
    median: float
    late: float


@contextmanager
def person_with(*, memories: int, passages: int, now: datetime) -> Iterator[Person]:
    """Somebody invented, gone at the end."""
    person = Person.objects.create(username=f"forgetting speed {now.timestamp()}", is_active=False)
    try:
        recall_speed.fill_person(person, memories=memories, passages=passages, now=now)
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE")
        yield person
    finally:
        forget.delete_account(person)


def one_at_a_time(person: Person, *, runs: int, now: datetime) -> list[Times]:
    """One memory among all, planned and carried out, again and again."""
    planned, carried, undone = [], [], []
    memories = list(Memory.objects.of(person).active().order_by("number")[: runs * 7 : 7])
    index.term_hash.cache_clear()
    for memory in memories:
        plan, seconds = _timed(partial(forget.plan, person, memories=[memory], now=now, ask_model=False))
        planned.append(seconds)
        deletion, seconds = _timed(partial(forget.carry_out, plan, now=now, via=Via.COMMAND))
        carried.append(seconds)
        _undone, seconds = _timed(partial(forget.undo, deletion, now=now))
        undone.append(seconds)
    return [_times("plan", planned), _times("carry out", carried), _times("undo", undone)]


def everything(person: Person, *, now: datetime) -> Iterator[Times]:
    plan, seconds = _timed(lambda: forget.plan_everything(person, now=now))
    yield Times("plan all", seconds, seconds)
    deletion, seconds = _timed(lambda: forget.carry_out(plan, now=now, via=Via.COMMAND, erase_words=True))
    yield Times("carry out all", seconds, seconds)
    _purged, seconds = _timed(lambda: forget.purge(deletion.pk, now=deletion.undo_until))
    yield Times("purge all, words erased", seconds, seconds)
    found, seconds = _timed(lambda: forget.verify([deletion], now=deletion.undo_until))
    yield Times("check all", seconds, seconds)
    if found:
        raise RuntimeError(f"{len(found)} findings after deleting everything.")


def _timed[T](work: Callable[[], T]) -> tuple[T, float]:
    began = time.perf_counter()
    with transaction.atomic():
        done = work()
    return done, time.perf_counter() - began


def _times(name: str, seconds: list[float]) -> Times:
    ordered = sorted(seconds)
    return Times(name, ordered[len(ordered) // 2], ordered[min(len(ordered) - 1, int(len(ordered) * 0.95))])
