# ruff: noqa: E501
"""What two memories say only together: a day counted from another's, and where the thing is that something lies in."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, timedelta

from claude.standin.meaning import fold, is_chinese, meaning
from claude.standin.requests import MemoryLine

_NUMBERS = {
    "a": 1, "the": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "ten": 10,
    "一": 1, "两": 2, "二": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7, "八": 8, "九": 9, "十": 10,
}  # fmt: skip
_COUNTED_EN = re.compile(
    rf"\b(?P<count>\d{{1,3}}|{'|'.join(one for one in _NUMBERS if one.isascii())}) (?P<unit>day|week)s? (?P<side>before|after) (?P<what>[^,;.]+)"
)
_COUNTED_ZH = re.compile(
    r"(?P<what>[^，。；]+?)(?:的)?(?P<side>前|后)(?:的)?(?P<count>\d{1,3}|[一二两三四五六七八九十])(?:个)?(?P<unit>天|日|周|星期|礼拜)"
)
_LIES_IN_EN = re.compile(r"\b(?:in|on|under|behind|inside) (?:the user's |the |an? )?(?P<what>[a-z][\w -]*?)\.?$")
_LIES_IN_ZH = re.compile(
    r"(?:收|放|藏|摆|存|挂|停)?(?:在|到|进)(?P<what>[^，。]{1,10}?)(?:里|中|上|下|内)?[面头边]?。?$"
)
_PUT_EN = re.compile(
    r"\b(?:moved|put|took|brought|carried) (?:the user's |the |an? )?(?P<what>[\w -]+?) (?:to|into|in|onto|up to) "
)
_PUT_ZH = re.compile(r"[把将](?P<what>[^，。]{1,10}?)(?:搬|移|放|收|拿|换)(?:到|进|在|去)")


@dataclass(frozen=True)
class Counted:
    day: date
    of: MemoryLine  # from whose day it is counted


def counted(line: MemoryLine, lines: list[MemoryLine]) -> Counted | None:
    """The day of "two days before the wedding", where another line dates the wedding."""
    found = (_COUNTED_ZH if is_chinese(line.statement) else _COUNTED_EN).search(fold(line.statement))
    if not found:
        return None
    count = int(found["count"]) if found["count"].isdecimal() else _NUMBERS[found["count"]]
    days = count * (1 if found["unit"] in ("day", "天", "日") else 7)
    about = meaning(found["what"])
    what = about.words | {one for one in about.concepts if not one.startswith("kin")}
    dated = [
        (len(what & (meaning(other.statement).words | meaning(other.statement).concepts)), other)
        for other in lines
        if other.event_from and other.event_from == other.event_until and other.id != line.id and not other.past
    ]
    most, of = max(dated, key=lambda one: one[0], default=(0, None))
    if not of or not of.event_from or not most:
        return None
    return Counted(of.event_from + timedelta(days=-days if found["side"] in ("before", "前") else days), of)


def whereabouts(line: MemoryLine, lines: list[MemoryLine]) -> list[MemoryLine]:
    """The lines that tell, one from the next, where the thing is in which this one lies."""
    told = [line]
    while step := _put(told[-1], [other for other in lines if other not in told]):
        told.append(step)
    return told


def _put(line: MemoryLine, lines: list[MemoryLine]) -> MemoryLine | None:
    chinese = is_chinese(line.statement)
    holder = (_LIES_IN_ZH if chinese else _LIES_IN_EN).search(fold(line.statement))
    if not holder:
        return None
    for other in sorted(lines, key=lambda one: (one.said or date.min, one.id), reverse=True):
        put = (_PUT_ZH if is_chinese(other.statement) else _PUT_EN).search(fold(other.statement))
        if put and not other.past and put["what"].strip() == holder["what"].strip():
            return other
    return None
