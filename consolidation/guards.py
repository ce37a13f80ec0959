"""What code checks of a verdict before anything changes: the model proposes, these dispose. Words and numbers only, in
both languages; what they cannot tell they let pass to the write door, which has guards of its own."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from consolidation.models import Guard, Verdict
from consolidation.ties import Tie, says_no_more, tie
from memories.models import Memory
from memories.words import fold, tokens

# Somebody else than the user, as the one a statement is about.
_OTHERS_EN = (
    "friend|colleague|boss|manager|neighbou?r|flatmate|roommate|partner|husband|wife|girlfriend|boyfriend|fiancée?|mother"
    "|mum|mom|father|dad|parents?|sister|brother|son|daughter|child|children|kids?|niece|nephew|aunt|uncle|cousin|grand\\w+|teacher|team"
)
_ABOUT_EN = re.compile(rf"^(?:the )?user['’]s (?:\w+ ){{0,2}}({_OTHERS_EN})\b", re.IGNORECASE)
_OTHERS_ZH = (
    "朋友|同事|老闆|主管|鄰居|室友|伴侶|先生|太太|女友|男友|女朋友|男朋友|媽媽|母親|爸爸|父親|爸媽|姊姊|姐姐|妹妹|哥哥|弟弟"
    "|兒子|女兒|孩子|小孩|姪女|姪子|外甥女?|阿姨|叔叔|舅舅|表哥|表姊|堂哥|奶奶|爺爺|外婆|外公|老師"
)
_ABOUT_ZH = re.compile(rf"^(?:使用者|用戶|用户)的?({_OTHERS_ZH})")

_NEGATIONS = re.compile(
    r"\b(?:not|no longer|never|cannot|can't|doesn't|don't|isn't|without|hates?|dislikes?|stopped|quit)\b|n't\b"
    r"|[不沒没別别無无]|討厭|讨厌",
    re.IGNORECASE,
)
# A number that names a thing rather than counts: after a capitalised or naming word, with a leading zero, or in a code.
_NAMES = re.compile(
    r"\b(?:form|room|ticket|version|no\.?|number|gate|bus|line|flight|chapter|section|building|flat|case|order|[A-Z][a-z]+)\s?#?(\d[\w-]*)"
    r"|\b(0\d+)\b|\b([A-Za-z]+-?\d[\w-]*)\b|第\s?(\d+)\s?[號号章節节條条版]|(?:表單|表单|房間|房间|編號|编号|專案|版本)\s?(\d[\w-]*)"
)
_CHANGES = re.compile(
    r"\b(?:now|nowadays|instead|any ?more|no longer|moved?|switch\w*|chang\w+|replac\w+|sold|gave up|give up|given up"
    r"|stopped|quit|used to|from .{1,20} on|turned|became|back|again|left|lost|forgot\w*|ended|cancel\w*|retired)\b"
    r"|現在|现在|改|換|换|不再|不用|變成|变成|之後|之后|已經|已经|搬|賣|卖|辭|辞|戒|取消|又|重新|恢復|恢复|離開|离开|退休|停",
    re.IGNORECASE,
)
_NUMBERS = re.compile(r"\d+(?:[.:]\d+)*")


@dataclass(frozen=True)
class Said:
    """A statement with what decides whether it may change another: a candidate's or a memory's."""

    statement: str
    said_at: datetime
    trusted: bool
    plan: bool
    quote: str = ""
    category: str = ""


def check(verdict: str, new: Said, memory: Memory, *, among: Sequence[Memory] = ()) -> tuple[str, str]:
    """The verdict that stands after the guards, and the guard that turned it (or nothing). `among`: what else it was
    compared with, the nearest first."""
    old = Said(memory.statement, memory.said_at, memory.trusted, memory.plan, category=memory.category)
    stands, reason = verdict, ""
    if verdict == Verdict.SAME:
        stands, reason = _check_same(new, old)
    elif verdict == Verdict.REPLACES:
        stands, reason = _check_replaces(new, old)
    if stands == Verdict.REPLACES and not _belong_together(new, old, _is_nearest(memory, among)):
        # Only the person can say what these have to do with each other.
        return Verdict.UNCLEAR, Guard.UNRELATED
    return stands, reason


def _belong_together(new: Said, old: Said, nearest: bool) -> bool:
    """They share a word that says what they are about; or they share less, and the words tell of a change."""
    found = tie(f"{new.statement}\n{new.quote}", old.statement, categories=(new.category, old.category))
    if found == Tie.WORD:
        return True
    tells_of_a_change = bool(_CHANGES.search(f"{new.statement}\n{new.quote}")) or (old.plan and not new.plan)
    return tells_of_a_change and (found == Tie.NAME or (found == Tie.CATEGORY and nearest))


def _is_nearest(memory: Memory, among: Sequence[Memory]) -> bool:
    """Nothing of its category is nearer to what was said."""
    first = next((near for near in among if near.category == memory.category), memory)
    return first.number == memory.number


def about(statement: str) -> str:
    """Whom a statement is about where it is not the user: "niece", 「朋友」; empty for the user."""
    found = _ABOUT_EN.match(statement.strip()) or _ABOUT_ZH.match(statement.strip())
    return found[1].lower() if found else ""


def names_of_numbers(text: str) -> set[str]:
    """Form 052, B-17, 第 3 章: numbers that tell things apart."""
    return {next(part for part in found if part).casefold() for found in _NAMES.findall(text)}


def turns_round(quote: str, statement: str) -> bool:
    """ "I hate plums" is no "likes plums": of the same two things, one denies."""
    return _denies(quote) != _denies(statement) and says_no_more(quote, statement)


def says_the_same_words(one: str, other: str) -> bool:
    """Equal but for width, case, blanks and punctuation."""
    return bool(plain := _plain(one)) and plain == _plain(other)


def _check_same(new: Said, old: Said) -> tuple[str, str]:
    if _other_subject(new.statement, old.statement):
        return Verdict.NEW, Guard.OTHER_SUBJECT
    numbers, others = set(_NUMBERS.findall(new.statement)), set(_NUMBERS.findall(old.statement))
    if numbers and others and numbers != others and _alike(new.statement, old.statement) >= 0.5:
        return Verdict.NEW, Guard.OTHER_VALUE
    if _denies(new.statement) != _denies(old.statement) and _alike(new.statement, old.statement) >= 0.75:
        # "eats beef" is no confirmation of "does not eat beef", however near they stand.
        return _check_replaces(new, old)
    if new.plan != old.plan and not new.plan:
        # What was planned has happened: a statement of its own, in the plan's place.
        return _check_replaces(new, old)
    return Verdict.SAME, ""


def _check_replaces(new: Said, old: Said) -> tuple[str, str]:
    if new.said_at < old.said_at:
        return Verdict.NOTHING, Guard.OLDER
    if old.trusted and not new.trusted:
        return Verdict.NEW, Guard.UNTRUSTED
    if new.plan and not old.plan:
        return Verdict.NEW, Guard.PLAN
    if _other_subject(new.statement, old.statement):
        return Verdict.NEW, Guard.OTHER_SUBJECT
    named, before = names_of_numbers(new.statement), names_of_numbers(old.statement)
    if named and before and not named & before and not _CHANGES.search(new.quote or new.statement):
        return Verdict.NEW, Guard.OTHER_VALUE
    return Verdict.REPLACES, ""


def _other_subject(one: str, other: str) -> bool:
    """One is about somebody whom the other does not mention at all."""
    mine, theirs = about(one), about(other)
    return bool((mine and mine not in other.lower()) or (theirs and theirs not in one.lower()))


def _denies(statement: str) -> bool:
    return len(_NEGATIONS.findall(statement)) % 2 == 1


def _alike(one: str, other: str) -> float:
    """The share of words they have in common, leaving out what denies."""
    mine, theirs = (set(tokens(_NEGATIONS.sub(" ", text))) for text in (one, other))
    return len(mine & theirs) / len(mine | theirs) if mine | theirs else 0.0


def _plain(text: str) -> str:
    return re.sub(r"\W+", "", fold(text))
