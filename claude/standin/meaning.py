# ruff: noqa: E501
"""What a text is about: concepts of a general bilingual lexicon, and the words left over. Scripts are folded for matching only."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files

_HAN = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
HAN = re.compile(f"[{_HAN}]")
_RUN = re.compile(f"[{_HAN}]+|[a-z0-9][a-z0-9'._+#-]*")
_STOP_EN = frozenset(
    [
        "a",
        "an",
        "the",
        "i",
        "me",
        "my",
        "mine",
        "myself",
        "we",
        "us",
        "our",
        "ours",
        "you",
        "your",
        "yours",
        "he",
        "him",
        "his",
        "she",
        "her",
        "hers",
        "it",
        "its",
        "they",
        "them",
        "their",
        "this",
        "that",
        "these",
        "those",
        "is",
        "am",
        "are",
        "was",
        "were",
        "be",
        "been",
        "being",
        "do",
        "does",
        "did",
        "done",
        "doing",
        "have",
        "has",
        "had",
        "having",
        "will",
        "would",
        "can",
        "could",
        "shall",
        "should",
        "may",
        "might",
        "must",
        "to",
        "of",
        "in",
        "on",
        "at",
        "by",
        "for",
        "with",
        "from",
        "as",
        "into",
        "about",
        "and",
        "or",
        "but",
        "so",
        "if",
        "then",
        "than",
        "not",
        "no",
        "nor",
        "too",
        "very",
        "just",
        "also",
        "really",
        "which",
        "what",
        "who",
        "whom",
        "whose",
        "when",
        "where",
        "why",
        "how",
        "there",
        "here",
        "user",
        "user's",
        "assistant",
        "s",
        "t",
        "ll",
        "ve",
        "re",
        "d",
        "m",
        "please",
        "tell",
        "told",
        "mention",
        "mentioned",
        "say",
        "said",
        "remember",
        "know",
        "don't",
        "doesn't",
        "didn't",
        "isn't",
        "aren't",
        "won't",
        "can't",
        "now",
        "currently",
        "nowadays",
        "these",
        "days",
        "today",
        "again",
        "still",
        "already",
        "first",
        "any",
        "some",
        "all",
        "one",
        "two",
        "every",
        "each",
        "ever",
        "i'm",
        "i've",
        "i'd",
        "it's",
        "that's",
        "what's",
        "who's",
        "you're",
        "thing",
        "things",
        "get",
        "gets",
        "got",
        "go",
        "goes",
        "let",
        "lets",
        "more",
        "most",
        "much",
        "many",
        "kind",
        "type",
        "sort",
        "up",
        "out",
        "over",
        "me?",
        "now?",
        "exactly",
        "actually",
    ]
)
_STOP_ZH = [
    "使用者",
    "助理",
    "我們",
    "咱們",
    "我",
    "你們",
    "你",
    "您",
    "他們",
    "她們",
    "他",
    "她",
    "它",
    "的",
    "了",
    "嗎",
    "呢",
    "吧",
    "啊",
    "是不是",
    "是",
    "什麼時候",
    "什麼",
    "甚麼",
    "哪裡",
    "哪裏",
    "哪個",
    "哪一個",
    "哪一",
    "哪",
    "誰",
    "怎麼",
    "怎樣",
    "幾個",
    "幾",
    "多少",
    "在",
    "和",
    "跟",
    "與",
    "及",
    "也",
    "都",
    "就",
    "還",
    "又",
    "很",
    "最",
    "現在",
    "目前",
    "已經",
    "之前",
    "以前",
    "之後",
    "這",
    "那",
    "個",
    "隻",
    "位",
    "請",
    "告訴",
    "記得",
    "說過",
    "說",
    "提過",
    "有沒有",
    "曾經",
    "會",
    "要",
    "把",
    "給",
    "對",
    "到",
    "去",
    "來",
    "過",
    "上",
    "下",
    "裡",
    "一",
    "嗯",
    "喔",
    "哦",
    "呀",
    "從",
    "讓",
    "為",
    "於",
    "其",
    "而",
    "但",
    "或",
    "被",
    "地",
    "得",
    "著",
]


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
            phrase = " ".join(runs[index : index + length])
            if length > 1 and len(runs) - index < length:
                continue
            if found := english.get(phrase.rstrip(".'")) or (english.get(_singular(phrase)) if length == 1 else None):
                concepts |= found
                skip = length - 1
                break
        else:
            word = run.strip(".'-")
            if word and word not in _STOP_EN:
                words.add(stem(word))
    return Meaning(frozenset(concepts), frozenset(words))


def stem(word: str) -> str:
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
