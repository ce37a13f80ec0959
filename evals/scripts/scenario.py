"""The project's own form: sessions with turns, what is expected of memory, and questions."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

from evals.scripts.script import Question, Script, Session, Turn, pairs
from memories.models import Origin
from memories.transcript import Part


def fits(row: dict[str, Any]) -> bool:
    return "sessions" in row and "timezone" in row


def read(row: dict[str, Any], name: str, person: str = "") -> Script:
    sessions = [
        Session(session["id"], list(_turns(session["turns"], datetime.fromisoformat(session["at"]))))
        for session in row["sessions"]
    ]
    return Script(
        row["timezone"],
        row["language"],
        sessions,
        [_question(question) for question in row.get("questions", [])],
        row.get("expected", {}),
        row.get("forget", {}),
        row.get("planted", {}),
        row.get("id", name),
    )


def _question(question: dict[str, Any]) -> Question:
    return Question(
        question["id"],
        question["category"],
        question["ask"],
        datetime.fromisoformat(question["asked_at"]).astimezone(UTC),
        question["accept"],
        question["reject"],
        question.get("answer", ""),
        tuple(question.get("evidence", [])),
    )


def _turns(turns: list[dict[str, Any]], at: datetime) -> Iterator[Turn]:
    spoken = [
        (
            turn["role"],
            [Part(Origin(part["origin"]), part["text"]) for part in turn["passages"]]
            if "passages" in turn
            else [Part(Origin.TYPED, turn["text"])],
            "",
        )
        for turn in turns
    ]
    yield from pairs(spoken, at.astimezone(UTC))
