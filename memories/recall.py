"""Recall: the memories that a message calls for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import batched

import numpy as np

from claude.tokens import estimate_tokens
from memories import pool, relevance, words
from memories.candidates import exchange_units, memories_on, memory_units
from memories.models import Memory, Person, Status
from memories.pool import Pooled
from memories.question import Question
from memories.scoring import (
    UNIT_VECTOR,
    UNIT_WORDS,
    WINDOW_VECTOR,
    WINDOW_WORDS,
    Floats,
    Units,
    add_up,
    best,
    certainty,
    unit_scores,
)
from memories.wording import memory_line

_POOL = 100  # what is looked at closely, of what the first two scores put in front
# The boosts are bounded: together they move what fits about as well, and never lift what does not fit.
_DATED = 0.25  # for what happened, or was said, on the days asked for
_RECENT = 0.15  # for the newest, when the question is of now
_CONFIRMED = 0.03  # for what the person confirmed
_SAID_AGAIN = 0.03  # for what they said more than once
_UNSURE = 0.03  # off what is only inferred
_SAME_WORDS = 0.8  # shared words of two statements, past which one is enough


@dataclass(frozen=True)
class Recalled:
    memory: Memory
    score: float
    rank: int
    # Codes: words, meaning, around (what was said beside it), date, recent, past.
    why: tuple[str, ...]
    words: tuple[str, ...] = ()


def recall(
    person: Person,
    query: str,
    *,
    now: datetime,
    budget: int,
    include_past: bool = False,
    limit: int = 20,
    vectors: bool = True,
) -> list[Recalled]:
    """The active memories that fit the question, best first, within `budget` tokens; none when nothing fits.
    Superseded ones too when the question is of the past, or when asked for; their line says so."""
    asked = Question.read(query, person, now, vectors=vectors)
    ranked = [] if asked.is_blank else _ranked(person, asked, past=include_past or asked.of_before)
    chosen: list[Recalled] = []
    said: list[tuple[str, set[str]]] = []
    spent = 0
    for one, memory in _read(person, ranked, limit):
        if len(chosen) == limit or spent >= budget:
            break
        says = memory.status, set(words.tokens(memory.statement))
        if any(_is_the_same(says, other) for other in said):
            continue
        cost = estimate_tokens(memory_line(memory, person)) + 1
        if spent + cost <= budget:
            spent += cost
            said.append(says)
            chosen.append(Recalled(memory, one.score, len(chosen) + 1, one.why, one.words))
    return chosen


@dataclass(frozen=True)
class _Ranked:
    memory: Pooled
    score: float
    why: tuple[str, ...]
    words: tuple[str, ...]


def _ranked(person: Person, asked: Question, *, past: bool) -> list[_Ranked]:
    units = memory_units(person.pk, asked.words, asked.vector, asked.embedder)
    if not len(units.ids):
        return []
    by_words, by_vector = unit_scores(units)
    shares = relevance.shares(asked, units)
    relevant = relevance.relevant(shares, units)
    sure = certainty(float(shares.max())) if asked.vector is not None else 1.0
    first = add_up((UNIT_WORDS * sure, by_words), (UNIT_VECTOR, by_vector))
    places = _places(person, asked, units, first)
    found = pool.memories(person, list(places), past=past)
    if asked.days is None:
        found = found[:_POOL]
    if not found:
        return []
    at = np.array([places[memory.id] for memory in found])
    around_words, around_vector = _around(person, found, asked)
    scores = add_up(
        (UNIT_WORDS * sure, by_words[at]),
        (WINDOW_WORDS * sure, around_words),
        (UNIT_VECTOR, by_vector[at]),
        (WINDOW_VECTOR * sure, around_vector),
    )
    newest = _newness(found)
    on_days = np.array([asked.days is not None and pool.is_on(person, memory, asked.days) for memory in found])
    kept = relevance.kept(relevant[at], on_days)
    ranked: list[_Ranked] = []
    for n, memory in enumerate(found):
        on_day = bool(on_days[n])
        if not kept[n]:
            continue
        why = relevance.why(units, at[n], on_day=on_day, around=around_words[n] > 0.5)
        if memory.status == Status.SUPERSEDED:
            why = (*why, "past")
        if asked.of_now and newest[n] > 0.9:
            why = (*why, "recent")
        matched = tuple(word for word, weight in zip(asked.words, units.words_of(at[n]), strict=True) if weight > 0)
        boost = _boost(memory, asked, on_day=on_day, newness=float(newest[n]))
        ranked.append(_Ranked(memory, float(scores[n]) + boost, why, matched))
    return sorted(ranked, key=lambda one: (-one.score, one.memory.number))


def _places(person: Person, asked: Question, units: Units, first: Floats) -> dict[int, int]:
    """What the first two scores put in front, and what the index has of the days asked for: places by key."""
    places = best(first, _POOL * 2)
    if asked.days is not None:
        dated = np.flatnonzero(np.isin(units.ids, memories_on(person.pk, asked.day_words)))
        places = np.concatenate([places, np.setdiff1d(dated, places)])
    return {int(units.ids[place]): int(place) for place in places}


def _boost(memory: Pooled, asked: Question, *, on_day: bool, newness: float) -> float:
    boost = _DATED * on_day + _CONFIRMED * (memory.confirmed_at is not None) + _SAID_AGAIN * (memory.sources > 1)
    boost -= _UNSURE * (not memory.is_sure)
    return boost + _RECENT * newness * asked.of_now - _RECENT / 2 * newness * asked.of_before


def _read(person: Person, ranked: Sequence[_Ranked], limit: int) -> Iterator[tuple[_Ranked, Memory]]:
    """The memories themselves, as many at a time as will be wanted. One that went meanwhile is passed over."""
    for some in batched(ranked, limit + limit // 2, strict=False):
        rows = Memory.objects.of(person).in_bulk([one.memory.id for one in some])
        yield from ((one, rows[one.memory.id]) for one in some if one.memory.id in rows)


def _around(person: Person, found: Sequence[Pooled], asked: Question) -> tuple[Floats, Floats]:
    """The window of a memory is the exchange that it was said in, last: scores by words and by vector."""
    nothing = np.full(len(found), np.nan)
    said_in = sorted({memory.said_in for memory in found if memory.said_in is not None})
    if not said_in:
        return nothing, nothing
    units = exchange_units(person.pk, asked.words, asked.vector, asked.embedder, only=said_in)
    if not len(units.ids):
        return nothing, nothing
    by_words, by_vector = unit_scores(units)
    place = {int(message): n for n, message in enumerate(units.ids)}
    at = [place.get(memory.said_in or 0, -1) for memory in found]
    return (
        np.array([by_words[n] if n >= 0 else np.nan for n in at]),
        np.array([by_vector[n] if n >= 0 else np.nan for n in at]),
    )


def _newness(found: Sequence[Pooled]) -> Floats:
    """0 for the oldest to 1 for the newest, by rank: a year's silence does not count more than a day's."""
    order = np.argsort(np.argsort([memory.said_at.timestamp() for memory in found], kind="stable"), kind="stable")
    return np.asarray(order / max(len(found) - 1, 1), dtype=np.float64)


def _is_the_same(one: tuple[str, set[str]], other: tuple[str, set[str]]) -> bool:
    """Nearly the same words in the same status; another number makes another statement."""
    (status, ours), (others_status, theirs) = one, other
    if status != others_status or not ours or len(ours & theirs) / len(ours | theirs) < _SAME_WORDS:
        return False
    return not any(c.isdigit() for word in ours ^ theirs for c in word)
