"""Patterns that hold in both scripts: matched over simplified text, giving back the words as they were written."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from claude.standin.meaning import to_simplified


@dataclass(frozen=True)
class Found:
    text: str
    match: re.Match[str]

    def __getitem__(self, group: int | str) -> str:
        start, end = self.match.span(group)
        return self.text[start:end] if start >= 0 else ""

    def start(self, group: int | str = 0) -> int:
        return self.match.start(group)

    def end(self, group: int | str = 0) -> int:
        return self.match.end(group)


class Han:
    def __init__(self, pattern: str) -> None:
        self._pattern = re.compile(to_simplified(pattern))

    def search(self, text: str) -> Found | None:
        found = self._pattern.search(_plain(text))
        return Found(text, found) if found else None

    def match(self, text: str) -> Found | None:
        found = self._pattern.match(_plain(text))
        return Found(text, found) if found else None


@lru_cache(maxsize=512)
def _plain(text: str) -> str:
    """As long as the text itself: one character stands for one."""
    return to_simplified(text)
