"""Finding quoted words in the passage they are said to come from."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence

from memories.spans import Span, overlaps_any

# Marks at the ends of a quote that a model adds: quotation marks, dots, blanks.
_EDGES = " \t\n\r.,;:!?…。，、；：！？\"'“”‘’「」『』《》()（）[]"
_SMALLEST = 2  # letters; a shorter quote proves nothing, but for one Han character that is a whole passage


def locate(quote: str, text: str, gone: Iterable[Span] = ()) -> Span | None:
    """Where `quote` stands in `text`, or None. Exactly, else without regard to width, blanks, punctuation and case.
    A span that touches what was forgotten is not found; another place with the same words is."""
    gone = list(gone)
    return next((span for span in _places(quote, text) if not overlaps_any(span, gone)), None)


def stands_in_forgotten(quote: str, text: str, gone: Iterable[Span]) -> bool:
    """Whether the words are there, but under a tombstone."""
    gone = list(gone)
    return bool(gone) and any(overlaps_any(span, gone) for span in _places(quote, text))


def _places(quote: str, text: str) -> Iterable[Span]:
    exact = quote.strip()
    if not re.search(r"\w", exact) and not _is_symbol(exact):
        return
    start = text.find(exact)
    found_exactly = start >= 0
    while start >= 0:
        if _whole_words(text, start, start + len(exact)):
            yield start, start + len(exact)
        start = text.find(exact, start + 1)
    if found_exactly:
        return
    wanted, _ = _letters(exact.strip(_EDGES))
    letters, places = _letters(text)
    if len(wanted) < min(_SMALLEST, len(letters)):
        return
    start = letters.find(wanted)
    while start >= 0:
        span = places[start], _past_marks(text, places[start + len(wanted) - 1] + 1)
        if _whole_words(text, *span):
            yield span
        start = letters.find(wanted, start + 1)


def _letters(text: str) -> tuple[str, Sequence[int]]:
    """The letters, digits and symbols of `text`, folded, and where each stands."""
    letters: list[str] = []
    places: list[int] = []
    for place, character in enumerate(text):
        for folded in unicodedata.normalize("NFKD", character).casefold():
            if folded.isalnum() or _is_symbol(folded):
                letters.append(folded)
                places.append(place)
    return "".join(letters), places


def _past_marks(text: str, end: int) -> int:
    """Accents that stand as characters of their own belong to the letter before them."""
    while end < len(text) and unicodedata.category(text[end]) in {"Mn", "Me"}:
        end += 1
    return end


def _is_symbol(text: str) -> bool:
    return bool(text) and all(unicodedata.category(character) in {"So", "Sc", "Sm"} for character in text)


def _whole_words(text: str, start: int, end: int) -> bool:
    """Whether no Latin word or number is cut: "art" does not stand in "party", nor "4" in "14"."""
    return not (
        (start > 0 and _joined(text[start - 1], text[start])) or (end < len(text) and _joined(text[end - 1], text[end]))
    )


def _joined(left: str, right: str) -> bool:
    return left.isascii() and right.isascii() and left.isalnum() and right.isalnum()
