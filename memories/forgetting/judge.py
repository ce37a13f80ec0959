"""Asking the model which passages say the same, and which memories a request means. Code decides what comes of it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from claude.client import Block, fill, is_standin
from claude.errors import ClaudeError
from claude.prompts import fence, render
from claude.purposes import Purpose
from memories.forgetting.schemas import ForgetJudgement, ForgetTargets
from memories.models import Memory, Passage, Person
from memories.quotes import locate
from memories.wording import memory_lines

PROMPTS = Path(__file__).resolve().parent.parent / "prompts"
# As much of a transcript as one question to the model holds.
MAX_PASSAGES = 60
MAX_CHARACTERS = 24_000

type Judged = dict[int, tuple[str, tuple[int, int] | None]]


def judge(person: Person, memories: Sequence[Memory], passages: Sequence[tuple[Passage, str]]) -> Judged:
    """By passage: the verdict and the span that says it. Each comes with its words as they may still be read, in their
    places. Empty when the model could not be asked; a passage of which it said nothing usable is missing."""
    asked = _fitting(passages)
    if not asked or not memories:
        return {}
    content = "\n\n".join(
        [
            fence("memories", memory_lines(memories, person)),
            fence("passages", *(_passage(passage, text) for passage, text in asked)),
        ]
    )
    try:
        answer = fill(
            Purpose.FORGET,
            ForgetJudgement,
            system=render(PROMPTS / "forget_judge.v1.md"),
            messages=_said(content),
            person=person,
            run="forget",
        )
    except ClaudeError:
        return {}
    by_label = {f"p{passage.pk}": (passage.pk, text) for passage, text in asked}
    judged: Judged = {}
    for verdict in answer.verdicts:
        pk, text = by_label.get(verdict.passage, (0, ""))
        if pk and pk not in judged:
            judged[pk] = verdict.verdict, locate(verdict.quote, text) if verdict.quote else None
    return judged


def choose(person: Person, request: str, memories: Sequence[Memory]) -> tuple[list[Memory], bool] | None:
    """The memories that the request means, and whether it fits several things; None when nobody could be asked."""
    content = "\n\n".join([fence("request", request), fence("memories", memory_lines(memories, person))])
    try:
        answer = fill(
            Purpose.FORGET,
            ForgetTargets,
            system=render(PROMPTS / "forget_targets.v1.md"),
            messages=_said(content),
            person=person,
            run="forget",
        )
    except ClaudeError:
        return None
    by_label = {memory.label: memory for memory in memories}
    named = [label.strip("[] ") for label in answer.memories]
    return [by_label[label] for label in dict.fromkeys(named) if label in by_label], answer.ambiguous


def can_judge() -> bool:
    """Whether a language model answers. The stand-in fills the same shapes, but its word decides nothing here."""
    return not is_standin()


def _fitting(passages: Sequence[tuple[Passage, str]]) -> list[tuple[Passage, str]]:
    asked: list[tuple[Passage, str]] = []
    room = MAX_CHARACTERS
    for passage, text in passages[:MAX_PASSAGES]:
        if len(text) <= room:
            asked.append((passage, text))
            room -= len(text)
    return asked


def _passage(passage: Passage, text: str) -> str:
    return fence("passage", text, id=f"p{passage.pk}", origin=passage.origin)


def _said(content: str) -> list[Block]:
    return [{"role": "user", "content": [{"type": "text", "text": content}]}]
