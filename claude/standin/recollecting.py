"""Answering a question from memory lines, each answer with the lines it rests on; nothing where they do not answer."""

from __future__ import annotations

from datetime import datetime

from claude.standin.choosing import choose, covered, is_relative, on_the_day, specific
from claude.standin.dates import say_day
from claude.standin.frames import frame
from claude.standin.joining import counted, whereabouts
from claude.standin.meaning import meaning
from claude.standin.occasions import hours, when_said, which_first
from claude.standin.questions import Question
from claude.standin.requests import MemoryLine
from claude.standin.telling import in_script, say


def answer(question: Question, lines: list[MemoryLine], now: datetime) -> str:
    """The answer with its marks, or nothing."""
    if question.of_you:
        return ""
    lines = _once(lines)
    if question.shape == "said":
        return when_said(question, lines)
    if question.shape == "first":
        return which_first(question, lines)
    if question.shape == "hours":
        return hours(question, lines, now)
    if question.shape == "kin":
        return _listed(
            question, [line for line in lines if not line.past and is_relative(frame(line.statement).subject)]
        )
    if question.shape == "days":
        return _listed(
            question, [line for line in lines if not line.past and meaning(line.statement).within("weekday")]
        )
    if question.shape == "all":
        return _listed(question, [line for line in lines if not line.past][:8])
    chosen = choose(question, lines) or on_the_day(question, lines, now.date())
    if not chosen:
        return ""
    if question.shape == "yesno":
        return _yes_or_no(question, chosen)
    return _counted(question, chosen, lines) or _listed(question, _found_there(question, chosen, lines))


def _counted(question: Question, chosen: list[MemoryLine], lines: list[MemoryLine]) -> str:
    """Asked for a day that is told only as so many days from another."""
    if not question.asks_when or chosen[0].event_from or not (day := counted(chosen[0], lines)):
        return ""
    on = say_day(day.day, chinese=question.chinese)
    told = f"{on}：{say(chosen[0])} [{day.of.id}]" if question.chinese else f"On {on}: {say(chosen[0])} [{day.of.id}]"
    return in_script(question, told)


def _found_there(question: Question, chosen: list[MemoryLine], lines: list[MemoryLine]) -> list[MemoryLine]:
    if not question.asks_where or question.past:
        return chosen
    return _once([one for line in chosen for one in whereabouts(line, lines)])


def _yes_or_no(question: Question, chosen: list[MemoryLine]) -> str:
    agree = frame(chosen[0].statement).negative == question.negative
    wanted = specific(question)
    if wanted and covered(wanted, meaning(chosen[0].statement)) < len(wanted):
        return _listed(question, chosen[:1])
    opening = ("是的：" if agree else "不是：") if question.chinese else ("Yes: " if agree else "No: ")
    return in_script(question, opening + say(chosen[0]))


def _listed(question: Question, chosen: list[MemoryLine]) -> str:
    if not chosen:
        return ""
    told = "\n".join(say(line) for line in chosen)
    if question.past or all(line.past for line in chosen):
        told = ("以前：" if question.chinese else "Before: ") + told
    return in_script(question, told)


def _once(lines: list[MemoryLine]) -> list[MemoryLine]:
    """Each memory once, as it was given last."""
    return list({line.id: line for line in lines}.values())
