# ruff: noqa: E501
"""What a text is about: concepts of a general bilingual lexicon, and the words left over. Scripts are folded for matching only."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files

from claude.standin.words import words as listed

_HAN = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
HAN = re.compile(f"[{_HAN}]")
_RUN = re.compile(f"[{_HAN}]+|[a-z0-9][a-z0-9'._+#-]*")
_STOP_EN = listed("stop")
_STOP_ZH = listed("stop_zh")


@dataclass(frozen=True)
class Meaning:
    concepts: frozenset[str]
    words: frozenset[str]

    @property
    def empty(self) -> bool:
        return not (self.concepts or self.words)

    def has(self, *groups: str) -> bool:
        return any(one == group or one.startswith(group + ".") for one in self.concepts for group in groups)

    def within(self, group: str) -> frozenset[str]:
        """The concepts of a group, the group's own name left out."""
        return frozenset(one for one in self.concepts if one.startswith(group + "."))


@lru_cache(maxsize=4096)
def fold(text: str) -> str:
    """NFKC, lower case, traditional to simplified."""
    return unicodedata.normalize("NFKC", text).lower().replace("\u2019", "'").translate(_simplified())


def is_chinese(text: str) -> bool:
    han = len(HAN.findall(text))
    latin = len(re.findall(r"[A-Za-z]{2,}", text))
    return han > 0 and han >= latin


def is_simplified(text: str) -> bool:
    """Holds characters that only Simplified writes, and none that only Traditional does."""
    table = _simplified()
    folded = sum(ord(char) in table for char in text)
    return folded == 0 and any(char in _only_simplified() for char in text)


def to_simplified(text: str) -> str:
    return text.translate(_simplified())


@lru_cache(maxsize=4096)
def meaning(text: str) -> Meaning:
    concepts: set[str] = set()
    words: set[str] = set()
    english, chinese, longest = _lexicon()
    runs = _RUN.findall(fold(text[:4000]))
    skip = 0
    for index, run in enumerate(runs):
        if HAN.match(run):
            _read_han(run, chinese, longest, concepts, words)
            continue
        if skip:
            skip -= 1
            continue
        for length in (4, 3, 2, 1):
            phrase = " ".join(runs[index : index + length]).rstrip(".'-")
            if length > 1 and len(runs) - index < length:
                continue
            if found := english.get(phrase) or (
                (english.get(_singular(phrase)) or english.get(_irregular().get(phrase, ""))) if length == 1 else None
            ):
                concepts |= found
                skip = length - 1
                break
        else:
            word = run.strip(".'-")
            if word and word not in _STOP_EN:
                words.add(stem(word))
    return Meaning(frozenset(concepts), frozenset(words))


def stem(word: str) -> str:
    word = _irregular().get(word, word)
    word = word.removesuffix("'s")
    for ending, left in (("ies", 4), ("ing", 4), ("ed", 4), ("es", 4), ("s", 3)):
        if word.endswith(ending) and len(word) > left + len(ending) - 2 and not word.endswith("ss"):
            root = word[: -len(ending)] + ("y" if ending == "ies" else "")
            if ending in ("ing", "ed") and len(root) > 3 and root[-1] == root[-2]:
                root = root[:-1]
            return root.removesuffix("e")
    return word.removesuffix("e") if len(word) > 3 else word


def _singular(word: str) -> str:
    word = word.removesuffix("'s")
    return word[:-1] if word.endswith("s") else word


def _read_han(run: str, lexicon: dict[str, frozenset[str]], longest: int, concepts: set[str], words: set[str]) -> None:
    stops = _stops()
    left, position = "", 0
    while position < len(run):
        for length in range(min(longest, len(run) - position), 0, -1):
            piece = run[position : position + length]
            if piece in lexicon:
                concepts |= lexicon[piece]
            elif piece not in stops:
                continue
            _keep(left, words)
            left = ""
            position += length
            break
        else:
            left += run[position]
            position += 1
    _keep(left, words)


def _keep(run: str, words: set[str]) -> None:
    """What no list knows: two characters at a time, or the one."""
    if len(run) == 1:
        words.add(run)
    words.update(run[index : index + 2] for index in range(len(run) - 1))


@cache
def _lexicon() -> tuple[dict[str, frozenset[str]], dict[str, frozenset[str]], int]:
    english: dict[str, set[str]] = {}
    chinese: dict[str, set[str]] = {}
    for line in (files("claude.standin") / "lexicon.txt").read_text(encoding="utf-8").splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        concept, in_english, in_chinese = (part.strip() for part in line.split("|"))
        for words, table in ((in_english, english), (in_chinese, chinese)):
            for word in words.split(","):
                if word.strip():
                    folded = fold(word.strip())
                    (table if HAN.search(folded) or table is english else english).setdefault(folded, set()).add(
                        concept
                    )
    frozen_en = {word: frozenset(found) for word, found in english.items()}
    frozen_zh = {word: frozenset(found) for word, found in chinese.items()}
    return frozen_en, frozen_zh, max(map(len, chinese))


def names_of(concept: str, *, chinese: bool) -> list[str]:
    """Words for a kind of things: one for each thing of it, or its own where there are none below it."""
    english, han, _ = _lexicon()
    kinds: dict[str, str] = {}
    own: list[str] = []
    for word, concepts in (han if chinese else english).items():
        for one in concepts:
            if one.startswith(concept + "."):
                kinds.setdefault(one, word)
            elif one == concept:
                own.append(word)
    return list({stem(word): word for word in reversed(list(kinds.values()) or own) if " " not in word}.values())[::-1]


@cache
def _irregular() -> dict[str, str]:
    return dict(pair.split(":", 1) for pair in listed("irregular"))


@cache
def _stops() -> frozenset[str]:
    return frozenset(fold(word) for word in _STOP_ZH)


@cache
def _simplified() -> dict[int, str]:
    text = (files("opencc") / "dictionary" / "TSCharacters.txt").read_text(encoding="utf-8")
    pairs = (line.split() for line in text.splitlines() if line.strip())
    return {ord(pair[0]): pair[1] for pair in pairs if len(pair) > 1 and len(pair[0]) == 1 and pair[0] != pair[1]}


@cache
def _only_simplified() -> frozenset[str]:
    text = (files("opencc") / "dictionary" / "STCharacters.txt").read_text(encoding="utf-8")
    pairs = (line.split() for line in text.splitlines() if line.strip())
    return frozenset(pair[0] for pair in pairs if len(pair) > 1 and pair[0] not in pair[1:])
