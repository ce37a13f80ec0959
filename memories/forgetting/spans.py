"""Spans of passages, merged and subtracted."""

from __future__ import annotations

from collections.abc import Iterable

type Span = tuple[int, int]

# What stands in the place of each character that is gone.
BLANK = "\N{FULL BLOCK}"


def merged(spans: Iterable[Span]) -> list[Span]:
    whole: list[Span] = []
    for start, end in sorted(spans):
        if whole and start <= whole[-1][1]:
            whole[-1] = (whole[-1][0], max(whole[-1][1], end))
        else:
            whole.append((start, end))
    return whole


def covered(span: Span, by: Iterable[Span]) -> bool:
    """Whether `span` lies within the union of `by`."""
    return any(start <= span[0] and span[1] <= end for start, end in merged(by))


def touched(span: Span, by: Iterable[Span]) -> bool:
    return any(start < span[1] and span[0] < end for start, end in by)


def blanked(text: str, spans: Iterable[Span], blank: str = BLANK) -> str:
    """`text` with the spans blanked in place, so that all other spans keep their meaning."""
    for start, end in merged(spans):
        text = text[:start] + blank * (min(end, len(text)) - start) + text[end:]
    return text
