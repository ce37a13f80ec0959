# ruff: noqa: E501
"""Relative and written dates, in English and Chinese, against the day on which they were said."""

from __future__ import annotations

import re
from calendar import monthrange
from dataclasses import dataclass
from datetime import date, timedelta

from claude.standin.meaning import HAN

WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December",
)  # fmt: skip
_DAYS_EN = "|".join(WEEKDAYS)
_MONTHS_EN = "|".join(MONTHS)
_NUMBERS = {
    "a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10,
    "couple of": 2, "a couple of": 2, "few": 3, "a few": 3,
}  # fmt: skip
_HAN_NUMBERS = {char: number for number, char in enumerate("零一二三四五六七八九十")} | {
    "兩": 2,
    "两": 2,
    "天": 7,
    "日": 7,
}
_COUNT = r"(\d{1,3}|(?:a )?couple of|(?:a )?few|an?|one|two|three|four|five|six|seven|eight|nine|ten)"

_EN = re.compile(
    rf"\b(?:(?P<iso>\d{{4}}-\d{{2}}-\d{{2}})|(?P<day>yesterday|today|tonight|tomorrow|the day before yesterday|"
    rf"the day after tomorrow|this morning|this afternoon|this evening|last night)|"
    rf"(?P<ago>{_COUNT} (?:days?|weeks?|months?|years?) ago)|(?P<ahead>in {_COUNT} (?:days?|weeks?|months?|years?)(?:' time)?)|"
    rf"(?P<rel>(?:last|this|next|coming|this coming|this past) (?:week|weekend|month|year|spring|summer|autumn|fall|winter|{_DAYS_EN}))|"
    rf"(?P<dmy>(?:the )?\d{{1,2}}(?:st|nd|rd|th)? (?:of )?(?:{_MONTHS_EN})(?:,? \d{{4}})?)|"
    rf"(?P<mdy>(?:{_MONTHS_EN}) \d{{1,2}}(?:st|nd|rd|th)?\b(?!:)(?:,? \d{{4}})?)|"
    rf"(?P<month>(?:in|since|until|next|last|this|by) (?:{_MONTHS_EN})(?: \d{{4}})?)|"
    rf"(?P<year>(?:in|since) (?:19|20)\d{{2}})|(?P<on>on (?:{_DAYS_EN})))\b",
    re.I,
)
_ZH = re.compile(
    r"(?P<ymd>(?:(?P<y>\d{4})[年/-])?(?P<m>\d{1,2}|[一二三四五六七八九十]{1,2})(?:月|/)(?P<d>\d{1,2}|[一二三四五六七八九十]{1,3})(?:日|號|号)?)"
    r"|(?P<day>大前天|前天|昨天|昨晚|昨日|今天|今早|今晚|今日|明天|明晚|明日|後天|后天|大後天|大后天)"
    r"|(?P<rel>上上|上|這|这|本|下下|下)(?:個|个)?(?P<unit>禮拜|礼拜|星期|週|周|月)(?:(?P<rd>\d{1,2}|[一二三四五六七八九十]{1,3})[日號号])?(?P<wd>[一二三四五六日天](?![個个]))?(?P<end>末)?"
    r"|(?P<yr>前年|去年|今年|明年|後年|后年)(?:(?P<ym>\d{1,2}|[一二三四五六七八九十]{1,2})月)?"
    r"|(?P<n>\d{1,3}|[一二兩两三四五六七八九十]{1,2})(?:個|个)?(?P<nu>天|日|週|周|禮拜|礼拜|星期|月|年)(?P<dir>前|後|后)"
    r"|(?P<bare>(?<![每逢])(?:禮拜|礼拜|星期|週|周)[一二三四五六日天])"
    r"|(?P<mon>\d{1,2}|[一二三四五六七八九十]{1,2})月(?:初|底|中|份)?"
)
_DAY_EN = {
    "yesterday": -1, "last night": -1, "today": 0, "tonight": 0, "this morning": 0, "this afternoon": 0, "this evening": 0,
    "tomorrow": 1, "the day before yesterday": -2, "the day after tomorrow": 2,
}  # fmt: skip
_DAY_ZH = {"大前": -3, "前": -2, "昨": -1, "今": 0, "明": 1, "後": 2, "后": 2, "大後": 3, "大后": 3}


_SEASONS = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}


@dataclass(frozen=True)
class When:
    """A span of a text that names days, and the days."""

    start: int
    end: int
    first: date
    last: date
    deictic: bool  # said from the day of saying ("last week"): a statement must spell it out

    @property
    def is_day(self) -> bool:
        return self.first == self.last


def find_date(text: str, said: date, *, past: bool | None = None) -> When | None:
    """The first date in a text. `past` settles a bare weekday or month; None takes the coming one."""
    pattern, read = (_ZH, _read_zh) if HAN.search(text) else (_EN, _read_en)
    for found in pattern.finditer(text):
        try:
            days = read(found, said, past)
        except (ValueError, OverflowError):
            continue
        if days:
            deictic = not (found.groupdict().get("iso") or re.search(r"\d{4}", found[0]))
            return When(found.start(), found.end(), days[0], days[1], deictic)
    return None


def spelled(when: When, *, chinese: bool) -> str:
    """The days in words that hold on any later day."""
    a, b = when.first, when.last
    if chinese:
        if when.is_day:
            return f"{a.year}年{a.month}月{a.day}日"
        if _is_month(a, b):
            return f"{a.year}年{a.month}月"
        if _is_year(a, b):
            return f"{a.year}年"
        span = "那週" if (b - a).days == 6 else "那個週末"
        return f"{a.year}年{a.month}月{a.day}日{span}"
    if when.is_day:
        return f"on {a.day} {MONTHS[a.month - 1]} {a.year}"
    if _is_month(a, b):
        return f"in {MONTHS[a.month - 1]} {a.year}"
    if _is_year(a, b):
        return f"in {a.year}"
    if (b - a).days > 7:
        return f"in {next(name for name, month in _SEASONS.items() if month == a.month)} {a.year}"
    span = "in the week" if (b - a).days == 6 else "on the weekend"
    return f"{span} of {a.day} {MONTHS[a.month - 1]} {a.year}"


def say_day(day: date, *, chinese: bool) -> str:
    return f"{day.year}年{day.month}月{day.day}日" if chinese else f"{day.day} {MONTHS[day.month - 1]} {day.year}"


def _read_en(found: re.Match[str], said: date, past: bool | None) -> tuple[date, date] | None:
    text = found[0].lower()
    if found["iso"]:
        one = date.fromisoformat(text)
        return one, one
    if found["day"]:
        one = said + timedelta(days=_DAY_EN[text])
        return one, one
    if found["ago"] or found["ahead"]:
        return _away(text, said, -1 if found["ago"] else 1)
    if found["on"]:
        one = _weekday(_index(text.split()[-1]), said, past)
        return one, one
    if found["rel"]:
        *which, what = text.split()
        step = {"last": -1, "past": -1, "this": 0, "next": 1, "coming": 1}[which[-1]]
        if _index(what) >= 0:
            one = _relative_day(_index(what), said, step, coming=which[-1] == "coming")
            return one, one
        return _span(what, said, step)
    if found["dmy"] or found["mdy"]:
        return _written(text, said, past)
    year = re.search(r"(?:19|20)\d{2}", text)
    if found["year"]:
        assert year
        return _year(int(year[0]))
    month = next(number for number, name in enumerate(MONTHS, 1) if name.lower() in text)
    if month == 5 and not text.startswith(("in", "since", "next", "last", "this", "by", "until")):
        return None
    backwards = past or text.startswith(("last", "since"))
    return _month(int(year[0]) if year else _year_of(month, said, backwards), month)


def _read_zh(found: re.Match[str], said: date, past: bool | None) -> tuple[date, date] | None:
    if found["ymd"]:
        month, number = _number(found["m"]), _number(found["d"])
        if not found["y"] and "/" not in found[0] and not found[0].endswith(("日", "號", "号")):
            return None
        year = int(found["y"]) if found["y"] else _year_of(month, said, bool(past))
        one = date(year, month, number)
        return one, one
    if found["day"]:
        one = said + timedelta(days=_DAY_ZH[found["day"][:-1]])
        return one, one
    if found["rel"]:
        step = {"上上": -2, "上": -1, "下": 1, "下下": 2}.get(found["rel"], 0)
        if found["unit"] == "月":
            first, last = _shift_month(said, step)
            one = first.replace(day=_number(found["rd"])) if found["rd"] else first
            return (one, one) if found["rd"] else (first, last)
        monday = said - timedelta(days=said.weekday()) + timedelta(weeks=step)
        if found["wd"]:
            one = monday + timedelta(days=_HAN_NUMBERS[found["wd"]] - 1)
            return one, one
        return (monday + timedelta(days=5 if found["end"] else 0)), monday + timedelta(days=6)
    if found["yr"]:
        year = said.year + {"前": -2, "去": -1, "今": 0, "明": 1, "後": 2, "后": 2}[found["yr"][0]]
        return _month(year, _number(found["ym"])) if found["ym"] else _year(year)
    if found["n"]:
        unit = {"天": "day", "日": "day", "月": "month", "年": "year"}.get(found["nu"], "week")
        return _away(f"{_number(found['n'])} {unit}", said, -1 if found["dir"] == "前" else 1)
    if found["bare"]:
        one = _weekday(_HAN_NUMBERS[found["bare"][-1]] - 1, said, past)
        return one, one
    month = _number(found["mon"])
    return _month(_year_of(month, said, bool(past)), month) if 1 <= month <= 12 else None


def _away(text: str, said: date, sign: int) -> tuple[date, date]:
    counted = re.search(_COUNT, text.removeprefix("in "))
    assert counted
    count = int(counted[1]) if counted[1].isdigit() else _NUMBERS[counted[1]]
    if "week" in text:
        one = said + timedelta(weeks=sign * count)
        monday = one - timedelta(days=one.weekday())
        return monday, monday + timedelta(days=6)
    if "month" in text:
        return _shift_month(said, sign * count)
    if "year" in text:
        return _year(said.year + sign * count)
    one = said + timedelta(days=sign * count)
    return one, one


def _span(what: str, said: date, step: int) -> tuple[date, date]:
    if what in _SEASONS:
        return _season(what, said, step)
    if what == "month":
        return _shift_month(said, step)
    if what == "year":
        return _year(said.year + step)
    monday = said - timedelta(days=said.weekday()) + timedelta(weeks=step)
    return (monday + timedelta(days=5) if what == "weekend" else monday), monday + timedelta(days=6)


def _season(name: str, said: date, step: int) -> tuple[date, date]:
    """Of the north; a "last" one has ended, a "next" one has not begun."""
    year = said.year
    first, last = _season_of(name, year)
    if step < 0 and last >= said:
        first, last = _season_of(name, year - 1)
    if step > 0 and first <= said:
        first, last = _season_of(name, year + 1)
    return first, last


def _season_of(name: str, year: int) -> tuple[date, date]:
    month = _SEASONS[name]
    return date(year, month, 1), _month(year + (month == 12), (month + 1) % 12 + 1)[1]


def _written(text: str, said: date, past: bool | None) -> tuple[date, date]:
    month = next(number for number, name in enumerate(MONTHS, 1) if name.lower() in text)
    numbers = [int(number) for number in re.findall(r"\d+", text)]
    number = next(one for one in numbers if one <= 31)
    year = next((one for one in numbers if one > 31), None)
    one = date(year or _year_of(month, said, bool(past)), month, number)
    return one, one


def _weekday(index: int, said: date, past: bool | None) -> date:
    if past:
        return said - timedelta(days=(said.weekday() - index) % 7)
    return said + timedelta(days=(index - said.weekday()) % 7)


def _relative_day(index: int, said: date, step: int, *, coming: bool) -> date:
    if step < 0:
        return said - timedelta(days=(said.weekday() - index - 1) % 7 + 1)
    if coming:
        return said + timedelta(days=(index - said.weekday() - 1) % 7 + 1)
    return said - timedelta(days=said.weekday()) + timedelta(weeks=step, days=index)


def _year_of(month: int, said: date, backwards: bool) -> int:
    if backwards:
        return said.year - (month > said.month)
    return said.year + (month < said.month)


def _shift_month(said: date, step: int) -> tuple[date, date]:
    index = said.year * 12 + said.month - 1 + step
    return _month(index // 12, index % 12 + 1)


def _month(year: int, month: int) -> tuple[date, date]:
    return date(year, month, 1), date(year, month, monthrange(year, month)[1])


def _year(year: int) -> tuple[date, date]:
    return date(year, 1, 1), date(year, 12, 31)


def _is_month(a: date, b: date) -> bool:
    return a.day == 1 and (b.year, b.month) == (a.year, a.month) and b.day == monthrange(b.year, b.month)[1]


def _is_year(a: date, b: date) -> bool:
    return (a.month, a.day, b.month, b.day) == (1, 1, 12, 31) and a.year == b.year


def _index(name: str) -> int:
    return next((index for index, weekday in enumerate(WEEKDAYS) if weekday.lower() == name.lower()), -1)


def _number(text: str) -> int:
    if text.isdigit():
        return int(text)
    if "十" not in text:
        return _HAN_NUMBERS[text[0]]
    tens, _, ones = text.partition("十")
    return (_HAN_NUMBERS[tens] if tens else 1) * 10 + (_HAN_NUMBERS[ones] if ones else 0)
