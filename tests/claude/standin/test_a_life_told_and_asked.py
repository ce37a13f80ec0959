"""How much of an invented life the stand-in gives back: newest wins, what was before, when, whose, and unknown."""

from __future__ import annotations

from datetime import date

import pytest

from claude.standin.reading import read
from claude.standin.requests import MemoryLine
from claude.standin.statements import Known
from tests.claude.standin.lives import BEYOND, CHINESE_ASKED, CHINESE_SAID, ENGLISH_ASKED, ENGLISH_SAID
from tests.claude.standin.living import asked, remembered

DAY = date(2026, 3, 2)


@pytest.fixture(scope="module")
def english() -> list[MemoryLine]:
    return remembered(ENGLISH_SAID)


@pytest.fixture(scope="module")
def chinese() -> list[MemoryLine]:
    return remembered(CHINESE_SAID)


@pytest.mark.parametrize(("question", "holds", "without"), ENGLISH_ASKED)
def test_a_question_in_english(english: list[MemoryLine], question: str, holds: str, without: str) -> None:
    _check(asked(question, english), holds, without)


@pytest.mark.parametrize(("question", "holds", "without"), CHINESE_ASKED)
def test_a_question_in_chinese(chinese: list[MemoryLine], question: str, holds: str, without: str) -> None:
    if question in BEYOND:
        pytest.xfail("two statements that only together say it")
    _check(asked(question, chinese), holds, without)


def _check(answer: str, holds: str, without: str) -> None:
    assert bool(answer) == bool(holds)
    assert holds in answer
    assert not without or without not in answer


@pytest.mark.parametrize(
    ("said", "statements"),
    [
        ("我朋友小蓉是獸醫，住在魚池。", ["使用者的朋友小蓉是獸醫。", "使用者的朋友小蓉住在魚池。"]),
        ("我兒子考上大學，主修植物。", ["使用者的兒子考上大學。", "使用者的兒子主修植物。"]),
        ("我住在埔里，種香菇。", ["使用者住在埔里。", "使用者種香菇。"]),
        ("我媽媽說很想養貓，喜歡橘貓。", ["使用者的媽媽說很想養貓。"]),
    ],
)
def test_a_clause_without_a_subject_is_of_whoever_the_one_before_told(said: str, statements: list[str]) -> None:
    assert [one.text for one in read(said, DAY, Known())] == statements


@pytest.mark.parametrize(
    ("said", "statement"),
    [
        ("I have to go, but remember that my flight is on Friday.", "The user's flight is on 6 March 2026."),
        ("Nice weather; don't forget I park on level 2.", "The user parks on level 2."),
        ("我要出門了，記得我的班機是星期五。", "使用者的班機是2026年3月6日。"),
    ],
)
def test_what_is_asked_to_be_kept_at_the_end_of_a_sentence(said: str, statement: str) -> None:
    (one,) = read(said, DAY, Known())
    assert (one.text, one.asked, one.key) == (statement, True, True)
    assert one.quote in said


def test_one_sentence_with_two_deeds_is_two_statements() -> None:
    assert [one.text for one in read("I sold the boat yesterday and bought a canoe.", DAY, Known())] == [
        "The user sold the boat on 1 March 2026.",
        "The user bought a canoe.",
    ]
