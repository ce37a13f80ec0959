# ruff: noqa: E501  (lists of words read better in long lines)
"""A text's words for matching, in one place: for the index, for queries and for the memory list's search.

English is stemmed and loses its stop words; Chinese, Japanese, Korean and Thai become single characters and pairs of
neighbours; width, case, accents and traditional or simplified forms are folded; numbers, dates and identifiers stay whole.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from datetime import date
from functools import lru_cache
from importlib.resources import files

import snowballstemmer

_STOP = frozenset(
    [
        "a",
        "about",
        "am",
        "an",
        "and",
        "any",
        "are",
        "as",
        "at",
        "be",
        "been",
        "being",
        "but",
        "by",
        "can",
        "could",
        "d",
        "did",
        "do",
        "does",
        "doing",
        "for",
        "from",
        "had",
        "has",
        "have",
        "having",
        "he",
        "her",
        "hers",
        "him",
        "his",
        "how",
        "i",
        "if",
        "in",
        "into",
        "is",
        "it",
        "its",
        "just",
        "ll",
        "m",
        "me",
        "my",
        "of",
        "on",
        "or",
        "our",
        "ours",
        "re",
        "s",
        "she",
        "should",
        "so",
        "some",
        "such",
        "t",
        "than",
        "that",
        "the",
        "their",
        "theirs",
        "them",
        "then",
        "there",
        "these",
        "they",
        "this",
        "those",
        "to",
        "too",
        "ve",
        "very",
        "was",
        "we",
        "were",
        "what",
        "when",
        "where",
        "which",
        "while",
        "who",
        "whom",
        "why",
        "will",
        "with",
        "would",
        "you",
        "your",
        "yours",
        "dont",
        "didnt",
        "doesnt",
        "im",
        "ive",
        "youre",
        "thats",
    ]
)
_MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
_MONTH = r"(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"
_HAN_DIGITS = "〇一二三四五六七八九十"
_HAN_NUMBER = rf"([{_HAN_DIGITS}]{{1,3}}|\d{{1,2}})"

# Scripts that are written without spaces between words.
UNSPACED = r"\u0e00-\u0eff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u3130-\u318f\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\U00020000-\U0003ffff"
_SYMBOLS = r"\u2190-\u2bff\U0001f000-\U0001faff"
_PIECE = re.compile(
    rf"(?P<unspaced>[{UNSPACED}]+)"
    rf"|(?P<word>[^\W_{UNSPACED}]+(?:(?:[._/\-@:+'’]|::)[^\W_{UNSPACED}]+)*(?:\+\+|#)?)"
    rf"|(?P<symbol>[{_SYMBOLS}])"
)
_PARTS = re.compile(r"[^\W_]+")
_ISO = re.compile(r"(?<!\d)(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?!\d)")
_DAY_MONTH = re.compile(rf"(?<![a-z\d])(\d{{1,2}})(?:st|nd|rd|th)?(?:\s+of)?\s+{_MONTH}(?![a-z])")
_MONTH_DAY = re.compile(rf"(?<![a-z]){_MONTH}\.?\s+(\d{{1,2}})(?:st|nd|rd|th)?(?!\d)")
_HAN_DATE = re.compile(rf"{_HAN_NUMBER}\s*月\s*(?:{_HAN_NUMBER}\s*[日号號])?")
# Accents, and what Hebrew and Arabic may write above and below their letters, or between to stretch a word.
_MARKS = re.compile(r"[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1-\u05c7\u0640\u064b-\u065f\u0670]")
_stemmer = snowballstemmer.stemmer("english")


def tokens(text: str) -> list[str]:
    """The words of `text` for matching, in order, repeated as often as they stand there."""
    folded = fold(text)
    return [*_words(folded), *_date_tokens(folded)]


def query_tokens(text: str) -> list[str]:
    """The distinct words of a question. One of stop words alone keeps them: it may be all that was asked."""
    found = tokens(text)
    return list(dict.fromkeys(found)) or list(dict.fromkeys(_PARTS.findall(fold(text))))


def day_tokens(day: date) -> list[str]:
    """What a day adds to the words of something that happened or was said on it."""
    return [f"year:{day.year}", f"month:{day.month}", f"day:{day.month}-{day.day}"]


def tokens_of_days(first: date, last: date) -> list[str]:
    """The tokens of the days from `first` to `last`, or of their months when those are many; none when even they are."""
    length = (last - first).days
    if length <= 31:
        days = [date.fromordinal(first.toordinal() + n) for n in range(length + 1)]
        return [f"day:{day.month}-{day.day}" for day in days]
    months = (last.year - first.year) * 12 + last.month - first.month
    return [f"month:{(first.month - 1 + n) % 12 + 1}" for n in range(months + 1)] if months < 12 else []


def fold(text: str) -> str:
    """Width, case, accents, and Chinese variants made alike. For matching only, never shown."""
    folded = re.sub(r"(?<=\d),(?=\d{3}(?!\d))", "", unicodedata.normalize("NFKC", text).casefold())
    if not folded.isascii():
        decomposed = unicodedata.normalize("NFD", folded)
        folded = unicodedata.normalize("NFC", _MARKS.sub("", decomposed))
        folded = folded.translate(_simplify())
    return folded


def simplified(text: str) -> str:
    """Character by character, for matching only."""
    return text.translate(_simplify())


def script(text: str) -> int:
    """What most of a text is written in: 0 Latin, 1 Han alone, 2 Japanese, 3 Korean, 4 anything else."""
    letters = [c for c in text[:2_000] if c.isalpha()]
    han = sum("\u3400" <= c <= "\u9fff" or c >= "\U00020000" for c in letters)
    kana = sum("\u3040" <= c <= "\u30ff" for c in letters)
    hangul = sum("\uac00" <= c <= "\ud7a3" for c in letters)
    # A Latin word is as much said as one or two Han characters.
    latin = len(re.findall(r"[A-Za-z\u00c0-\u024f]+", text[:2_000])) * 1.5
    others = len(letters) - han - kana - hangul - sum(c <= "\u024f" for c in letters)
    if kana > han / 4:
        han, kana = 0, han + kana
    weighed = [latin, han, kana, hangul, others / 4]
    return weighed.index(max(weighed))


def _words(folded: str) -> Iterator[str]:
    for piece in _PIECE.finditer(folded):
        if run := piece["unspaced"]:
            yield from run
            yield from (run[i : i + 2] for i in range(len(run) - 1))
        elif word := piece["word"]:
            yield from _latin(word)
        else:
            yield piece["symbol"]


@lru_cache(maxsize=20_000)
def _latin(word: str) -> tuple[str, ...]:
    word = re.sub(r"['’](?:s|d|ll|re|ve|m|t)?$", "", word).replace("'", "").replace("’", "")
    parts = _PARTS.findall(word)
    whole = [word] if len(parts) > 1 or word.endswith(("+", "#")) else []
    return (*whole, *(_stem(part) for part in parts if part not in _STOP))


@lru_cache(maxsize=20_000)
def _stem(word: str) -> str:
    stemmed: str = _stemmer.stemWord(word) if word.isalpha() else word
    return stemmed


def _date_tokens(folded: str) -> Iterator[str]:
    """The same day said in either language gives the same tokens."""
    for year, month, day in _ISO.findall(folded):
        yield f"year:{int(year)}"
        yield from _month_day(int(month), int(day))
    for day, month in _DAY_MONTH.findall(folded):
        yield from _month_day(_MONTHS.index(month[:3]) + 1, int(day))
    for month, day in _MONTH_DAY.findall(folded):
        yield from _month_day(_MONTHS.index(month[:3]) + 1, int(day))
    for month, day in _HAN_DATE.findall(folded):
        yield from _month_day(han_number(month), han_number(day) if day else 0)
    if year_said := re.search(r"(?<!\d)(?:19|20)\d\d(?=\s*年|\b)", folded):
        yield f"year:{year_said[0]}"


def _month_day(month: int, day: int) -> Iterator[str]:
    if 1 <= month <= 12:
        yield f"month:{month}"
        if 1 <= day <= 31:
            yield f"day:{month}-{day}"


def han_number(written: str) -> int:
    """A number up to 99 as written in a date: 3, 十三, 二十, 〇. Zero where it is none."""
    if written.isdecimal():
        return int(written)
    tens, ten, ones = written.rpartition("十")
    if not ten:
        return max(_HAN_DIGITS.find(written), 0) if len(written) == 1 else 0
    return (_HAN_DIGITS.find(tens) if tens else 1) * 10 + (_HAN_DIGITS.find(ones) if ones else 0)


@lru_cache(maxsize=1)
def _simplify() -> dict[int, str]:
    """OpenCC's table from traditional to simplified, character by character."""
    table: dict[int, str] = {}
    for line in (files("opencc") / "dictionary" / "TSCharacters.txt").read_text(encoding="utf-8").splitlines():
        traditional, _, simplified = line.partition("\t")
        if len(traditional) == 1 and simplified:
            table[ord(traditional)] = simplified.split(" ")[0]
    return table
