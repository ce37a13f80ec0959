"""Whether words say what a memory says, judged by the words alone: shared names, and how much of it is there.

This finds what the model is then asked about, and decides where there is none. It knows grammar, not people: what marks
a name in English and in Chinese, which words are too common to tell anything.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import IntEnum
from functools import lru_cache
from typing import NamedTuple

from memories.forgetting.common_words import CALENDAR, COMMON, COMMON_HAN, KIN_HAN
from memories.words import fold, tokens

SAME_SHARE = 0.6
DOUBTFUL_SHARE = 0.4
ECHO_SHARE = 0.25
NAME_WEIGHT = 3.0


class Likeness(IntEnum):
    UNRELATED = 0
    DOUBTFUL = 1
    SAYS_IT = 2


@dataclass(frozen=True)
class Saying:
    """What is compared of a statement: its telling words, its names, its numbers."""

    terms: frozenset[str]
    names: frozenset[str]
    numbers: frozenset[str]

    @property
    def weight(self) -> float:
        return len(self.terms - self.names) + NAME_WEIGHT * len(self.names)


@lru_cache(maxsize=4_096)
def saying(text: str) -> Saying:
    terms = _said(text).telling
    return Saying(terms=terms, names=frozenset(_names(text)), numbers=_numbers(terms))


def sentences(text: str) -> Iterator[tuple[int, int]]:
    """The spans of the sentences in `text`, without the blanks around them."""
    for found in _SENTENCE.finditer(text):
        start, end = found.span()
        start += len(found[0]) - len(found[0].lstrip())
        end -= len(found[0]) - len(found[0].rstrip())
        if end > start:
            yield start, end


def compare(target: Saying, words: str, *, echo: bool = False, about: bool = False) -> Likeness:
    """How `words` relate to what `target` says.

    `echo`: they stand beside its evidence, or in a reply that was given the memory, so that less tells more.
    `about`: the whole subject goes, so that its name is enough.
    """
    said = _said(words)
    there = said.present
    shared_names = target.names & there
    shared = (target.terms - target.names) & there
    weight = len(shared) + NAME_WEIGHT * len(shared_names)
    if not weight:
        return Likeness.UNRELATED
    share = weight / max(target.weight, 1.0)
    if target.numbers and not target.numbers & there and _numbers(there):
        # Form 052 is not Form 053, however alike the rest is.
        return Likeness.DOUBTFUL if share >= SAME_SHARE else Likeness.UNRELATED
    # One word alone, be it a name, says it only where little else is said.
    alone = len(shared) + len(shared_names) < 2
    same = share >= SAME_SHARE and (not alone or len(said.telling) <= 2)
    echoed = echo and bool(shared_names or share >= ECHO_SHARE)
    if same or echoed or (about and shared_names):
        return Likeness.SAYS_IT
    if shared_names or share >= DOUBTFUL_SHARE:
        return Likeness.DOUBTFUL
    return Likeness.UNRELATED


# A sentence ends at a full stop that is followed by a blank, at its full-width kin, or at the end of the line.
_SENTENCE = re.compile(r"[^\n。!?!?;;.]*(?:\.(?!\s|$)[^\n。!?!?;;.]*)*(?:[。!?!?;;.…]+[\"'”’」』))]*|\n|$)")

# Characters of grammar and the commonest verbs: where one stands, a word ends.
_GRAMMAR = frozenset(
    "的了着过吗呢吧啊喔哦嘛呀我你您他她它们是在有和跟与或也都就还又很太更最不没别被把让给对从到向往为以于之其这那此每个只想要会能可说"
    "叫姓住去来做养吃喝用写买卖搬陪隻"
)
_PLACE_MARKS = frozenset("在到去往从住来搬")
_NAME_MARKS = frozenset("叫姓跟和与陪")

_CAPITAL = re.compile(r"(?<![\w'’])[A-Z][\w]*(?:[-'’][A-Z][\w]*)*")
OPENING_CHARACTERS = 40  # as far back as the end of the sentence before is looked for
_OPENS = re.compile(r"(?:^|[.!?。!?;;:\n]\s*|[\"“「『(]\s*)$")
# What precedes is looked at, so that a long run of letters is tried once and not from each of them.
_CODED = re.compile(r"(?<![\w.+-])[\w.+-]+@[\w-]+(?:\.[\w-]+)+|\b[A-Za-z]*\d[\w-]*\b|\b[a-z]+[A-Z]\w*|\b[A-Z]{2,}\b")
_WHEN = re.compile(r"(?:19|20)\d\d(?:-\d\d){0,2}|\d{1,2}(?:st|nd|rd|th)?")
_QUOTED = re.compile(r"[「『《“\"]([^「」『』《》“”\"]{2,24})[」』》”\"]")
_HAN_RUN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff]+")


class _Said(NamedTuple):
    telling: frozenset[str]
    # Generous where the telling words are strict: every character and pair of Chinese is there to be met.
    present: frozenset[str]


@lru_cache(maxsize=16_384)
def _said(text: str) -> _Said:
    words = tokens(text)
    telling = frozenset(_telling(text, words))
    return _Said(telling, telling.union(word for word in words if _HAN_RUN.fullmatch(word)))


def _telling(text: str, words: Iterable[str]) -> Iterator[str]:
    """The words that tell something: stems, identifiers, the Chinese left between grammar and common words."""
    for word in words:
        if not _HAN_RUN.fullmatch(word) and not _is_common(word) and (len(word) > 1 or not word.isascii()):
            yield word
    for run in _HAN_RUN.findall(fold(text)):
        for piece, _before, _last in _pieces(run):
            yield from _pairs(piece)


def _names(text: str) -> Iterator[str]:
    for found in _CAPITAL.finditer(text):
        word = found[0]
        if word.lower() in CALENDAR or word in {"I", "The", "User"} or _opens(text, found.start()):
            continue
        yield from _said(word).telling
    for found in _CODED.finditer(text):
        if _WHEN.fullmatch(found[0]):
            continue  # a year or a day names nothing: half of what is remembered bears it
        yield from (word for word in _said(found[0]).telling if len(word) > 1)
    for found in _QUOTED.finditer(text):
        yield from (word for word in _said(found[1]).telling if len(word) > 1)
    for run in _HAN_RUN.findall(fold(text)):
        for piece, before, last in _pieces(run):
            if len(piece) < 2:
                continue
            if before in _NAME_MARKS or before in KIN_HAN:
                # Nothing marks where a name ends: its first two characters are sure to belong to it.
                yield from _pairs(piece if len(piece) <= 3 else piece[:2])
            elif before in _PLACE_MARKS and len(piece) <= 3 and not (last and before == "在"):
                yield from _pairs(piece)


def _opens(text: str, at: int) -> bool:
    """Whether a sentence begins there: its capital says nothing."""
    return _OPENS.search(text[max(0, at - OPENING_CHARACTERS) : at]) is not None


def _pieces(run: str) -> Iterator[tuple[str, str, bool]]:
    """A run of folded Chinese cut at grammar and common words: the piece, what was before it, whether it ends it."""
    piece, before, at = "", "", 0
    while at < len(run):
        cut = next((n for n in (3, 2) if run[at : at + n] in COMMON_HAN or run[at : at + n] in KIN_HAN), 0)
        cut = cut or int(run[at] in _GRAMMAR)
        if not cut:
            piece += run[at]
            at += 1
            continue
        if piece:
            yield piece, before, False
            piece = ""
        before = run[at : at + cut]
        at += cut
    if piece:
        yield piece, before, True


def _pairs(piece: str) -> Iterator[str]:
    if len(piece) == 1:
        yield piece
    yield from (piece[i : i + 2] for i in range(len(piece) - 1))


def _is_common(word: str) -> bool:
    return word in COMMON or word.startswith(("year:", "month:", "day:"))


def _numbers(terms: frozenset[str]) -> frozenset[str]:
    return frozenset(
        term for term in terms if any(c.isdecimal() for c in term) and not term.startswith(("day:", "month:"))
    )
