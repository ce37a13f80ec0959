"""LoCoMo's form (Maharana et al. 2024): two people talk over months; one of them is taken for the person, the other for
the assistant. The questions speak of both by name, so each is put with who is who."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import Any

from evals.scripts.script import ABSTENTION, Question, Script, Session, pairs
from memories.models import Origin
from memories.transcript import Part

CATEGORIES = {1: "multi-session", 2: "temporal", 3: "open-domain", 4: "information-extraction", 5: ABSTENTION}


def fits(row: dict[str, Any]) -> bool:
    return isinstance(row.get("conversation"), dict) and "speaker_a" in row["conversation"]


def read(row: dict[str, Any], name: str, person: str = "") -> Script:
    talk = row["conversation"]
    me = person or talk["speaker_a"]
    if me not in {talk["speaker_a"], talk["speaker_b"]}:
        raise ValueError("The file has no such speaker.")
    numbers = sorted(int(found[1]) for key in talk if (found := re.fullmatch(r"session_(\d+)", key)) and talk[key])
    sessions = []
    for number in numbers:
        at = datetime.strptime(talk[f"session_{number}_date_time"], "%I:%M %p on %d %B, %Y").replace(tzinfo=UTC)
        spoken = [
            (
                "user" if turn["speaker"] == me else "assistant",
                [Part(Origin.TYPED, _words(turn))],
                str(turn.get("dia_id", "")),
            )
            for turn in talk[f"session_{number}"]
        ]
        sessions.append(Session(f"session {number}", list(pairs(spoken, at))))
    asked_at = sessions[-1].turns[-1].at + timedelta(days=1)
    other = talk["speaker_b"] if me == talk["speaker_a"] else talk["speaker_a"]
    who = f"(I am {me}, and it was {other} who answered me.)"
    questions = [_question(asked, n, asked_at, who) for n, asked in enumerate(row.get("qa", []), start=1)]
    return Script("UTC", "en", sessions, questions, name=str(row.get("sample_id", name)))


def _question(asked: dict[str, Any], number: int, asked_at: datetime, who: str) -> Question:
    evidence = re.findall(r"D(\d+):(\d+)", " ".join(asked.get("evidence", [])))
    category = CATEGORIES.get(asked["category"], "other")
    return Question(
        f"q{number}",
        category,
        f"{asked['question']} {who}",
        asked_at,
        answer="" if category == ABSTENTION else str(asked.get("answer", "")),
        evidence=tuple(f"D{int(session)}:{int(turn)}" for session, turn in evidence),
    )


def _words(turn: dict[str, Any]) -> str:
    caption = turn.get("blip_caption")
    return f"{turn['text']} [{caption}]" if caption else str(turn["text"])
