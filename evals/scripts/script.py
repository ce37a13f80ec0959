"""What there is to play, and what there is to ask afterwards."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from memories.models import Origin
from memories.transcript import Part

BETWEEN_TURNS = timedelta(seconds=30)


class UnknownForm(ValueError):
    """The file has none of the forms that are read."""


@dataclass(frozen=True)
class Turn:
    """What the person says, and what the file has the assistant answer ("" where it leaves that to the model)."""

    parts: list[Part]
    answer: str
    at: datetime
    # What the file calls the turns in it, for evidence that names them.
    names: tuple[str, ...] = ()


@dataclass(frozen=True)
class Session:
    name: str
    turns: list[Turn]


@dataclass(frozen=True)
class Question:
    name: str
    category: str
    ask: str
    asked_at: datetime
    # An answer that holds one of these, and none of those, is right.
    accept: list[str] = field(default_factory=list)
    reject: list[str] = field(default_factory=list)
    # What the file gives as the answer, for a judge that reads.
    answer: str = ""
    # The turns or sessions that the answer rests on.
    evidence: tuple[str, ...] = ()

    @property
    def abstains(self) -> bool:
        return self.category == ABSTENTION


ABSTENTION = "abstention"


@dataclass(frozen=True)
class Script:
    """One person's months."""

    time_zone: str
    language: str
    sessions: list[Session]
    questions: list[Question] = field(default_factory=list)
    expected: dict[str, Any] = field(default_factory=dict)
    forget: dict[str, Any] = field(default_factory=dict)
    planted: dict[str, Any] = field(default_factory=dict)
    name: str = ""
    # Where each turn of the file stands once it is played: "s3.2" -> message id.
    places: dict[str, int] = field(default_factory=dict)
    # The messages that a name in the file stands for, a turn's or a session's.
    heard: dict[str, set[int]] = field(default_factory=dict)


def pairs(spoken: Iterable[tuple[str, list[Part], str]], at: datetime) -> Iterator[Turn]:
    """Turns of the person with the answer that follows, from (role, parts, name). Several in a row are one; an answer
    to nothing is answered to "…"."""
    said: list[Part] = []
    answers: list[str] = []
    names: list[str] = []
    for role, parts, name in spoken:
        if role == "user" and answers:
            yield Turn(said, "\n\n".join(answers), at, tuple(names))
            at += BETWEEN_TURNS
            said, answers, names = [], [], []
        if role == "user":
            said = said + parts
        else:
            said = said or [Part(Origin.TYPED, "…")]
            answers += [part.text for part in parts]
        names += [name] if name else []
    if said:
        yield Turn(said, "\n\n".join(answers), at, tuple(names))
