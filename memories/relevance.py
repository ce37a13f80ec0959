"""The floor of recall, and why a unit is above it. "Nothing fits" is an answer."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from memories.question import Question
from memories.scoring import Floats, Units, rarity

_LEAST_SHARE = 0.15  # of the question's rare words; below it words alone call for nothing
_ONE_CHARACTER = 0.3  # what it tells, beside the pairs that it is part of
_FEW = 100  # units; fewer do not show which words are rare
_STANDS_OUT = 1.5  # standard deviations of the person's cosines


def shares(asked: Question, units: Units) -> Floats:
    """How much of the question's words each unit has, by how much they tell: 0 to 1."""
    alone = all(len(word) == 1 for word in asked.words)
    telling = np.array([1.0 if alone or len(word) > 1 else _ONE_CHARACTER for word in asked.words])
    rare = rarity(units.having, max(len(units.ids), _FEW)) * telling
    return units.everywhere((rare @ (units.weights > 0)) / (rare.sum() or 1.0))


def relevant(held: Floats, units: Units) -> NDArray[np.bool_]:
    """Above the floor: has enough of the question's words, or its vector stands out among the person's."""
    above: NDArray[np.bool_] = held >= _LEAST_SHARE
    there = ~np.isnan(units.cosines)
    if there.sum() >= 2:
        cosines = units.cosines[there]
        deviation = cosines.std() or 1.0
        far = np.where(there, (units.cosines - cosines.mean()) / deviation, -np.inf)
        above = above | (far >= _STANDS_OUT)
    return above


def kept(above: NDArray[np.bool_], on_days: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """What is above the floor. All of the days asked for is the answer only when nothing of them is above it: "what
    happened last week" asks for the week, "when did I meet Ann last week" does not."""
    return above if (above & on_days).any() else above | on_days


def why(units: Units, place: int, *, on_day: bool, around: bool = False) -> tuple[str, ...]:
    codes = {
        "words": bool((units.words_of(place) > 0).any()),
        "meaning": bool(units.cosines[place] >= units.far_cosine),
        "around": around,
        "date": on_day,
    }
    return tuple(code for code, holds in codes.items() if holds)
