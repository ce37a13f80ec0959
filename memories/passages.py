"""The places of a person's transcripts that speak of something."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property

import numpy as np

from memories import pool, relevance, words
from memories.candidates import exchange_units, exchanges_on
from memories.models import Origin, Passage, Person
from memories.pool import Exchange
from memories.question import Question
from memories.reading import readable
from memories.scoring import best, fused, windowed

DATED = 0.25  # for what was said on the days asked for
_POOL = 100  # exchanges whose days are looked at


@dataclass(frozen=True)
class FoundPassage:
    """One exchange that fits, with all its passages in order."""

    score: float
    rank: int
    why: tuple[str, ...]
    exchange: list[Passage]
    wanted: frozenset[str] = field(default=frozenset(), repr=False)

    @property
    def said_at(self) -> datetime:
        return self.exchange[0].message.said_at

    @cached_property
    def passage(self) -> Passage:
        """The one with most of the question's words; the person's own of equals."""

        def fit(passage: Passage) -> tuple[int, bool]:
            return len(self.wanted & set(words.tokens(readable(passage)))), passage.origin == Origin.TYPED

        return max(self.exchange, key=fit)


def search_passages(
    person: Person, query: str, *, now: datetime, limit: int = 10, vectors: bool = True
) -> list[FoundPassage]:
    """The exchanges of the person's transcripts that fit, best first. What was forgotten is not in them."""
    asked = Question.read(query, person, now, vectors=vectors)
    if asked.is_blank:
        return []
    units = exchange_units(person.pk, asked.words, asked.vector, asked.embedder)
    if not len(units.ids):
        return []
    shares = relevance.shares(asked, units)
    scores = fused(units, float(shares.max()))
    # What stands beside something that fits may be the answer to it.
    relevant = windowed(relevance.relevant(shares, units).astype(np.float64), units.groups) > 0
    fits = np.flatnonzero(relevant)
    fits = fits[best(scores[fits], limit if asked.days is None else max(_POOL, limit))]
    places = {int(units.ids[place]): int(place) for place in fits}
    if asked.days is not None:
        dated = np.flatnonzero(np.isin(units.ids, exchanges_on(person.pk, asked.day_words)))
        places |= {int(units.ids[place]): int(place) for place in dated}
    exchanges = pool.exchanges(person, list(places))
    at = np.array([places[exchange.asked] for exchange in exchanges], dtype=np.int64)
    days = asked.days
    on_days = np.array([days is not None and pool.was_on(person, one.said_at, days) for one in exchanges], dtype=bool)
    found: list[tuple[float, Exchange, tuple[str, ...]]] = []
    for n in np.flatnonzero(relevance.kept(relevant[at], on_days)):
        on_day = bool(on_days[n])
        why = relevance.why(units, at[n], on_day=on_day)
        found.append((float(scores[at[n]]) + DATED * on_day, exchanges[n], why))
    found.sort(key=lambda one: (-one[0], -one[1].asked))
    passages = _passages(person, [exchange for _, exchange, _ in found[:limit]])
    wanted = frozenset(asked.words)
    return [
        FoundPassage(score, rank, why, passages[exchange.asked], wanted)
        for rank, (score, exchange, why) in enumerate((one for one in found[:limit] if passages[one[1].asked]), start=1)
    ]


def _passages(person: Person, exchanges: Sequence[Exchange]) -> dict[int, list[Passage]]:
    """What may still be read of each exchange, in order, by the message that begins it."""
    begins = {message: exchange.asked for exchange in exchanges for message in exchange.messages}
    found: dict[int, list[Passage]] = {exchange.asked: [] for exchange in exchanges}
    rows = (
        Passage.objects.of(person)
        .filter(message__in=list(begins))
        .select_related("message__conversation")
        .prefetch_related("tombstones")
        .order_by("message__position", "position")
    )
    for passage in rows:
        if readable(passage):
            found[begins[passage.message_id]].append(passage)
    return found
