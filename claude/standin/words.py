"""The word lists of grammar that stand in `words.txt`."""

from __future__ import annotations

from functools import cache
from importlib.resources import files


def words(name: str) -> frozenset[str]:
    return _lists()[name]


@cache
def _lists() -> dict[str, frozenset[str]]:
    text = (files("claude.standin") / "words.txt").read_text(encoding="utf-8")
    parts = (part.split("]", 1) for part in text.split("[")[1:])
    return {name: frozenset(listed.split()) for name, listed in parts}
