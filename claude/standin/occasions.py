"""Answers about times: when something was said, which was said first, how far two clocks are apart."""

from __future__ import annotations

import re
from datetime import date, datetime

from claude.standin.choosing import ASKING, covered
from claude.standin.dates import say_day
from claude.standin.frames import frame
from claude.standin.meaning import Meaning, meaning
from claude.standin.places import hours_between
from claude.standin.questions import Question
from claude.standin.requests import MemoryLine
from claude.standin.telling import in_script, say

_EPOCH = date(1970, 1, 1)


def when_said(question: Question, lines: list[MemoryLine]) -> str:
    best = _best(question.about, lines)
    if not best or not best.said:
        return ""
    day = say_day(best.said, chinese=question.chinese)
    return in_script(
        question, f"你在{day}跟我說的：{say(best)}" if question.chinese else f"You told me on {day}: {say(best)}"
    )


def which_first(question: Question, lines: list[MemoryLine]) -> str:
    text = re.split(r"[:：]|first,? |先", question.text, maxsplit=1)[-1].strip(" ?？")
    text = re.sub(r"^(?:提到|說|说|講|讲)(?:過|过)?的?是?[，,]?", "", text)
    options = [
        part.strip(" ,，?？") for part in re.split(r",? or |還是|还是|、|或者|或是", text) if part.strip(" ,，?？")
    ]
    found = [(best.said, best, option) for option in options if (best := _best(meaning(option), lines)) and best.said]
    if len(options) < 2 or len(found) < len(options):
        return ""
    found.sort(key=lambda each: (each[0] or _EPOCH, int(each[1].id[1:])))
    said, line, option = found[0]
    assert said
    day = say_day(said, chinese=question.chinese)
    return in_script(
        question,
        f"先提到的是{option}（{day}）。[{line.id}]"
        if question.chinese
        else f"You mentioned {option} first, on {day}. [{line.id}]",
    )


def _best(about: Meaning, lines: list[MemoryLine]) -> MemoryLine | None:
    wanted = frozenset(one for one in about.concepts if one not in ("own", "use", "stop", "kin", "food")) | (
        about.words - ASKING
    )
    scored = [
        (share, line)
        for line in lines
        if wanted and (share := covered(wanted, meaning(line.statement)) / len(wanted)) >= 0.5
    ]
    return max(scored, key=lambda each: (each[0], _order(each[1])), default=(0, None))[1]


def _order(line: MemoryLine) -> int:
    return -((line.said or _EPOCH) - _EPOCH).days


def hours(question: Question, lines: list[MemoryLine], now: datetime) -> str:
    places = [
        line
        for line in lines
        if frame(line.statement).attribute in ("workplace", "residence")
        and not line.plan
        and not frame(line.statement).subject
    ]
    current = max((line for line in places if not line.past), key=lambda line: line.said or _EPOCH, default=None)
    before = max((line for line in places if line.past), key=lambda line: line.said or _EPOCH, default=None)
    if not current or not before:
        return ""
    apart = hours_between(current.statement, before.statement, now)
    if apart is None:
        return ""
    amount = f"{abs(apart):g}"
    marks = f"[{current.id}] [{before.id}]"
    if question.chinese:
        way = "快" if apart > 0 else "慢"
        return in_script(question, f"{way}{amount}個小時。{marks}" if apart else f"沒有時差。{marks}")
    return (
        f"It is {amount} hour{'' if abs(apart) == 1 else 's'} {'ahead' if apart > 0 else 'behind'}. {marks}"
        if apart
        else f"There is no difference. {marks}"
    )
