"""Reading typed passages in whichever of our languages they are written."""

from __future__ import annotations

from datetime import date

from claude.standin.chinese import reading as chinese
from claude.standin.english import reading as english
from claude.standin.meaning import is_chinese
from claude.standin.statements import Known, Statement


def read(text: str, said: date, known: Known | None = None) -> list[Statement]:
    """The statements of a person's own words, each quoted word for word."""
    known = known or Known()
    found = chinese.read(text, said, known) if is_chinese(text) else english.read(text, said, known)
    by_text = {one.text: one for one in reversed(found) if one.quote and one.quote in text}
    return list(reversed(by_text.values()))
