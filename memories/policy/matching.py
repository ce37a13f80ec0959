"""How the rules are written: boundaries of words that hold beside Chinese, and a text made plain before it is read."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

# Boundaries are spelled out: beside Chinese, `\b` finds none.
BEGIN = r"(?<![A-Za-z0-9])"
END = r"(?![A-Za-z0-9])"


def any_of(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(patterns), re.IGNORECASE)


# The patterns look some words ahead, so that long text is read a stretch at a time and takes time by its length only.
STRETCH, OVERLAP = 1_200, 300


def stretches(text: str) -> Iterator[str]:
    """The text made plain, in stretches that overlap."""
    text = plain(text)
    for start in range(0, max(len(text) - OVERLAP, 1), STRETCH - OVERLAP):
        yield text[start : start + STRETCH]


# Letters that look like Latin ones, so that a word spelt with them is still read.
_LOOKALIKES = str.maketrans(
    "аеорсухіѕјԁԛԝһкмтвАЕОРСУХІЅЈКМТВНοανιρτυκΑΒΕΗΙΚΜΝΟΡΤΥΧ",
    "aeopcyxisjdqwhkmtbAEOPCYXISJKMTBHoaviptukABEHIKMNOPTYX",
)


def plain(text: str) -> str:
    """Width, apostrophes, lookalikes and what does not show made plain."""
    text = unicodedata.normalize("NFKC", text).replace("’", "'")
    if text.isascii():
        return text
    shown = (c for c in text if unicodedata.category(c) not in {"Cf", "Mn"} and c not in "\u115f\u1160\u3164\uffa0")
    return "".join(shown).translate(_LOOKALIKES)
