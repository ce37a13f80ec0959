"""Shares with their intervals, and the one table that is printed."""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

_Z = 1.959964  # 95 %


@dataclass(frozen=True)
class Share:
    """So many of so many."""

    hits: int
    of: int

    @property
    def value(self) -> float:
        return self.hits / self.of if self.of else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson's, at 95 %."""
        if not self.of:
            return 0.0, 1.0
        centre = (self.value + _Z**2 / (2 * self.of)) / (1 + _Z**2 / self.of)
        half = (
            _Z * math.sqrt(self.value * (1 - self.value) / self.of + _Z**2 / (4 * self.of**2)) / (1 + _Z**2 / self.of)
        )
        return max(0.0, centre - half), min(1.0, centre + half)

    def __str__(self) -> str:
        low, high = self.interval
        return f"{100 * self.value:5.1f} [{100 * low:3.0f}-{100 * high:3.0f}] {self.hits}/{self.of}" if self.of else "-"


def lines(heading: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """Columns as wide as what is in them; the first to the left, the rest to the right."""
    every = [heading, *rows]
    widths = [max(_width(row[column]) for row in every) for column in range(len(heading))]
    return [_line(row, widths) for row in every]


def _line(row: Sequence[str], widths: Sequence[int]) -> str:
    cells = enumerate(zip(row, widths, strict=True))
    return "  ".join(_pad(cell, width, left=column == 0) for column, (cell, width) in cells).rstrip()


def _pad(cell: str, width: int, *, left: bool) -> str:
    blank = " " * (width - _width(cell))
    return cell + blank if left else blank + cell


def _width(text: str) -> int:
    return sum(2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text)
