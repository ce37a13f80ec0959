"""Spans of a passage's text: half-open, in characters."""

from __future__ import annotations

from collections.abc import Iterable

type Span = tuple[int, int]


def overlap(one: Span, other: Span) -> bool:
    return one[0] < other[1] and other[0] < one[1]


def overlaps_any(span: Span, others: Iterable[Span]) -> bool:
    return any(overlap(span, other) for other in others)
