"""The arithmetic of recall: BM25 and cosines of units and their windows, made comparable and summed.

Each score is spread over 0 to 1 among the person's units and weighted. Measured on LoCoMo and on MemoryBank in Chinese,
this is five points better than merging by ranks, and the window alone is worth five to nine.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

type Floats = NDArray[np.float64]
type Integers = NDArray[np.int64]

K1, B = 1.2, 0.5
NEIGHBOURS = 2
_HELD_FOR_SURE = 0.8  # of a question's words in one unit, from which on words count in full
_FEW_IN_SCRIPT = 5  # units; so few are not known to be a kind of their own
UNIT_WORDS, WINDOW_WORDS, UNIT_VECTOR, WINDOW_VECTOR = 0.25, 0.25, 0.3, 0.2


@dataclass(frozen=True)
class Units:
    """All units of one person in order, with what a question has to do with each. Only the words of those that may
    matter were read: `read` are their places, ascending."""

    ids: Integers
    groups: Integers  # a window does not reach into another conversation
    lengths: Floats
    cosines: Floats  # not a number where there is no vector yet
    read: Integers
    weights: Floats  # of each word of the question in each unit that was read: words x read
    having: Floats  # how many units have each word

    @cached_property
    def has_vectors(self) -> bool:
        return not bool(np.isnan(self.cosines).all())

    @cached_property
    def far_cosine(self) -> float:
        """From here on a vector is nearer than most."""
        there = self.cosines[~np.isnan(self.cosines)]
        return float(there.mean() + there.std()) if len(there) > 1 else np.inf

    def everywhere(self, scores: Floats) -> Floats:
        """Scores of the units that were read, as scores of all; 0 elsewhere."""
        spread_out = np.zeros(len(self.ids))
        spread_out[self.read] = scores
        return spread_out

    def words_of(self, place: int) -> Floats:
        at = int(np.searchsorted(self.read, place))
        known = at < len(self.read) and self.read[at] == place
        return self.weights[:, at] if known else np.zeros(len(self.weights))


def unit_scores(units: Units) -> tuple[Floats, Floats]:
    """By words and by vector, each 0 to 1."""
    by_words = bm25(units.weights, units.lengths[units.read], units.lengths, units.having)
    return spread(units.everywhere(by_words)), spread(units.cosines)


def fused(units: Units, held: float = 1.0) -> Floats:
    """The four scores, summed. `held` is the share of the question's words that the best unit has: spread over 0 to 1,
    a poor best match looks as good as a full one, so its words, and what stands around it, count for less. That is so
    above all for a question in another language than the answer."""
    by_words, by_vector = unit_scores(units)
    sure = certainty(held) if units.has_vectors else 1.0
    return add_up(
        (UNIT_WORDS * sure, by_words),
        (WINDOW_WORDS * sure, spread(_window_words(units))),
        (UNIT_VECTOR, by_vector),
        (WINDOW_VECTOR * sure, spread(windowed_mean(units.cosines, units.groups))),
    )


def certainty(held: float) -> float:
    return min(1.0, held / _HELD_FOR_SURE)


def add_up(*weighted: tuple[float, Floats]) -> Floats:
    """The weighted mean of the scores that there are: a unit without a vector is judged by its words alone."""
    total = np.zeros_like(weighted[0][1])
    weight = np.zeros_like(total)
    for share, scores in weighted:
        there = ~np.isnan(scores)
        total[there] += share * scores[there]
        weight[there] += share
    return np.divide(total, weight, out=np.zeros_like(total), where=weight > 0)


def bm25(weights: Floats, lengths: Floats, all_lengths: Floats, having: Floats) -> Floats:
    """With the person's own statistics: how rare a word is among these units."""
    if not len(weights) or not len(lengths):
        return np.zeros(len(lengths))
    mean = all_lengths.mean() or 1.0
    saturated = weights * (K1 + 1) / (weights + K1 * (1 - B + B * lengths / mean))
    total: Floats = rarity(having, len(all_lengths)) @ saturated
    return total


def rarity(having: Floats, count: int) -> Floats:
    """How much it tells that a unit has each word: the fewer of `count` have it, the more."""
    rare: Floats = np.log(1 + (np.maximum(count - having, 0) + 0.5) / (having + 0.5))
    return rare


def best(scores: Floats, count: int) -> Integers:
    """The places of the `count` highest, best first; of equals, the first."""
    places = np.arange(len(scores))
    if count < len(scores):
        places = np.sort(np.argpartition(-scores, count - 1)[:count])
    return places[np.argsort(-scores[places], kind="stable")]


def spread(scores: Floats) -> Floats:
    """Minimum to 0, maximum to 1. All the same says nothing: 0. What is not a number stays so."""
    there = scores[~np.isnan(scores)]
    if not len(there):
        return scores
    low, high = there.min(), there.max()
    if high - low < 1e-9:
        return np.where(np.isnan(scores), scores, 0.0)
    return (scores - low) / (high - low)


def across_scripts(cosines: Floats, scripts: Integers) -> Floats:
    """An embedder puts texts of one language near each other whatever they say. Counted from the mean of their own
    script, an answer in another language than the question is not behind everything that is in the question's."""
    there = ~np.isnan(cosines)
    kinds = np.unique(scripts[there])
    if len(kinds) < 2:
        return cosines
    mean = cosines[there].mean()
    level = cosines.copy()
    for kind in kinds:
        of_kind = there & (scripts == kind)
        count = int(of_kind.sum())
        level[of_kind] -= (cosines[of_kind].mean() - mean) * count / (count + _FEW_IN_SCRIPT)
    return level


def windowed(values: Floats, groups: Integers) -> Floats:
    """Each unit's sum with its neighbours on each side in the same group."""
    total = values.copy()
    for distance in range(1, NEIGHBOURS + 1):
        same = groups[distance:] == groups[:-distance]
        total[distance:] += np.where(same, values[:-distance], 0)
        total[:-distance] += np.where(same, values[distance:], 0)
    return total


def windowed_mean(values: Floats, groups: Integers) -> Floats:
    """The mean over each unit's window of the values that there are. Of unit vectors' cosines it ranks as the cosine to
    the window's mean vector does, without a vector of its own to keep and to forget."""
    there = ~np.isnan(values)
    counts = windowed(there.astype(float), groups)
    sums = windowed(np.where(there, values, 0.0), groups)
    return np.divide(sums, counts, out=np.full_like(sums, np.nan), where=counts > 0)


def _window_words(units: Units) -> Floats:
    """BM25 of each unit together with its neighbours. Only windows with a unit that was read have any word."""
    count = len(units.ids)
    total = np.zeros(count)
    if not len(units.read) or not len(units.weights):
        return total
    steps = range(-NEIGHBOURS, NEIGHBOURS + 1)
    beside = np.zeros((len(steps), len(units.read)), dtype=bool)
    for n, step in enumerate(steps):
        place = units.read + step
        inside = (place >= 0) & (place < count)
        beside[n] = inside & (units.groups[place.clip(0, count - 1)] == units.groups[units.read])
    reached = np.zeros(count, dtype=bool)
    for n, step in enumerate(steps):
        reached[(units.read + step)[beside[n]]] = True
    windows = np.flatnonzero(reached)
    column = np.cumsum(reached) - 1
    weights = np.zeros((len(units.weights), len(windows)))
    for n, step in enumerate(steps):
        # No two units have the same window at the same distance, so nothing is added twice to one place.
        weights[:, column[(units.read + step)[beside[n]]]] += units.weights[:, beside[n]]
    lengths = windowed(units.lengths, units.groups)
    elsewhere = count * (1 - (1 - np.minimum(units.having / count, 1)) ** len(steps))
    counted = (weights > 0).sum(axis=1)
    complete = (units.weights > 0).sum(axis=1) >= units.having
    having = np.where(complete, counted, np.maximum(counted, elsewhere))
    total[windows] = bm25(weights, lengths[windows], lengths, having)
    return total
