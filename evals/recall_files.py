"""Files to measure recall on: LoCoMo's form, and exchanges with questions."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path
from typing import Any

from evals.scripts.locomo import CATEGORIES
from evals.scripts.rows import rows


class UnknownForm(Exception):
    """The file is neither of the two forms."""


@dataclass(frozen=True)
class Unit:
    """What a question's evidence names: a turn, or an exchange."""

    id: str
    conversation: str
    said_at: datetime
    person: str
    assistant: str = ""

    def dated_text(self) -> str:
        return f"[{self.said_at:%Y-%m-%d}] {self.person} {self.assistant}".strip()


@dataclass(frozen=True)
class Question:
    text: str
    evidence: frozenset[str]
    category: str = ""


@dataclass(frozen=True)
class Life:
    """One person's conversations and the questions about them."""

    name: str
    units: list[Unit]
    questions: list[Question] = field(default_factory=list)


def read(path: Path) -> list[Life]:
    held = list(rows(path))
    if all("conversation" in row and "qa" in row for row in held):
        return [_locomo(row, f"life-{n}") for n, row in enumerate(held, start=1)]
    if all("exchanges" in row and "questions" in row for row in held):
        return [_exchanges(row) for row in held]
    raise UnknownForm(path.name)


def _locomo(row: dict[str, Any], name: str) -> Life:
    units = list(_turns(row["conversation"]))
    known = {unit.id for unit in units}
    questions = []
    for asked in row["qa"]:
        evidence = frozenset(
            f"D{int(day)}:{int(turn)}" for day, turn in re.findall(r"D(\d+):(\d+)", " ".join(asked.get("evidence", [])))
        )
        if asked["category"] in {1, 2, 3, 4} and evidence & known:
            category = CATEGORIES.get(asked["category"], str(asked["category"]))
            questions.append(Question(asked["question"], evidence & known, category))
    return Life(name, units, questions)


def _turns(conversation: dict[str, Any]) -> Iterator[Unit]:
    sessions = sorted(int(key.split("_")[1]) for key in conversation if re.fullmatch(r"session_\d+", key))
    for session in sessions:
        begun = datetime.strptime(conversation[f"session_{session}_date_time"], "%I:%M %p on %d %B, %Y")  # noqa: DTZ007
        for n, turn in enumerate(conversation[f"session_{session}"]):
            said = f"{turn['speaker']}: {turn['text']}"
            if caption := turn.get("blip_caption"):
                said += f" [{caption}]"
            at = begun.replace(tzinfo=UTC) + timedelta(seconds=n)
            yield Unit(turn["dia_id"], f"session {session}", at, said)


def _exchanges(row: dict[str, Any]) -> Life:
    units = []
    for n, exchange in enumerate(row["exchanges"]):
        day = date.fromisoformat(exchange["date"])
        at = datetime.combine(day, time(12), UTC) + timedelta(seconds=n)
        units.append(Unit(exchange["id"], exchange["date"], at, exchange["user"], exchange["assistant"]))
    questions = [
        Question(asked["question"], frozenset(asked["evidence"]), str(asked.get("type", "")))
        for asked in row["questions"]
    ]
    return Life(row["user"], units, questions)
