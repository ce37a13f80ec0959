"""What a statement may be, and when two say the same."""

from __future__ import annotations

import re
import unicodedata

from memories import words

LONGEST = 600  # characters; one statement is a sentence or two

_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")
_NOT = re.compile(r"not|n't|never|no longer|stopped|without|不|沒|没|無|无|別|别|未|非", re.IGNORECASE)


def is_storable(text: str) -> bool:
    return not _UNSTORABLE.search(text)


def tidy(statement: str) -> str:
    """One line, without what does not print."""
    printable = "".join(c for c in statement if unicodedata.category(c) not in {"Cc", "Cf"} or c in "\n\t\u200d")
    return re.sub(r"\s+", " ", printable).strip()


def alike(one: str, other: str) -> bool:
    """The same but for width, case, punctuation, variants and function words. Different numbers, names or a "not" keep
    two statements apart, however long the rest."""
    if _letters(one) == _letters(other):
        return True
    return bool(_content(one)) and _content(one) == _content(other) and _negations(one) == _negations(other)


def _letters(text: str) -> str:
    return re.sub(r"[\W_]+", "", words.fold(text))


def _content(text: str) -> tuple[str, ...]:
    """The words that carry it, in order: order tells "Ann minds Bo" from "Bo minds Ann"."""
    return tuple(words.tokens(text))


def _negations(text: str) -> int:
    return len(_NOT.findall(text))
