"""People's words as staff see them: their shape, not the words."""

from __future__ import annotations

import re


def masked(text: str, shown: int = 60) -> str:
    """A row of dots in the shape of the text: as many words and of about the length, none of them readable."""
    dots = re.sub(r"\w", "•", re.sub(r"\s+", " ", text.strip()))
    return dots if len(dots) <= shown else dots[:shown] + "…"
