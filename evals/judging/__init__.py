"""Is an answer right? Strings say so where they can; where they cannot, a model reads it, if there is one."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field

from claude.client import Block, fill, is_standin
from claude.prompts import fence, render
from claude.purposes import Purpose
from evals.scripts import Question
from evals.table import Share
from memories.models import Person
from memories.words import fold

JUDGE = Path(__file__).parent.parent / "prompts" / "judge.v1.md"
PAIRWISE = Path(__file__).parent.parent / "prompts" / "pairwise.v1.md"
LABELLED = Path(__file__).parent / "labelled.json"
UNKNOWN = "unknown"
# Shorter right answers stand in many wrong ones by chance.
_TELLING_CHARACTERS = 4
_TELLING_HAN = 2
_HAN = re.compile("[\u3400-\u9fff]")
_KNOWS_NOT = re.compile(
    r"\b(?:do not|don't|doesn't|cannot|can't) (?:know|tell|say|recall|remember|find)\b"
    r"|\b(?:haven't|have not|hasn't|never|not) (?:been )?(?:told|mentioned|said|shared)\b"
    r"|\bno (?:memory|record|information|mention)\b|\bunknown\b"
    r"|不知道|不清楚|不記得|不确定|不確定|無從得知|沒有(?:相關|任何|這|關於)"
    r"|(?:沒有?|没有?|未曾?)(?:跟我|和我|告訴|告诉)?(?:提|說|说|講|讲|記|记|告)"
)


class Judged(StrEnum):
    BY_STRINGS = "strings"
    BY_MODEL = "model"


@dataclass(frozen=True)
class Judgement:
    right: bool
    by: Judged
    reasoning: str = ""


class _Verdict(BaseModel):
    model_config = ConfigDict(extra="forbid")

    reasoning: str = Field(description="One short sentence.")
    right: bool


class Better(StrEnum):
    A = "a"
    B = "b"
    TIE = "tie"


class _Preference(BaseModel):
    model_config = ConfigDict(extra="forbid")

    reasoning: str = Field(description="One short sentence.")
    better: Better


def judge(question: Question, said: str, person: Person | None) -> Judgement:
    decided = by_strings(question, said)
    if decided is not None:
        return Judgement(decided, Judged.BY_STRINGS)
    if is_standin():
        # It cannot read: what strings do not find is not there.
        return Judgement(False, Judged.BY_STRINGS)
    return by_model(question.ask, _right_answer(question), said, person)


def by_strings(question: Question, said: str) -> bool | None:
    """None where strings cannot tell."""
    text = fold(said)
    if any(fold(word) in text for word in question.reject):
        return None if question.answer else False
    if question.abstains:
        return True if knows_not(said) else None
    if any(fold(word) in text for word in question.accept):
        return True
    return _holds(question.answer, said) or None


def by_model(ask: str, right_answer: str, said: str, person: Person | None) -> Judgement:
    verdict = fill(
        Purpose.JUDGE,
        _Verdict,
        system=render(JUDGE),
        messages=_asked(
            fence("request", ask),
            fence("passage", right_answer, id="right-answer"),
            fence("passage", said or "(nothing)", id="assistants-answer"),
        ),
        person=person,
        max_tokens=1_024,
    )
    return Judgement(verdict.right, Judged.BY_MODEL, verdict.reasoning)


def prefer(request: str, first: str, second: str, *, truths: Sequence[str], person: Person | None) -> Better:
    """Which of two answers serves better, asked both ways round; where the two verdicts part, it is a tie."""
    forth = _preferred(request, first, second, truths, person)
    back = _preferred(request, second, first, truths, person)
    return forth if forth == _SWAPPED[back] else Better.TIE


_SWAPPED = {Better.A: Better.B, Better.B: Better.A, Better.TIE: Better.TIE}


def _preferred(request: str, first: str, second: str, truths: Sequence[str], person: Person | None) -> Better:
    preference = fill(
        Purpose.JUDGE,
        _Preference,
        system=render(PAIRWISE),
        messages=_asked(
            fence("memories", "\n".join(truths)),
            fence("request", request),
            fence("passage", first or "(nothing)", id="a"),
            fence("passage", second or "(nothing)", id="b"),
        ),
        person=person,
        max_tokens=1_024,
    )
    return preference.better


def agreement(person: Person | None) -> tuple[Share, str]:
    """How often the judge in use agrees with the labelled answers, and which one that is."""
    rows = json.loads(LABELLED.read_text(encoding="utf-8"))
    if is_standin():
        agreed = sum(_strings_say(row) == row["right"] for row in rows)
        return Share(agreed, len(rows)), "strings alone"
    judged = [by_model(row["question"], row["answer"], row["said"], person).right for row in rows]
    return Share(sum(one == row["right"] for one, row in zip(judged, rows, strict=True)), len(rows)), JUDGE.stem


def knows_not(said: str) -> bool:
    return bool(_KNOWS_NOT.search(said.casefold().replace("’", "'")))


def _strings_say(row: dict[str, str]) -> bool:
    return knows_not(row["said"]) if row["answer"] == UNKNOWN else _holds(row["answer"], row["said"])


def _holds(right_answer: str, said: str) -> bool:
    """The right answer stands in what was said, word for word, and is long enough for that to mean something."""
    plain = fold(right_answer).strip(" .。")
    least = _TELLING_HAN if _HAN.search(plain) else _TELLING_CHARACTERS
    if len(plain) < least:
        return False
    return bool(re.search(rf"(?<![a-z0-9]){re.escape(plain)}(?![a-z0-9])", fold(said)))


def _right_answer(question: Question) -> str:
    if question.abstains:
        return UNKNOWN
    return question.answer or " / ".join(question.accept)


def _asked(*fences: str) -> list[Block]:
    return [{"role": "user", "content": [{"type": "text", "text": text} for text in fences]}]
