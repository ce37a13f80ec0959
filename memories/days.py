# ruff: noqa: E501  (lists of words read better in long lines)
"""Days that a question speaks of, on the person's calendar: "last week", 「上個月」, "13 July 2024". Never wider than said,
and never an error."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, timedelta

from memories.words import han_number

type Days = tuple[date, date]  # both included

_MONTH_NAMES = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
_MONTH = r"(?P<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)"
_WEEKDAYS = {
    **{
        name: n for n, name in enumerate(("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"))
    },
    **{name: n for n, name in enumerate("一二三四五六日")},
    "天": 6,
}
_SEASONS = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12, "春": 3, "夏": 6, "秋": 9, "冬": 12}
_NUMBERS = {"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10, "couple of": 2, "兩": 2, "两": 2}  # fmt: skip
_NUMBER = r"(?P<n>\d{1,3}|an?|one|two|three|four|five|six|seven|eight|nine|ten|couple of)"
_HAN = r"(?P<n>\d{1,3}|[一二三四五六七八九十兩两]{1,3})"
_L, _R = r"(?<![a-z0-9])", r"(?![a-z0-9])"
_PATTERNS: list[tuple[str, re.Pattern[str]]] = [
    (kind, re.compile(pattern, re.IGNORECASE))
    for kind, pattern in (
        ("iso", r"(?<!\d)(?P<year>\d{4})[-/.年]\s*(?P<m>\d{1,2})[-/.月]\s*(?P<day>\d{1,2})(?!\d)"),
        ("day", _L + r"(?P<day>\d{1,2})(?:st|nd|rd|th)?(?: of)? " + _MONTH + r"\.?,?(?: (?P<year>\d{4}))?" + _R),
        ("day", _L + _MONTH + r"\.? (?:the )?(?P<day>\d{1,2})(?:st|nd|rd|th)?(?:,? (?P<year>\d{4}))?" + _R),
        ("han", r"(?:(?P<year>\d{4})年|(?P<ago>今年|去年|前年))?\s*(?P<m>\d{1,2}|[一二三四五六七八九十]{1,3})月\s*(?P<day>\d{1,2}|[一二三四五六七八九十]{1,3})[日號号]"),
        ("han_month", r"(?:(?P<year>\d{4})年|(?P<ago>今年|去年|前年))?\s*(?P<m>\d{1,2}|[一二三四五六七八九十]{1,3})月(?:份|裡|里|的時候|的时候)?(?![\d一二三四五六七八九十])"),
        ("month", r"(?<![a-z])(?:in|during|of|since|last|this) " + _MONTH + r",?(?: (?:of )?(?P<year>\d{4}))?" + _R),
        ("month", _L + _MONTH + r",? (?P<year>\d{4})" + _R),
        ("year", r"(?<![a-z])(?:in|during|of|since) (?P<year>(?:19|20)\d\d)" + _R + r"|(?<!\d)(?P<year2>(?:19|20)\d\d)年(?!\s*[\d一二三四五六七八九十]+月)"),
        ("season", _L + r"(?P<which>last|this|next) (?P<season>spring|summer|autumn|fall|winter)" + _R),
        ("season", _L + r"(?P<season>spring|summer|autumn|fall|winter),? (?:of )?(?P<year>(?:19|20)\d\d)" + _R),
        ("season", r"(?:(?P<year>(?:19|20)\d\d)年|(?P<ago>今年|去年|前年))的?(?P<season>[春夏秋冬])"),
        ("weekday", _L + r"(?:last|on|this past|this) (?P<weekday>monday|tuesday|wednesday|thursday|friday|saturday|sunday)" + _R),
        ("han_weekday", r"(?P<which>上上|上|這|这|本)?(?:個|个)?(?:星期|禮拜|礼拜|週|周)(?P<weekday>[一二三四五六日天])"),
        ("ago", _L + _NUMBER + r" (?P<unit>day|week|month|year)s? ago" + _R),
        ("han_ago", _HAN + r"(?P<unit>天|日|個?星期|个星期|個?禮拜|个礼拜|週|周|個月|个月|年)(?:以前|之前|前)"),
        ("named", _L + r"(?P<name>the day before yesterday|yesterday|today|tomorrow|last night|last week|this week|next week|last month|this month|next month|last year|this year|next year|last weekend)" + _R),
        ("named", r"(?P<name>大前天|前天|昨天|昨日|昨晚|今天|今日|今晚|明天|後天|后天|上上週|上上周|上上個?禮拜(?![一二三四五六日天])|上(?:個|个)?(?:星期|禮拜|礼拜|週|周)(?![一二三四五六日天])|(?:這|这|本)(?:個|个)?(?:星期|禮拜|礼拜|週|周)(?![一二三四五六日天])|下(?:個|个)?(?:星期|禮拜|礼拜|週|周)(?![一二三四五六日天])|上(?:個|个)?月|(?:這|这|本)(?:個|个)?月|下(?:個|个)?月|去年|前年|今年|明年)(?!\s*[\d一二三四五六七八九十]+月)"),
    )
]  # fmt: skip


def spoken_of(text: str, today: date) -> Days | None:
    """The days that `text` speaks of, seen from `today` on the person's calendar. An exact day beats a span around it."""
    found = sorted(_found(text[:2_000], today), key=lambda days: (days[1] - days[0], days))
    return found[0] if found else None


def _found(text: str, today: date) -> Iterator[Days]:
    for kind, pattern in _PATTERNS:
        for match in pattern.finditer(text):
            try:
                days = _days(kind, match.groupdict(), today)
            except (ValueError, OverflowError):
                continue  # 31 February, or a year that no calendar has
            if days is not None:
                yield days


def _days(kind: str, said: dict[str, str | None], today: date) -> Days | None:
    match kind:
        case "iso":
            day = date(int(said["year"] or 0), int(said["m"] or 0), int(said["day"] or 0))
            return day, day
        case "day" | "han":
            month = han_number(said["m"] or "") if kind == "han" else _month_number(said["month"] or "")
            day_number = han_number(said["day"] or "")
            day = date(_year(said, today, month, day_number), month, day_number)
            return day, day
        case "month" | "han_month":
            month = han_number(said["m"] or "") if kind == "han_month" else _month_number(said["month"] or "")
            return _month(_year(said, today, month, 1), month)
        case "year":
            year = int(said["year"] or said["year2"] or 0)
            return date(year, 1, 1), date(year, 12, 31)
        case "weekday":
            back = (today.weekday() - _WEEKDAYS[(said["weekday"] or "").lower()]) % 7 or 7
            return today - timedelta(back), today - timedelta(back)
        case "han_weekday":
            monday = today - timedelta(today.weekday())
            weeks = {"上": 1, "上上": 2}.get(said["which"] or "", 0)
            day = monday + timedelta(_WEEKDAYS[said["weekday"] or "一"] - 7 * weeks)
            return day, day
        case "season":
            return _season(said, today)
        case "ago" | "han_ago":
            return _ago(said["n"] or "", said["unit"] or "", today)
        case _:
            return _named((said["name"] or "").lower(), today)


def _year(said: dict[str, str | None], today: date, month: int, day: int) -> int:
    if said.get("year"):
        return int(said["year"] or 0)
    if ago := said.get("ago"):
        return today.year - {"今年": 0, "去年": 1, "前年": 2}[ago]
    # Without a year: the last one that has passed, but what is near ahead is meant as such.
    return today.year - (date(today.year, month, day) > today + timedelta(60))


def _month_number(name: str) -> int:
    return _MONTH_NAMES.index(name[:3].lower()) + 1


def _month(year: int, month: int) -> Days:
    first = date(year, month, 1)
    return first, date(year + month // 12, month % 12 + 1, 1) - timedelta(1)


def _season(said: dict[str, str | None], today: date) -> Days:
    """Of the north; a winter is called by the year that it begins in."""
    first = _SEASONS[(said["season"] or "").lower()]
    if said.get("year") or said.get("ago"):
        return _three_months(_year(said, today, first, 1), first)
    this, which = _three_months(today.year - (first == 12 and today.month < 6), first), (said["which"] or "").lower()
    if which == "last" and this[1] >= today:
        return _three_months(this[0].year - 1, first)
    if which == "next" and this[0] <= today:
        return _three_months(this[0].year + 1, first)
    return this


def _three_months(year: int, first: int) -> Days:
    last = first + 2
    return date(year, first, 1), _month(year + (last > 12), (last - 1) % 12 + 1)[1]


def _months_back(today: date, months: int) -> Days:
    index = today.year * 12 + today.month - 1 - months
    return _month(index // 12, index % 12 + 1)


def _ago(written: str, unit: str, today: date) -> Days | None:
    n = int(written) if written.isdecimal() else _NUMBERS.get(written.lower()) or han_number(written)
    if not n:
        return None
    if unit in {"day", "天", "日"}:
        return today - timedelta(n), today - timedelta(n)
    if unit in {"month", "個月", "个月"}:
        return _months_back(today, n)
    if unit in {"year", "年"}:
        return date(today.year - n, 1, 1), date(today.year - n, 12, 31)
    # Weeks are said roughly.
    return today - timedelta(7 * n + 3), today - timedelta(7 * n - 3)


def _named(name: str, today: date) -> Days | None:
    days_back = {
        "the day before yesterday": 2, "yesterday": 1, "last night": 1, "today": 0, "tomorrow": -1,
        "大前天": 3, "前天": 2, "昨天": 1, "昨日": 1, "昨晚": 1, "今天": 0, "今日": 0, "今晚": 0, "明天": -1, "後天": -2, "后天": -2,
    }  # fmt: skip
    if name in days_back:
        day = today - timedelta(days_back[name])
        return day, day
    monday = today - timedelta(today.weekday())
    if name == "last weekend":
        return monday - timedelta(2), monday - timedelta(1)
    back = (
        -1
        if re.match(r"next|下|明", name)
        else 2
        if name.startswith(("上上", "前年"))
        else 1
        if re.match(r"last|上|去", name)
        else 0
    )
    if re.search(r"week|星期|禮拜|礼拜|週|周", name):
        start = monday - timedelta(7 * back)
        return start, start + timedelta(6)
    if re.search(r"month|月", name):
        return _months_back(today, back)
    return date(today.year - back, 1, 1), date(today.year - back, 12, 31)
