"""Recall: the memories that a message calls for, and the places of the transcript that speak of something."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from functools import reduce
from itertools import batched
from operator import or_

import numpy as np
from django.db.models import Q
from numpy.typing import NDArray

from claude.tokens import estimate_tokens
from memories import days, words
from memories.candidates import exchange_units, memory_units
from memories.embedding import Vector, embedder
from memories.models import Evidence, Memory, Message, Origin, Passage, Person, Role, Status
from memories.question import asks_of_before, asks_of_now
from memories.reading import readable
from memories.scoring import (
    UNIT_VECTOR,
    UNIT_WORDS,
    WINDOW_VECTOR,
    WINDOW_WORDS,
    Floats,
    Units,
    add_up,
    certainty,
    fused,
    rarity,
    unit_scores,
    windowed,
)
from memories.wording import memory_line

_POOL = 100  # what is looked at closely, of what the first two scores put in front
_WORDS_READ = 100  # of a question; a pasted page is not one
_DATED = 0.25  # for what happened, or was said, on the days asked for
_RECENT = 0.15  # for the newest, when the question is of now
_CONFIRMED = 0.03
_SAME_WORDS = 0.8  # shared words of two statements, past which one is enough
_LEAST_SHARE = 0.15  # of the question's rare words; below it words alone call for nothing
_ONE_CHARACTER = 0.3  # what it tells, beside the pairs that it is part of
_FEW = 100  # units; fewer do not show which words are rare
_STANDS_OUT = 1.5  # standard deviations of the person's cosines


@dataclass(frozen=True)
class Recalled:
    memory: Memory
    score: float
    rank: int
    # Codes: words, meaning, around (what was said beside it), date, recent, past.
    why: tuple[str, ...]
    words: tuple[str, ...] = ()


@dataclass(frozen=True)
class FoundPassage:
    """One exchange that fits: the passage that fits best, and all passages of the exchange in order."""

    passage: Passage
    score: float
    rank: int
    why: tuple[str, ...]
    exchange: list[Passage] = field(default_factory=list)

    @property
    def said_at(self) -> datetime:
        return self.passage.message.said_at


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
    ranked = _ranked(person, query, now=now, past=include_past or asks_of_before(query), vectors=vectors)
    chosen: list[Recalled] = []
    said: list[tuple[str, set[str]]] = []
    spent = 0
    for memory, score, why, matched in ranked[:_POOL]:
        if len(chosen) == limit or spent >= budget:
            break
        says = memory.status, set(words.tokens(memory.statement))
        if any(_is_the_same(says, other) for other in said):
            continue
        cost = estimate_tokens(memory_line(memory, person)) + 1
        if spent + cost <= budget:
            spent += cost
            said.append(says)
            chosen.append(Recalled(memory, score, len(chosen) + 1, why, matched))
    return chosen


def search_passages(
    person: Person, query: str, *, now: datetime, limit: int = 10, vectors: bool = True
) -> list[FoundPassage]:
    """The exchanges of the person's transcripts that fit, best first. What was forgotten is not in them."""
    asked = _Question.read(query, person, now, vectors=vectors)
    if not asked.words and asked.vector is None:
        return []
    units = exchange_units(person.pk, asked.words, asked.vector, asked.embedder)
    if not len(units.ids):
        return []
    shares = _shares(asked, units)
    scores = fused(units, float(shares.max()))
    # What stands beside something that fits may be the answer to it.
    relevant = windowed(_relevant(shares, units).astype(np.float64), units.groups) > 0
    best = np.argsort(-scores, kind="stable")
    best = best[relevant[best]][:limit] if asked.days is None else best[: max(_POOL, limit)]
    messages = _exchanges(person, [int(units.ids[place]) for place in best])
    found: list[tuple[float, Message, tuple[str, ...]]] = []
    for place in best:
        message = messages.get(int(units.ids[place]))
        if message is None:
            continue
        on_day = asked.days is not None and _within(person.local(message.said_at).date(), asked.days)
        if not relevant[place] and not on_day:
            continue
        why = _why(units, place, on_day=on_day)
        found.append((float(scores[place]) + _DATED * on_day, message, why))
    found.sort(key=lambda one: (-one[0], -one[1].pk))
    passages = _passages(person, [message for _, message, _ in found[:limit]])
    readable_ones = [one for one in found[:limit] if passages[one[1].pk]]
    return [
        FoundPassage(_best_passage(asked, passages[message.pk]), score, rank, why, passages[message.pk])
        for rank, (score, message, why) in enumerate(readable_ones, start=1)
    ]


@dataclass(frozen=True)
class _Question:
    words: list[str]
    vector: Vector | None
    embedder: str
    days: days.Days | None

    @classmethod
    def read(cls, query: str, person: Person, now: datetime, *, vectors: bool) -> _Question:
        query = query[:10_000]
        model = embedder() if vectors and query.strip() else None
        return cls(
            words=words.query_tokens(query)[:_WORDS_READ],
            vector=model.query(query) if model else None,
            embedder=model.name if model else "",
            days=days.spoken_of(query, person.local(now).date()),
        )


type _Ranked = tuple[Memory, float, tuple[str, ...], tuple[str, ...]]


def _ranked(person: Person, query: str, *, now: datetime, past: bool, vectors: bool) -> list[_Ranked]:
    asked = _Question.read(query, person, now, vectors=vectors)
    if not asked.words and asked.vector is None:
        return []
    units = memory_units(person.pk, asked.words, asked.vector, asked.embedder)
    if not len(units.ids):
        return []
    by_words, by_vector = unit_scores(units)
    shares = _shares(asked, units)
    relevant = _relevant(shares, units)
    sure = certainty(float(shares.max())) if asked.vector is not None else 1.0
    first = add_up((UNIT_WORDS * sure, by_words), (UNIT_VECTOR, by_vector))
    places = {int(units.ids[place]): int(place) for place in np.argsort(-first, kind="stable")[: _POOL * 2]}
    if asked.days is not None:
        dated = _dated(person, asked.days)
        everywhere = {int(unit): place for place, unit in enumerate(units.ids)}
        places |= {pk: everywhere[pk] for pk in dated if pk in everywhere}
    pool = _memories(person, list(places), past=past)[:_POOL]
    if not pool:
        return []
    at = np.array([places[memory.pk] for memory in pool])
    around_words, around_vector = _around(person, pool, asked)
    scores = add_up(
        (UNIT_WORDS * sure, by_words[at]),
        (WINDOW_WORDS * sure, around_words),
        (UNIT_VECTOR, by_vector[at]),
        (WINDOW_VECTOR * sure, around_vector),
    )
    newest = _newness(pool)
    of_now, of_before = asks_of_now(query), asks_of_before(query)
    ranked: list[_Ranked] = []
    for n, memory in enumerate(pool):
        on_day = asked.days is not None and _on_days(person, memory, asked.days)
        if not relevant[at[n]] and not on_day:
            continue
        score = float(scores[n]) + _DATED * on_day + _CONFIRMED * (memory.confirmed_at is not None)
        score += _RECENT * newest[n] * of_now - _RECENT / 2 * newest[n] * of_before
        why = _why(units, at[n], on_day=on_day, around=around_words[n] > 0.5)
        if memory.status == Status.SUPERSEDED:
            why = (*why, "past")
        if of_now and newest[n] > 0.9:
            why = (*why, "recent")
        matched = tuple(word for word, weight in zip(asked.words, units.words_of(at[n]), strict=True) if weight > 0)
        ranked.append((memory, score, why, matched))
    ranked.sort(key=lambda one: (-one[1], one[0].number))
    return ranked


def _memories(person: Person, ids: Sequence[int], *, past: bool) -> list[Memory]:
    """What may be recalled of the found rows, as it stands now, in the order found."""
    statuses = [Status.ACTIVE, Status.SUPERSEDED] if past else [Status.ACTIVE]
    found: list[Memory] = []
    for some in batched(ids, _POOL, strict=False):
        rows = Memory.objects.of(person).filter(pk__in=some, status__in=statuses, trusted=True).in_bulk()
        found += [rows[pk] for pk in some if pk in rows]
        if len(found) >= _POOL:
            break
    return found


def _around(person: Person, pool: Sequence[Memory], asked: _Question) -> tuple[Floats, Floats]:
    """The window of a memory is the exchange that it was said in, last: scores by words and by vector."""
    said_in = dict(
        Evidence.objects.filter(
            memory__in=[memory.pk for memory in pool], memory__person=person, passage__person=person
        )
        .order_by("said_at", "pk")
        .values_list("memory", "passage__message")
    )
    nothing = np.full(len(pool), np.nan)
    if not said_in:
        return nothing, nothing
    units = exchange_units(person.pk, asked.words, asked.vector, asked.embedder, only=sorted(set(said_in.values())))
    if not len(units.ids):
        return nothing, nothing
    by_words, by_vector = unit_scores(units)
    place = {int(message): n for n, message in enumerate(units.ids)}
    at = [place.get(said_in.get(memory.pk, -1), -1) for memory in pool]
    return (
        np.array([by_words[n] if n >= 0 else np.nan for n in at]),
        np.array([by_vector[n] if n >= 0 else np.nan for n in at]),
    )


def _shares(asked: _Question, units: Units) -> Floats:
    """How much of the question's words each unit has, by how much they tell: 0 to 1."""
    alone = all(len(word) == 1 for word in asked.words)
    telling = np.array([1.0 if alone or len(word) > 1 else _ONE_CHARACTER for word in asked.words])
    rare = rarity(units.having, max(len(units.ids), _FEW)) * telling
    return units.everywhere((rare @ (units.weights > 0)) / (rare.sum() or 1.0))


def _relevant(shares: Floats, units: Units) -> NDArray[np.bool_]:
    """Above the floor: has enough of the question's words, or its vector stands out among the person's."""
    relevant: NDArray[np.bool_] = shares >= _LEAST_SHARE
    there = ~np.isnan(units.cosines)
    if there.sum() >= 2:
        cosines = units.cosines[there]
        deviation = cosines.std() or 1.0
        far = np.where(there, (units.cosines - cosines.mean()) / deviation, -np.inf)
        relevant = relevant | (far >= _STANDS_OUT)
    return relevant


def _why(units: Units, place: int, *, on_day: bool, around: bool = False) -> tuple[str, ...]:
    codes = {
        "words": bool((units.words_of(place) > 0).any()),
        "meaning": bool(units.cosines[place] >= units.far_cosine),
        "around": around,
        "date": on_day,
    }
    return tuple(code for code, holds in codes.items() if holds)


def _newness(pool: Sequence[Memory]) -> Floats:
    """0 for the oldest to 1 for the newest, by rank: a year's silence does not count more than a day's."""
    order = np.argsort(np.argsort([memory.said_at.timestamp() for memory in pool], kind="stable"), kind="stable")
    return np.asarray(order / max(len(pool) - 1, 1), dtype=np.float64)


def _dated(person: Person, asked: days.Days) -> list[int]:
    return list(
        Memory.objects.of(person)
        .filter(event_from__lte=asked[1], event_until__gte=asked[0])
        .values_list("pk", flat=True)[:_POOL]
    )


def _on_days(person: Person, memory: Memory, asked: days.Days) -> bool:
    if memory.event_from is not None:
        return memory.event_from <= asked[1] and (memory.event_until or memory.event_from) >= asked[0]
    return _within(person.local(memory.said_at).date(), asked)


def _within(day: date, asked: days.Days) -> bool:
    return asked[0] <= day <= asked[1]


def _is_the_same(one: tuple[str, set[str]], other: tuple[str, set[str]]) -> bool:
    """Nearly the same words in the same status; another number makes another statement."""
    (status, ours), (others_status, theirs) = one, other
    different = ours ^ theirs
    if status != others_status or not ours or any(c.isdigit() for word in different for c in word):
        return False
    return len(ours & theirs) / len(ours | theirs) >= _SAME_WORDS


def _exchanges(person: Person, ids: Sequence[int]) -> dict[int, Message]:
    return Message.objects.of(person).filter(pk__in=ids).select_related("conversation").in_bulk()


def _passages(person: Person, asked: Sequence[Message]) -> dict[int, list[Passage]]:
    """What may still be read of each exchange, in order, by the message that begins it."""
    if not asked:
        return {}
    places = {(message.conversation_id, message.position): message.pk for message in asked}
    found: dict[int, list[Passage]] = {message.pk: [] for message in asked}
    rows = (
        Passage.objects.of(person)
        .filter(
            reduce(
                or_,
                (
                    Q(message__conversation=conversation, message__position__in=[position, position + 1])
                    for conversation, position in places
                ),
            ),
            message__shown=True,
        )
        .select_related("message")
        .prefetch_related("tombstones")
        .order_by("message__position", "position")
    )
    for passage in rows:
        message = passage.message
        begins = places.get((message.conversation_id, message.position))
        if begins is None and message.role == Role.ASSISTANT:
            begins = places.get((message.conversation_id, message.position - 1))
        if begins is not None and readable(passage):
            found[begins].append(passage)
    return found


def _best_passage(asked: _Question, passages: Iterable[Passage]) -> Passage:
    """The one with most of the question's words; the person's own of equals."""
    wanted = set(asked.words)

    def fit(passage: Passage) -> tuple[int, bool]:
        return len(wanted & set(words.tokens(readable(passage)))), passage.origin == Origin.TYPED

    return max(passages, key=fit)
