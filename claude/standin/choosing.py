"""Which memory lines answer a question: whose they are, what they tell, and of which time."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date

from claude.standin.dates import find_date
from claude.standin.frames import Frame, frame
from claude.standin.meaning import HAN, Meaning, fold, meaning, names_of
from claude.standin.names import kin_named, names
from claude.standin.questions import Question
from claude.standin.requests import MemoryLine
from claude.standin.words import words

_MOST = 5
_EPOCH = date(1970, 1, 1)
_GENERIC = words("generic")
ASKING = words("asking")


def choose(question: Question, lines: list[MemoryLine]) -> list[MemoryLine]:
    """The lines that answer, newest first; one only where an attribute has one value at a time."""
    fitting = [line for line in lines if line.past == question.past or (question.past and tells_past(line))]
    found = _nearest(question, fitting)
    if question.past:
        return found if any(line.past or tells_past(line) for line in found) else found or _older(question, lines)
    earlier = _nearest(question, [line for line in lines if line.past])
    asks_of_another = question.asks_where or question.asks_when or question.asks_who
    if not asks_of_another and (successors := _successors(earlier, fitting)):
        return successors
    return found or earlier


def _nearest(question: Question, lines: list[MemoryLine]) -> list[MemoryLine]:
    scored = [(score, line) for line in lines if (score := _fits(question, line)) > 0]
    if not scored:
        return []
    best = max(score for score, _ in scored)
    near = [line for score, line in scored if score >= best - 0.25]
    near = _of_the_kind_asked(question, near, [line for _, line in scored])
    near.sort(key=lambda line: (line.said or _EPOCH, int(line.id[1:])), reverse=True)
    firm = [line for line in near if not line.plan] or near
    single = frame(firm[0].statement).exclusive and question.attributes
    return firm[:1] if single else firm[:_MOST]


def _of_the_kind_asked(question: Question, near: list[MemoryLine], all_: list[MemoryLine]) -> list[MemoryLine]:
    """Asked when, those that name a day; asked how much, those that hold a number."""
    if question.asks_when:
        return [one for one in near if _is_dated(one)] or [one for one in all_ if _is_dated(one)] or near
    if question.asks_where:
        return (
            [one for one in near if _PLACE.search(one.statement)]
            or [one for one in all_ if _PLACE.search(one.statement)]
            or near
        )
    if question.asks_amount:
        return [one for one in near if _AMOUNT.search(one.statement)] or near
    return near


def _older(question: Question, lines: list[MemoryLine]) -> list[MemoryLine]:
    """What a newer line of an attribute with one value at a time has left behind, though no night has said so."""
    values = [
        line
        for line in lines
        if not line.plan and frame(line.statement).exclusive and _fits(replace(question, about=_NOTHING), line) >= 3
    ]
    values.sort(key=lambda line: (line.said or _EPOCH, int(line.id[1:])), reverse=True)
    return values[1:2]


_NOTHING = Meaning(frozenset(), frozenset())


def _successors(earlier: list[MemoryLine], current: list[MemoryLine]) -> list[MemoryLine]:
    """What took the place of a line, where it names what it left: "from botany to geology"."""
    about = [frame(line.statement) for line in earlier]
    return [
        line
        for line in current
        if (left := frame(line.statement).leaves) and any(left <= one.about.concepts | one.about.words for one in about)
    ][-1:]


def _is_dated(line: MemoryLine) -> bool:
    return line.event_from is not None or bool(
        meaning(line.statement).within("weekday") or find_date(line.statement, line.said or _EPOCH)
    )


_KINDS = frozenset(("animal", "allergy", "language", "music.instrument", "sport"))
_NAMED = 5  # more words than these, and one that is met is too small a share of what was looked for
# Kinds of kin whose names say the one and not the other.
_CONSISTS_OF = {
    "kin.sibling": {
        "kin.brother",
        "kin.sister",
        "kin.elderbrother",
        "kin.youngerbrother",
        "kin.eldersister",
        "kin.youngersister",
    },
    "kin.parent": {"kin.mother", "kin.father"},
    "kin.child": {"kin.child", "kin.son", "kin.daughter"},
}
_PLACE = re.compile(
    r"\b(?:in|at|to|near|from|into|on) (?:the |a |an )?(?:\w+ ){0,2}[A-Z]|在[^，。]|(?:搬|去|到|考上|住|來自|来自)"
)
_AMOUNT = re.compile(
    r"\d|[一二兩两三四五六七八九十百千萬万]|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|twelve|twenty|hundred|thousand)\b",
    re.I,
)


def on_the_day(question: Question, lines: list[MemoryLine], today: date) -> list[MemoryLine]:
    """What is said of the days that the question names."""
    when = find_date(question.text, today, past=question.past or None)
    if not when or question.attributes or question.subject:
        return []
    wanted = specific(question) - meaning(question.text[when.start : when.end]).words
    on = [
        line
        for line in lines
        if line.event_from and line.event_until and line.event_from <= when.last and line.event_until >= when.first
    ]
    return [line for line in on if not wanted or covered(wanted, meaning(line.statement))][:_MOST]


def _fits(question: Question, line: MemoryLine) -> float:
    of = frame(line.statement)
    if question.asks_who and not question.subject:
        return _is_who(question, of, line)
    if question.subject:
        if not _is_about(question.subject, of, line):
            return 0
    elif of.subject and not (_named(question, line)):
        return 0
    wanted = specific(question)
    share = covered(wanted, of.about, fold(line.statement)) / len(wanted) if wanted else 0.0
    if question.attributes:
        return _by_attribute(question, of, wanted, share)
    if question.subject and not wanted:
        return 1
    if not wanted and any(of.about.has(one) for one in question.about.concepts if one in _GENERIC):
        return 1
    if not wanted or share < 0.6:
        return 0
    return 1 + share


def _is_who(question: Question, of: Frame, line: MemoryLine) -> float:
    """Somebody of whom all is told that the question names; somebody named, where it asks who a name is."""
    if called := _called(question):
        own = any(called in fold(name) or fold(name) in called for name in names([line]))
        return (2.0 if of.subject else 1.0) if own and (of.subject or kin_named(line.statement, called)) else 0
    wanted = specific(question)
    share = covered(wanted, of.about, fold(line.statement)) / len(wanted) if wanted else 0.0
    tasted = [one for one in question.attributes if one.startswith("taste")]
    if share < 0.6 or (tasted and not any(has_attribute(one, of) for one in tasted)):
        return 0
    return share + (1 if of.subject or _ACCOMPANIED.search(line.statement) else 0)


def _called(question: Question) -> str:
    """The name that "Who is Ana?" asks of."""
    found = _WHO_IS.search(fold(question.text))
    return (found[1] or found[2]).strip() if found else ""


_WHO_IS = re.compile(r"^who(?:'s| is| was) ([\w'-]+)\W*$|^([\u4e00-\u9fff]{2,3})是(?:我的?)?谁")
_ACCOMPANIED = re.compile(r"\b(?:with|by|from|to|called|named) (?:the user's |an? )?[\w ]*[A-Z]|跟|和|與|叫")


def _by_attribute(question: Question, of: Frame, wanted: frozenset[str], share: float) -> float:
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
        kinds = [
            one
            for one in question.about.concepts
            if one in _GENERIC and "." in one and not one.startswith(("taste", "work", "money", "time", "style"))
        ]
        if kinds and attribute.startswith("taste") and not any(of.about.within(one) for one in kinds):
            continue
        if attribute == "weekday" and wanted and share == 0:
            continue
        if of.attribute == "called" and share == 0:
            continue
        if attribute == "instruct" and wanted and share < 0.5:
            continue
        if (
            attribute in ("avoid", "taste.no", "taste.yes", "diet", "learn")
            and not attribute == of.attribute == "diet"
            and question.shape == "yesno"
            and wanted
            and share < 0.5
        ):
            continue
        if attribute == "taste.yes" and wanted and share == 0:
            continue
        return 3 + share if share or not wanted else 1.5
    if wanted and share >= 0.8 and len(wanted) > 1:
        return 1 + share
    tasted = any(one.startswith(("taste", "diet", "avoid")) for one in question.attributes)
    if question.shape == "yesno" and wanted and share >= 0.99 and not tasted:
        return 1
    return 0


def other_words(question: Question) -> str:
    """The things of the kind that the question asks for by its name alone, to be looked for: "pets" stand nowhere in
    "I have a cat"."""
    kinds = [one for one in question.about.concepts if one in _CONSISTS_OF or one in _KINDS]
    if question.subject or len(kinds) != 1 or not specific(question) <= {kinds[0]}:
        return ""
    parts = sorted(_CONSISTS_OF.get(kinds[0], ())) or [kinds[0]]
    found = (name for part in parts for name in names_of(part, chinese=question.chinese))
    return " ".join(list(dict.fromkeys(found))[:_NAMED])


def has_attribute(attribute: str, of: Frame) -> bool:
    if attribute == "avoid":
        return of.attribute == "allergy" or (of.attribute in ("taste", "diet") and of.negative)
    if attribute == "taste.no":
        return of.attribute in ("taste", "diet") and of.negative
    if attribute == "taste.yes":
        return of.attribute == "taste" and not of.negative
    if attribute.startswith("favourite."):
        return of.attribute == attribute
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


def specific(question: Question) -> frozenset[str]:
    """What the answer must be about: the words of the question that only ask are left out."""
    concepts = {
        one
        for one in question.about.concepts
        if one not in _GENERIC and not (question.subject and one.startswith(question.subject.split(".")[0] + "."))
    }
    return frozenset(concepts | question.about.words) - ASKING


_NO_RELATIVES = ("kin.friend", "kin.neighbour", "kin.colleague", "kin.boss", "kin.flatmate", "kin.teacher", "kin.team")


def is_relative(kin: str) -> bool:
    return kin.startswith("kin.") and kin not in _NO_RELATIVES


def covered(wanted: frozenset[str], about: Meaning, text: str = "") -> int:
    have = about.concepts | about.words
    have |= {whole for whole, parts in _CONSISTS_OF.items() if not have.isdisjoint(parts)}
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
            one == who or who.startswith(one + ".") or who in _CONSISTS_OF.get(one, ())
            for one in question.about.concepts
            if one.startswith(("kin.", "animal"))
        )
        and not question.attributes
    )


def tells_past(line: MemoryLine) -> bool:
    return bool(re.search(r"\bused to\b|以前|之前|曾", line.statement))
