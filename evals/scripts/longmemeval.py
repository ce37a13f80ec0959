"""LongMemEval's form (Wu et al. 2024), its oracle, S and M files alike: a history and a question for each life. A
question whose id ends in `_abs` has no answer in its history."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import Any

from evals.scripts.script import ABSTENTION, Question, Script, Session, pairs
from memories.models import Origin
from memories.transcript import Part


def fits(row: dict[str, Any]) -> bool:
    return "haystack_sessions" in row and "question_date" in row


def read(row: dict[str, Any], name: str, person: str = "") -> Script:
    ids = row.get("haystack_session_ids") or [f"session {n}" for n in range(1, len(row["haystack_sessions"]) + 1)]
    days = [_moment(day) for day in row["haystack_dates"]]
    sessions: list[Session] = []
    after: datetime | None = None
    for day, ident, turns in sorted(zip(days, ids, row["haystack_sessions"], strict=True), key=lambda one: one[0]):
        # Some begin at the same minute: then one after the other.
        at = max(day, after) if after else day
        spoken = [
            (turn["role"], [Part(Origin.TYPED, turn["content"])], "") for turn in turns if turn["content"].strip()
        ]
        played = list(pairs(spoken, at))
        if played:
            sessions.append(Session(str(ident), played))
            after = played[-1].at + timedelta(minutes=1)
    ident = str(row["question_id"])
    question = Question(
        ident,
        ABSTENTION if ident.endswith("_abs") else str(row.get("question_type", "other")),
        row["question"],
        max(_moment(row["question_date"]), after) if after else _moment(row["question_date"]),
        answer="" if ident.endswith("_abs") else str(row["answer"]),
        evidence=tuple(str(one) for one in row.get("answer_session_ids", [])),
    )
    return Script("UTC", "en", sessions, [question], name=ident)


def _moment(text: str) -> datetime:
    """2023/05/20 (Sat) 02:21"""
    found = re.match(r"(\d{4})/(\d{2})/(\d{2})\D*(\d{2}):(\d{2})", text)
    if found is None:
        raise ValueError("A date of the file cannot be read.")
    year, month, day, hour, minute = map(int, found.groups())
    return datetime(year, month, day, hour, minute, tzinfo=UTC)
