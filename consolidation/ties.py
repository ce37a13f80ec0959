# ruff: noqa: E501  (lists of words read better in long lines)
"""Whether two statements can be about the same thing at all, by their words, in English and Chinese. It reads words and
not meaning, and so only ever makes a replacement ask the person first."""

from __future__ import annotations

import re
from enum import IntEnum

from memories import support
from memories.models import Category
from memories.words import fold, tokens

# What statements about a person are made of, and what many unrelated things are done with: no tie by itself.
_GENERIC = frozenset(
    tokens(
        "user users person people thing things something one two way kind lot like likes liked love loves loved hate hates"
        " hated dislike enjoy enjoys prefer prefers want wants wish need needs keep keeps kept own owns use uses used using"
        " know knows play plays go goes went get gets got make makes made take takes took see sees visit visits eat eats ate"
        " drink drinks buy buys bought read reads watch try tried think say said tell told call called name named new old"
        " good bad big small now again always never often usually sometimes every each day days week weeks month months year"
        " years time today currently also only more most not no yes plan plans start started stop stopped begin began"
        " favourite favorite assistant answer answers"
    )
)
_GENERIC_HAN = re.compile(
    fold(
        "使用者|用戶|助理|自己|喜歡|討厭|希望|想要|需要|習慣|經常|常常|總是|每次|每天|每週|每年|現在|目前|已經|之前|之後|以前|以後|最近|今天|昨天"
        "|明天|今年|去年|開始|不再|沒有|一個|一隻|一台|一些|東西|事情|時候|時間|可以|可能|應該|覺得|知道|計畫|打算|正在|偏好|回答"
    )
)
# Characters of grammar and of what many unrelated things are done with, as they are folded.
_GENERIC_CHARACTERS = frozenset(
    fold(
        "的了著過嗎呢吧啊我你您他她它們是在有和跟與或也都就還又很太更最不沒別被把讓給對從到向往為以於之其這那此每個各只想要會能說叫去來做用"
        "年月日天週周上下早晚中先再後一二三四五六七八九十兩些大小多少好人隻台件次點吃喝買看玩住賣改換"
    )
)
_HAN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff]")


class Tie(IntEnum):
    NONE = 0
    # The same category, and no word in common.
    CATEGORY = 1
    # A name, or a single character: may be chance.
    NAME = 2
    # A word that says what it is about.
    WORD = 3


def tie(new: str, old: str, *, categories: tuple[str, str] = ("", "")) -> Tie:
    """What a new saying (its statement and its quote) has in common with an older statement."""
    mine, theirs = _content(new), _content(old)
    named = _names(new) | _names(old)
    common = mine & theirs
    one, other = categories
    if one == other == Category.PEOPLE and not _share_a_phrase(new, old):
        # Chinese writes names like any other word; about people, a short one is most often who it is about.
        named |= {word for word in common if _HAN.search(word)}
    if any(len(word) > 1 and word not in named for word in common):
        return Tie.WORD
    if common:
        return Tie.NAME
    return Tie.CATEGORY if one == other and one not in {"", Category.OTHER, Category.EVENT} else Tie.NONE


def says_no_more(one: str, other: str) -> bool:
    """They speak of the same and of nothing else, whatever they say of it."""
    mine, theirs = _content(one), _content(other)
    return bool(mine) and mine == theirs


def _content(text: str) -> set[str]:
    bare = _GENERIC_HAN.sub(" ", fold(text))
    return {
        word
        for word in tokens(bare)
        if word not in _GENERIC and not (_HAN.search(word) and set(word) & _GENERIC_CHARACTERS) and not word.isdigit()
    }


def _share_a_phrase(one: str, other: str) -> bool:
    """Four characters in a row."""
    one, other = (_GENERIC_HAN.sub(" ", fold(text)) for text in (one, other))
    runs = (run[at : at + 4] for run in re.findall(rf"{_HAN.pattern}{{4,}}", one) for at in range(len(run) - 3))
    return any(run in other for run in runs)


def _names(text: str) -> set[str]:
    return {word for name in support.names(text) for word in tokens(name)}
