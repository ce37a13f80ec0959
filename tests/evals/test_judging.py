from __future__ import annotations

import hashlib
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
    [
        "I don't know; you haven't told me.", "I have no record of that.", "Sorry, I’m not sure.",
        "You never mentioned a boat.", "I couldn't find anything on that.", "That is unknown to me.",
        "我不知道,你沒有提過。", "你還沒有告訴我。", "我這裡查不到。", "您尚未提及此事。", "我没有相关资料。",
        "我不曉得。",
    ],
)  # fmt: skip
def test_an_abstention_is_right_when_it_says_so_in_either_language(said: str) -> None:
    assert judging.by_strings(asked("abstention"), said) is True
    assert judging.by_strings(asked(answer="a flat in Porto"), said) is False


@pytest.mark.parametrize(
    "said", ["I don't know, but perhaps in Lisbon.", "我不確定,可能在台中。", "In Lisbon.", "在台中。"]
)
def test_an_abstention_that_goes_on_to_guess_is_left_to_a_reader(said: str) -> None:
    assert judging.by_strings(asked("abstention"), said) is None


@pytest.mark.parametrize(
    ("right", "said", "verdict"),
    [
        # Numbers, in figures, in words and in Chinese; what is counted counts.
        ("twelve", "There are 12 of them.", True),
        ("25", "Twenty-five, if I count the small ones.", True),
        ("兩輛", "你有2輛腳踏車。", True),
        ("十二歲", "他今年 12 歲。", True),
        ("twelve", "There are 11 of them.", False),
        ("三個", "你有四個。", False),
        ("four", "Three or four.", False),
        ("four", "Three in May and four in June.", None),
        ("3 months", "It takes 3 weeks.", None),
        ("2", "On the 25th.", None),
        # Dates as each language writes them; a part of one is not the whole.
        ("9 August 2025", "It was on 2025-08-09.", True),
        ("9 August 2025", "On August 9th, 2025, a Saturday.", True),
        ("2025年8月9日", "2025 年八月九號。", True),
        ("8月9日", "八月九號。", True),
        ("9 August", "On the 9th of August 2025.", True),
        ("9 August 2025", "In August 2024.", False),
        ("9 August 2025", "In August.", None),
        ("2022", "You may have bought it in 2022.", True),
        # Weekdays, and what was so before.
        ("Monday", "Mondays.", True),
        ("Monday", "It moved from Saturday to Monday.", None),
        ("星期一", "以前是禮拜六,現在是禮拜一。", True),
        ("週一", "不是星期一,是星期六。", False),
        # Words, in the variants of a script and in the plural.
        ("臺北的書店", "你在台北的书店上班。", True),
        ("oyster", "You like oysters.", True),
        ("Lisbon", "You moved to Lisbon in May.", True),
        ("Lisbon", "You know the Lisbonian well.", None),
        ("Lisbon", "Not in Lisbon.", None),
        ("Lisbon", "Probably Lisbon.", None),
        ("Lisbon", "Either Porto or Lisbon.", None),
        ("Lisbon", "You used to live in Lisbon.", None),
        ("Lisbon", "", False),
    ],
)
def test_a_files_answer_is_looked_for_in_whatever_form_it_is_said(right: str, said: str, verdict: bool | None) -> None:
    assert judging.by_strings(asked(answer=right), said) is verdict


def test_what_was_so_before_answers_a_question_about_the_past() -> None:
    question = Question("q1", "temporal", "Where did I live before?", NOW, answer="Lisbon")
    assert judging.by_strings(question, "Before that you lived in Lisbon.") is True


@pytest.mark.django_db
def test_what_strings_cannot_tell_a_model_judges(alice: Person) -> None:
    wire = FakeWire({"reasoning": "It is the same town.", "right": True})
    with using(wire):
        judged = judging.judge(asked(answer="the harbour town south of Aberdeen"), "Stonehaven.", alice)
    assert (judged.right, judged.by) == (True, Judged.BY_MODEL)
    (request,) = wire.history
    assert "You judge whether an answer is right" in json.dumps(request["system"])
    assert [block["text"] for block in request["messages"][0]["content"]] == [
        "<request>\nWhere do I live now?\n</request>",
        '<passage id="right-answer">\nthe harbour town south of Aberdeen\n</passage>',
        '<passage id="assistants-answer">\nStonehaven.\n</passage>',
    ]


def test_a_judges_prompt_changes_with_its_version_only() -> None:
    digests = {
        file.stem: hashlib.sha256(file.read_bytes()).hexdigest()[:16] for file in (judging.JUDGE, judging.PAIRWISE)
    }
    assert digests == {"judge.v1": "abcb5107eca2e1f3", "pairwise.v1": "1fa95cc589167fa7"}


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
        found = judging.agreement(alice)
    assert (found.of_all, found.model) == (Share(39, 40), "judge.v1")
    assert found.of_left is not None
    assert found.of_left.of == found.left == 40 - found.strings.of
    alone = judging.agreement(alice)
    assert (alone.strings, alone.left, alone.of_all) == (found.strings, found.left, None)
    # They decide only where they are right, and leave the rest.
    assert alone.strings.value >= 0.95
    assert alone.strings.of >= 20


def test_intervals_are_wilsons() -> None:
    low, high = Share(8, 10).interval
    assert (round(low, 3), round(high, 3)) == (0.490, 0.943)
    assert Share(0, 10).interval[0] == 0
    assert str(Share(0, 0)) == "-"
