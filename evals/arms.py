"""Three ways to answer the same question: with nothing remembered, with the whole history in the request, and with
memory as the product has it."""

from __future__ import annotations

from dataclasses import dataclass, field
from decimal import Decimal
from enum import StrEnum
from itertools import count
from pathlib import Path
from typing import Any

import chat
from chat.turns import NO_ANSWER
from claude.client import Block, complete
from claude.models import Call
from claude.prompts import fence, neutral, render
from claude.purposes import Purpose
from claude.tokens import estimate_tokens
from evals.replay import ask_in
from evals.scripts import Question, Script
from memories.models import Evidence, Memory, MemoryMode, Message, MessageState, Origin, Person, Recollection, Status
from memories.reading import readable_message
from memories.transcript import Part

SYSTEM = Path(chat.__path__[0]) / "prompts" / "system.v1.md"
# What fits into a request beside the question; of a longer history the newest.
FULL_MAX_TOKENS = 180_000
FULL_ANSWER_MAX_TOKENS = 1_024
_runs = count(1)


class Arm(StrEnum):
    NONE = "none"
    FULL = "full"
    MEMORY = "memory"


class NoAnswer(Exception):
    """The model did not answer; the code of why."""


@dataclass(frozen=True)
class Seen:
    """A memory as the report shows it."""

    label: str
    statement: str
    how: str = ""
    rank: int = 0

    def as_json(self) -> dict[str, Any]:
        return {"label": self.label, "statement": self.statement, "how": self.how, "rank": self.rank}


@dataclass(frozen=True)
class Reply:
    text: str
    tokens_in: int
    tokens_out: int
    cost: Decimal | None
    latency_ms: int
    recalled: list[Seen] = field(default_factory=list)
    # By the turn or session that the answer rests on.
    stored: dict[str, list[Seen]] = field(default_factory=dict)
    cited: list[str] = field(default_factory=list)


def answer(arm: Arm, script: Script, person: Person, question: Question) -> Reply:
    if arm == Arm.FULL:
        return _from_full_history(script, person, question)
    mode = MemoryMode.READ_ONLY if arm == Arm.MEMORY else MemoryMode.TEMPORARY
    reply = ask_in(person, question, mode)
    if reply.state != MessageState.DONE:
        raise NoAnswer(reply.error or reply.state)
    given = list(Recollection.objects.filter(reply=reply).select_related("memory").order_by("how", "rank", "pk"))
    return _measured(
        f"reply-{reply.pk}",
        readable_message(reply),
        recalled=[_seen(one.memory, one.how, one.rank) for one in given],
        stored=_stored(script, person, question) if arm == Arm.MEMORY else {},
        cited=sorted({one.memory.label for one in given if one.cited}),
    )


def _from_full_history(script: Script, person: Person, question: Question) -> Reply:
    run = f"evaluation-{person.pk}-{next(_runs)}"
    asked = [fence("now", _clock(person, question.asked_at)), neutral(question.ask)]
    messages = [*_history(script, person), _turn("user", *asked)]
    response = complete(
        Purpose.CHAT,
        system=render(SYSTEM),
        messages=messages,
        person=person,
        run=run,
        max_tokens=FULL_ANSWER_MAX_TOKENS,
    )
    return _measured(run, response.text)


def _history(script: Script, person: Person) -> list[Block]:
    """All turns that fit, oldest first, the last with a breakpoint: each question reads the same prefix."""
    kept: list[list[Block]] = []
    room = FULL_MAX_TOKENS
    for turn in reversed([turn for session in script.sessions for turn in session.turns]):
        texts = [fence("now", _clock(person, turn.at)), *map(_words, turn.parts)]
        answered = turn.answer or NO_ANSWER
        room -= estimate_tokens("\n".join([*texts, answered]))
        if room < 0:
            break
        kept.append([_turn("user", *texts), _turn("assistant", answered)])
    messages = [message for both in reversed(kept) for message in both]
    if messages:
        messages[-1]["content"][-1]["cache_control"] = {"type": "ephemeral"}
    return messages


def _turn(role: str, *texts: str) -> Block:
    return {"role": role, "content": [{"type": "text", "text": text} for text in texts]}


def _words(part: Part) -> str:
    if part.origin == Origin.TYPED:
        return neutral(part.text)
    return fence("file", part.text, name=part.name) if part.origin == Origin.FILE else fence("pasted", part.text)


def _clock(person: Person, at: Any) -> str:
    return f"{person.local(at):%Y-%m-%d %H:%M %A} {person.zone.key}"


def _measured(run: str, text: str, **seen: Any) -> Reply:
    calls = list(Call.objects.filter(run=run))
    costs = [call.cost for call in calls]
    return Reply(
        text.strip(),
        sum(call.tokens_in + call.tokens_cache_write + call.tokens_cache_read for call in calls),
        sum(call.tokens_out for call in calls),
        None if None in costs else sum((cost for cost in costs if cost is not None), Decimal(0)),
        sum(call.duration_ms for call in calls),
        **seen,
    )


def _stored(script: Script, person: Person, question: Question) -> dict[str, list[Seen]]:
    """What is kept of the turns that the answer rests on, whether it was recalled or not."""
    return {place: _kept_of(script.heard.get(place, set()), person) for place in question.evidence}


def _kept_of(messages: set[int], person: Person) -> list[Seen]:
    resting = Evidence.objects.filter(passage__message__in=messages).values("memory")
    kept = Memory.objects.of(person).kept().filter(pk__in=resting).order_by("number")
    return [_seen(memory, "" if memory.status == Status.ACTIVE else memory.status) for memory in kept]


def _seen(memory: Memory, how: str, rank: int = 0) -> Seen:
    return Seen(memory.label, memory.statement, str(how), rank)


def unanswered(person: Person) -> int:
    """Replies of a played life that failed."""
    return Message.objects.of(person).filter(state=MessageState.FAILED).count()
