from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

import pytest

from claude.client import using
from evals import judging
from evals.judging import Better, Judged
from evals.scripts import Question
from evals.table import Share
from memories.models import Person
from tests.fakes.wire import FakeWire

NOW = datetime(2026, 3, 17, tzinfo=UTC)


def asked(category: str = "knowledge-update", **fields: Any) -> Question:
    return Question("q1", category, "Where do I live now?", NOW, **fields)


def test_strings_decide_where_they_can() -> None:
    question = asked(accept=["Stonehaven"], reject=["live in Ferryhill"])
    assert judging.by_strings(question, "In STONEHAVEN. [m3]") is True
    assert judging.by_strings(question, "You live in Ferryhill, not in Stonehaven.") is False
    assert judging.by_strings(question, "By the sea.") is None


@pytest.mark.parametrize(
    "said",
    ["I don't know; you haven't told me.", "I have no record of that.", "我不知道,你沒有提過。", "你還沒有告訴我。"],
)
def test_an_abstention_is_right_when_it_says_so_in_either_language(said: str) -> None:
    assert judging.by_strings(asked("abstention"), said) is (True if judging.knows_not(said) else None)
    assert judging.knows_not(said)


def test_a_short_answer_of_a_file_is_not_decided_by_strings() -> None:
    assert judging.by_strings(asked(answer="2"), "On the 25th.") is None
    assert judging.by_strings(asked(answer="Lisbon"), "You moved to Lisbon in May.") is True
    assert judging.by_strings(asked(answer="Lisbon"), "You know the Lisbonian well.") is None


@pytest.mark.django_db
def test_what_strings_cannot_tell_a_model_judges(alice: Person) -> None:
    wire = FakeWire({"reasoning": "It is the same town.", "right": True})
    with using(wire):
        judged = judging.judge(asked(answer="the harbour town south of Aberdeen"), "Stonehaven.", alice)
    assert (judged.right, judged.by) == (True, Judged.BY_MODEL)
    (request,) = wire.history
    assert "You judge whether an answer is right" in json.dumps(request["system"])


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("forth", "back", "better"),
    [("a", "b", Better.A), ("b", "a", Better.B), ("a", "a", Better.TIE), ("b", "b", Better.TIE), ("tie", "tie", "tie")],
)
def test_pairs_are_judged_both_ways_round_and_a_split_is_a_tie(
    alice: Person, forth: str, back: str, better: Better
) -> None:
    wire = FakeWire({"reasoning": "It fits.", "better": forth}, {"reasoning": "It fits.", "better": back})
    with using(wire):
        assert judging.prefer("Plan it.", "one", "two", truths=["The user rows."], person=alice) == better
    shown = [[block["text"] for block in request["messages"][0]["content"]] for request in wire.history]
    assert "one" in shown[0][2]
    assert "one" in shown[1][3]


@pytest.mark.django_db
def test_the_judges_agreement_with_labelled_answers_is_reported(alice: Person) -> None:
    rows = json.loads(judging.LABELLED.read_text(encoding="utf-8"))
    assert len(rows) == 40
    assert {row["language"] for row in rows} == {"en", "zh-Hant"}
    verdicts = [row["right"] for row in rows]
    verdicts[0] = not verdicts[0]
    with using(FakeWire(*({"reasoning": "Compared.", "right": right} for right in verdicts))):
        share, by = judging.agreement(alice)
    assert (share, by) == (Share(39, 40), "judge.v1")
    alone, by = judging.agreement(alice)
    assert by == "strings alone"
    assert alone.of == 40


def test_intervals_are_wilsons() -> None:
    low, high = Share(8, 10).interval
    assert (round(low, 3), round(high, 3)) == (0.490, 0.943)
    assert Share(0, 10).interval[0] == 0
    assert str(Share(0, 0)) == "-"
