"""Is an answer right? Strings say so where they can; where they cannot, a model reads it, if there is one."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from claude.client import Block, fill, is_standin
from claude.prompts import fence, render
from claude.purposes import Purpose
from evals.judging import strings
from evals.scripts import Question
from evals.table import Share
from memories.models import Person
from memories.words import fold

JUDGE = Path(__file__).parent.parent / "prompts" / "judge.v1.md"
PAIRWISE = Path(__file__).parent.parent / "prompts" / "pairwise.v1.md"
LABELLED = Path(__file__).parent / "labelled.json"
UNKNOWN = "unknown"


class Judged(StrEnum):
    BY_STRINGS = "strings"
    BY_MODEL = "model"
    # It needs a model, and there is none: it counts as wrong, and as left over.
    BY_NOBODY = "nobody"


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
        return Judgement(False, Judged.BY_NOBODY)
    return by_model(question.ask, _right_answer(question), said, person)


def by_strings(question: Question, said: str) -> bool | None:
    """None where strings cannot tell."""
    text = fold(said)
    if any(fold(word) in text for word in question.reject):
        return None if question.answer else False
    if question.abstains:
        return strings.abstains(said)
    if any(fold(word) in text for word in question.accept):
        return None if strings.knows_not(said) else True
    verdicts = {
        strings.says(right, said, asked=question.ask) for right in filter(None, (*question.accept, question.answer))
    }
    if True in verdicts:
        return True
    # Another value than all of the right ones, or none at all.
    return False if verdicts - {None} and (strings.knows_not(said) or None not in verdicts) else None


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


@dataclass(frozen=True)
class Agreement:
    """With the labelled answers: of what strings decide, of what they leave to the model, and of the model on all."""

    strings: Share
    left: int
    model: str = ""
    of_left: Share | None = None
    of_all: Share | None = None

    def as_json(self) -> dict[str, Any]:
        shares = {"strings": self.strings, "of_left": self.of_left, "of_all": self.of_all}
        told = {name: share and {"agreed": share.hits, "of": share.of} for name, share in shares.items()}
        return {"left": self.left, "model": self.model, **told}


def agreement(person: Person | None) -> Agreement:
    """How often the judge in use agrees with the labelled answers."""
    rows = json.loads(LABELLED.read_text(encoding="utf-8"))
    decided = [(_strings_say(row), row["right"]) for row in rows]
    by_strings = _share([(said, right) for said, right in decided if said is not None])
    left = len(rows) - by_strings.of
    if is_standin():
        return Agreement(by_strings, left)
    judged = [(by_model(row["question"], row["answer"], row["said"], person).right, row["right"]) for row in rows]
    of_left = [one for one, (said, _) in zip(judged, decided, strict=True) if said is None]
    return Agreement(by_strings, left, JUDGE.stem, _share(of_left), _share(judged))


def _share(judged: Sequence[tuple[bool, bool]]) -> Share:
    return Share(sum(said == right for said, right in judged), len(judged))


def _strings_say(row: dict[str, str]) -> bool | None:
    if row["answer"] == UNKNOWN:
        return strings.abstains(row["said"])
    return strings.says(row["answer"], row["said"], asked=row["question"])


def _right_answer(question: Question) -> str:
    if question.abstains:
        return UNKNOWN
    return question.answer or " / ".join(question.accept)


def _asked(*fences: str) -> list[Block]:
    return [{"role": "user", "content": [{"type": "text", "text": text} for text in fences]}]
