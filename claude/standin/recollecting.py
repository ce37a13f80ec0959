"""Answering a question from memory lines, each answer with the lines it rests on; nothing where they do not answer."""

from __future__ import annotations

import re
from datetime import date, datetime

from claude.standin.chinese.person import second_person as second_zh
from claude.standin.dates import find_date, say_day
from claude.standin.english.person import second_person as second_en
from claude.standin.frames import Frame, frame
from claude.standin.meaning import HAN, Meaning, fold, is_chinese, is_simplified, meaning, to_simplified
from claude.standin.names import names
from claude.standin.places import hours_between
from claude.standin.questions import Question
from claude.standin.requests import MemoryLine
from claude.standin.words import words

_MOST = 5
_EPOCH = date(1970, 1, 1)
_GENERIC = words("generic")


def answer(question: Question, lines: list[MemoryLine], now: datetime) -> str:
    """The answer with its marks, or nothing."""
    lines = _once(lines)
    if question.shape == "said":
        return _when_said(question, lines)
    if question.shape == "first":
        return _which_first(question, lines)
    if question.shape == "hours":
        return _hours(question, lines, now)
    if question.shape == "days":
        return _listed(
            question, [line for line in lines if not line.past and meaning(line.statement).within("weekday")]
        )
    if question.shape == "all":
        return _listed(question, [line for line in lines if not line.past][:8])
    chosen = choose(question, lines) or _on_the_day(question, lines, now.date())
    if not chosen:
        return ""
    if question.shape == "yesno":
        return _yes_or_no(question, chosen)
    return _listed(question, chosen)


def choose(question: Question, lines: list[MemoryLine]) -> list[MemoryLine]:
    """The lines that answer, newest first; one only where an attribute has one value at a time."""
    fitting = [line for line in lines if line.past == question.past or (question.past and _tells_past(line))]
    scored = [(score, line) for line in fitting if (score := _fits(question, line)) > 0]
    if not scored:
        return []
    best = max(score for score, _ in scored)
    near = [line for score, line in scored if score >= best - 0.25]
    near.sort(key=lambda line: (line.said or _EPOCH, int(line.id[1:])), reverse=True)
    firm = [line for line in near if not line.plan] or near
    single = frame(firm[0].statement).exclusive and question.attributes
    return firm[:1] if single else firm[:_MOST]


def _on_the_day(question: Question, lines: list[MemoryLine], today: date) -> list[MemoryLine]:
    """What is said of the days that the question names."""
    when = find_date(question.text, today, past=question.past or None)
    if not when or question.attributes or question.subject:
        return []
    specific = _specific(question) - meaning(question.text[when.start : when.end]).words
    on = [
        line
        for line in lines
        if line.event_from and line.event_until and line.event_from <= when.last and line.event_until >= when.first
    ]
    return [line for line in on if not specific or _covered(specific, meaning(line.statement))][:_MOST]


def say(line: MemoryLine) -> str:
    """A line told to the person, with its mark."""
    told = (second_zh if is_chinese(line.statement) else second_en)(line.statement)
    return f"{told} [{line.id}]"


def _fits(question: Question, line: MemoryLine) -> float:
    of = frame(line.statement)
    if question.subject:
        if not _is_about(question.subject, of, line):
            return 0
    elif of.subject and not (_named(question, line)):
        return 0
    specific = _specific(question)
    covered = _covered(specific, of.about, fold(line.statement))
    share = covered / len(specific) if specific else 0.0
    if question.attributes:
        return _by_attribute(question, of, specific, share)
    if question.subject and not specific:
        return 1
    if not specific and any(of.about.has(one) for one in question.about.concepts if one in _GENERIC):
        return 1
    if not specific or share < 0.6:
        return 0
    return 1 + share


def _by_attribute(question: Question, of: Frame, specific: frozenset[str], share: float) -> float:
    for attribute in question.attributes:
        either = question.shape == "yesno" and attribute.startswith("taste") and of.attribute == "taste"
        if (
            not has_attribute(attribute, of)
            and not either
            and not (attribute == "name" and question.subject and of.named)
        ):
            continue
        if "food" in question.about.concepts and not of.about.has("food", "diet", "allergy"):
            continue
        wanted = [
            one
            for one in question.about.concepts
            if one in _GENERIC and "." in one and not one.startswith(("taste", "work", "money", "time", "style"))
        ]
        if wanted and attribute.startswith("taste") and not any(of.about.within(one) for one in wanted):
            continue
        if attribute == "weekday" and specific and share == 0:
            continue
        if of.attribute == "called" and share == 0:
            continue
        if attribute == "instruct" and specific and share < 0.5:
            continue
        if (
            attribute in ("avoid", "taste.no", "taste.yes", "diet", "learn")
            and question.shape == "yesno"
            and specific
            and share < 0.5
        ):
            continue
        if attribute == "taste.yes" and specific and share == 0:
            continue
        return 3 + share
    if specific and share >= 0.8 and len(specific) > 1:
        return 1 + share
    tasted = any(one.startswith(("taste", "diet", "avoid")) for one in question.attributes)
    if question.shape == "yesno" and specific and share >= 0.99 and not tasted:
        return 1
    return 0


def has_attribute(attribute: str, of: Frame) -> bool:
    if attribute == "avoid":
        return of.attribute == "allergy" or (of.attribute in ("taste", "diet") and of.negative)
    if attribute == "taste.no":
        return of.attribute in ("taste", "diet") and of.negative
    if attribute == "taste.yes":
        return of.attribute == "taste" and not of.negative
    if attribute == "weekday":
        return bool(of.about.within("weekday"))
    if attribute == "instruct":
        return of.attribute.startswith("instruct")
    if attribute == "name":
        return of.attribute in ("name", "called")
    if attribute == "commute":
        return of.attribute == "commute"
    if attribute == "workplace" and of.subject:
        return of.attribute in ("workplace", "job")
    return of.attribute == attribute


def _specific(question: Question) -> frozenset[str]:
    """What the answer must be about: the words of the question that only ask are left out."""
    concepts = {
        one
        for one in question.about.concepts
        if one not in _GENERIC and not (question.subject and one.startswith(question.subject.split(".")[0] + "."))
    }
    return frozenset(concepts | question.about.words) - _ASKING


_ASKING = words("asking")


def _covered(wanted: frozenset[str], about: Meaning, text: str = "") -> int:
    have = about.concepts | about.words
    return sum(
        1
        for one in wanted
        if one in have
        or any(each.startswith(one + ".") for each in have)
        or (len(one) == 1 and HAN.match(one) and one in text)
    )


def _is_about(subject: str, of: Frame, line: MemoryLine) -> bool:
    kin = of.about.concepts
    return of.subject == subject or any(
        one == subject or one.startswith(subject + ".") or (subject.startswith(one + ".") and one != "kin")
        for one in kin
        if one.startswith(("kin", "animal"))
    )


def _named(question: Question, line: MemoryLine) -> bool:
    """The question names whom the line is about, by name or by what they are to the person."""
    asked = fold(question.text)
    if any(name in asked for name in names([line])):
        return True
    who = frame(line.statement).subject
    return (
        any(
            one == who or who.startswith(one + ".")
            for one in question.about.concepts
            if one.startswith(("kin.", "animal"))
        )
        and not question.attributes
    )


def _tells_past(line: MemoryLine) -> bool:
    return bool(re.search(r"\bused to\b|以前|之前|曾", line.statement))


def _when_said(question: Question, lines: list[MemoryLine]) -> str:
    best = _best(question.about, lines)
    if not best or not best.said:
        return ""
    day = say_day(best.said, chinese=question.chinese)
    return _script(
        question, f"你在{day}跟我說的：{say(best)}" if question.chinese else f"You told me on {day}: {say(best)}"
    )


def _which_first(question: Question, lines: list[MemoryLine]) -> str:
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
    return _script(
        question,
        f"先提到的是{option}（{day}）。[{line.id}]"
        if question.chinese
        else f"You mentioned {option} first, on {day}. [{line.id}]",
    )


def _best(about: Meaning, lines: list[MemoryLine]) -> MemoryLine | None:
    wanted = frozenset(one for one in about.concepts if one not in ("own", "use", "stop", "kin", "food")) | (
        about.words - _ASKING
    )
    scored = [
        (share, line)
        for line in lines
        if wanted and (share := _covered(wanted, meaning(line.statement)) / len(wanted)) >= 0.5
    ]
    return max(scored, key=lambda each: (each[0], _order(each[1])), default=(0, None))[1]


def _order(line: MemoryLine) -> int:
    return -((line.said or _EPOCH) - _EPOCH).days


def _hours(question: Question, lines: list[MemoryLine], now: datetime) -> str:
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
    hours = hours_between(current.statement, before.statement, now)
    if hours is None:
        return ""
    amount = f"{abs(hours):g}"
    marks = f"[{current.id}] [{before.id}]"
    if question.chinese:
        way = "快" if hours > 0 else "慢"
        return _script(question, f"{way}{amount}個小時。{marks}" if hours else f"沒有時差。{marks}")
    return (
        f"It is {amount} hour{'' if abs(hours) == 1 else 's'} {'ahead' if hours > 0 else 'behind'}. {marks}"
        if hours
        else f"There is no difference. {marks}"
    )


def _yes_or_no(question: Question, chosen: list[MemoryLine]) -> str:
    agree = frame(chosen[0].statement).negative == question.negative
    specific = _specific(question)
    if specific and _covered(specific, meaning(chosen[0].statement)) < len(specific):
        return _listed(question, chosen[:1])
    opening = ("是的：" if agree else "不是：") if question.chinese else ("Yes: " if agree else "No: ")
    return _script(question, opening + say(chosen[0]))


def _listed(question: Question, chosen: list[MemoryLine]) -> str:
    if not chosen:
        return ""
    told = "\n".join(say(line) for line in chosen)
    if question.past:
        told = ("以前：" if question.chinese else "Before: ") + told
    return _script(question, told)


def _script(question: Question, text: str) -> str:
    return to_simplified(text) if question.chinese and is_simplified(question.text) else text


def _once(lines: list[MemoryLine]) -> list[MemoryLine]:
    """Each memory once, as it was given last."""
    return list({line.id: line for line in lines}.values())
