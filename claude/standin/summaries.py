"""Summaries and titles of a transcript, by its own words; what a text asks for is never done."""

from __future__ import annotations

import re

from claude.standin.meaning import HAN, is_chinese
from claude.standin.questions import is_question
from claude.standin.reading import read
from claude.standin.requests import Said

_WORDS = 150
_TITLE = 60
_GREETING = re.compile(
    r"^(?:(?:hi|hey|hello|good (?:morning|evening|afternoon)|早安|午安|晚安|你好|嗨|哈囉|謝謝|谢谢)[\s,，!！.。~]*)+",
    re.I,
)


def summary(said: list[Said], earlier: str = "") -> str:
    """What the person told and asked, in the third person, at most 150 words."""
    theirs = [one for one in said if one.role == "user" and one.origin == "typed"]
    if not theirs:
        return "Nothing was said yet."
    chinese = is_chinese("".join(one.text for one in theirs))
    told = [statement.text for one in theirs for statement in read(one.text, one.at.date())]
    asked = [_shorten(one.text, 60) for one in theirs if is_question(one.text)][-3:]
    parts = [earlier, *dict.fromkeys(told)] if earlier else list(dict.fromkeys(told))
    if asked:
        parts.append(("使用者問過：" if chinese else "The user asked: ") + ("；" if chinese else "; ").join(asked))
    if not parts:
        parts.append(("談到：" if chinese else "They talked about: ") + _shorten(theirs[0].text, 80))
    return _within("" if chinese else " ", parts)


def title(said: list[Said], text: str) -> str:
    """At most 60 characters, in the language of the first words."""
    first = next((one.text for one in said if one.role == "user" and one.text.strip()), text)
    bare = _GREETING.sub("", first.strip()).strip() or first.strip()
    line = re.split(r"[\n。！？!?]|\.(?=\s)", bare, maxsplit=1)[0].strip(" ,，;；:：.\"'「」")
    if HAN.search(line):
        return line[:24] or "…"
    return _shorten(line, _TITLE) or "…"


def first_sentences(text: str, count: int = 2) -> str:
    """The opening of a text, as it stands."""
    pieces = re.split(r"(?<=[。！？!?])|(?<=\.)\s+|\n+", text.strip()[:2000])
    kept = [piece.strip() for piece in pieces if piece and piece.strip()]
    return _shorten(" ".join(kept[:count]), 300)


def _within(glue: str, parts: list[str]) -> str:
    kept: list[str] = []
    size = 0
    for part in reversed(parts):
        size += len(HAN.findall(part)) or len(part.split())
        if size > _WORDS:
            break
        kept.append(part)
    return glue.join(reversed(kept)) or _shorten(parts[-1], 300)


def _shorten(text: str, length: int) -> str:
    text = re.sub(r"\s+", " ", text).strip()
    if len(text) <= length:
        return text
    cut = text[: length - 1]
    if " " in cut and not HAN.search(cut):
        cut = cut.rsplit(" ", 1)[0]
    return cut + "…"
