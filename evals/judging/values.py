"""The words of an answer, with its numbers, dates and weekdays as values: "seven", 7 and 七隻 say the same."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from memories.words import fold, han_number

_TEENS = [
    "ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
]  # fmt: skip
# "One" stands for a thing more often than for a number.
_ONES = dict(zip(["two", "three", "four", "five", "six", "seven", "eight", "nine", *_TEENS], range(2, 20), strict=True))
_TENS = dict(
    zip(["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"], range(20, 100, 10), strict=True)
)
_NUMBERS = {"zero": 0, "one": 1} | _ONES | _TENS
_MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
_MONTH = (
    "jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
    "|nov(?:ember)?|dec(?:ember)?"
)
_DAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
_HAN_DAYS = {char: n for n, char in enumerate("一二三四五六日")} | {"天": 6}
_HAN = "〇零一二两三四五六七八九十百"
# What is counted: without one of these, 一 and 三 may be parts of other words. (As `fold` writes them.)
_COUNTED = (
    "个只条张本位名岁天年月日号点分秒次回杯碗台辆部栋间层楼块元斤克米里度周小人倍页句行科门首篇封支枝双组件套匹头"
)
_TOKEN = re.compile(
    rf"""
    (?P<iso>(?<!\d)(?P<iso_y>(?:19|20)\d\d)[-/.](?P<iso_m>\d{{1,2}})[-/.](?P<iso_d>\d{{1,2}})(?!\d))
    |(?P<han>(?:(?P<han_y>(?:19|20)\d\d)\s*年\s*)?(?P<han_m>[{_HAN}]{{1,2}}|\d{{1,2}})\s*月
        (?:\s*(?P<han_d>[{_HAN}]{{1,3}}|\d{{1,2}})\s*[日号])?)
    |(?P<dm>(?<![a-z\d])(?:(?P<dm_d>\d{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+)?)?(?P<dm_m>{_MONTH})\b\.?
        (?:\s+(?P<dm_d2>\d{{1,2}})(?:st|nd|rd|th)?(?!\d))?(?:,?\s+(?P<dm_y>(?:19|20)\d\d)\b)?)
    |(?P<year>(?<!\d)(?:19|20)\d\d(?!\d)\s*年?)
    |(?P<day>\b(?:{"|".join(_DAYS)})s?\b)
    |(?:星期|礼拜|周)(?P<han_day>[一二三四五六日天])
    |(?P<number>\d+(?:\.\d+)?(?!\d|st\b|nd\b|rd\b|th\b))
    |(?P<words>\b(?:(?:{"|".join(_TENS)})(?:[-\s](?:one|{"|".join(_ONES)}))?|{"|".join(_ONES)}|zero)\b)
    |(?P<counted>[{_HAN}]{{1,4}})(?=\s*[{_COUNTED}])
    |(?P<break>[.;:!?,。;:!?,、\n]|\b(?:but|whereas|while)\b|[但而])
    |(?P<word>[^\W\d_\u3400-\u9fff]+(?:['’][^\W\d_\u3400-\u9fff]+)*)
    |(?P<char>[\u3400-\u9fff])
    """,
    re.VERBOSE,
)


class Kind(StrEnum):
    NUMBER = "number"
    DATE = "date"
    WEEKDAY = "weekday"


@dataclass(frozen=True)
class Value:
    kind: Kind
    # A number; a weekday counted from Monday; or year, month and day, of which some may not be said.
    parts: tuple[float | None, ...]

    def agrees(self, other: Value) -> bool | None:
        """None where the other says less than this one."""
        if self.kind != other.kind:
            return None
        both = [(mine, theirs) for mine, theirs in zip(self.parts, other.parts, strict=True) if mine is not None]
        if any(theirs is not None and mine != theirs for mine, theirs in both):
            return False
        return None if any(theirs is None for _, theirs in both) else True


@dataclass(frozen=True)
class Token:
    what: str | Value
    clause: int
    start: int
    end: int


def tokens(text: str) -> list[Token]:
    """Words, Han characters and values, in the clauses they stand in; articles left out."""
    return list(_tokens(fold(text)))


def _tokens(folded: str) -> Iterator[Token]:
    clause = 0
    for found in _TOKEN.finditer(folded):
        if found["break"]:
            clause += 1
            continue
        what = found["word"] or found["char"] or (found[0] if _is_no_month(found) else _value(found))
        if what not in {"the", "a", "an"}:
            yield Token(what, clause, *found.span())


def _is_no_month(found: re.Match[str]) -> bool:
    """Alone, "may", "march" and what is short for a month are other words as well."""
    alone = found["dm"] and not (found["dm_d"] or found["dm_d2"] or found["dm_y"])
    return bool(alone) and (found["dm"] in {"may", "march"} or len(found["dm"].rstrip(".")) < 5)


def _value(found: re.Match[str]) -> Value:
    if found["iso"]:
        return Value(Kind.DATE, (int(found["iso_y"]), int(found["iso_m"]), int(found["iso_d"])))
    if found["han"]:
        return Value(Kind.DATE, (_int(found["han_y"]), _han(found["han_m"]), _han(found["han_d"])))
    if found["dm"]:
        month = 1 + _MONTHS.index(found["dm_m"][:3])
        return Value(Kind.DATE, (_int(found["dm_y"]), month, _int(found["dm_d"] or found["dm_d2"])))
    if found["year"]:
        return Value(Kind.DATE, (int(found["year"][:4]), None, None))
    if found["day"]:
        return Value(Kind.WEEKDAY, (_DAYS.index(found["day"].removesuffix("s")),))
    if found["han_day"]:
        return Value(Kind.WEEKDAY, (_HAN_DAYS[found["han_day"]],))
    if found["number"]:
        return Value(Kind.NUMBER, (float(found["number"]),))
    if found["words"]:
        return Value(Kind.NUMBER, (sum(_NUMBERS[word] for word in re.split(r"[-\s]", found["words"])),))
    return Value(Kind.NUMBER, (_han(found["counted"]),))


def _int(written: str | None) -> int | None:
    return int(written) if written else None


def _han(written: str | None) -> int | None:
    """Up to 999, as 三, 十二, 兩百 or 一百二十 are written."""
    if not written:
        return None
    hundreds, hundred, rest = written.replace("两", "二").replace("零", "〇").rpartition("百")
    low = han_number(rest.lstrip("〇") or "〇")
    return (100 * (han_number(hundreds) or 1) if hundred else 0) + low
