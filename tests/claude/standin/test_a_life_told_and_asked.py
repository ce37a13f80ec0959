"""How much of an invented life the stand-in gives back: newest wins, what was before, when, whose, and unknown."""

from __future__ import annotations

from datetime import date

import pytest

from claude.standin.reading import read
from claude.standin.reconcile import reconcile
from claude.standin.requests import MemoryLine, Proposed
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


@pytest.mark.parametrize(
    ("said", "statement", "kind"),
    [
        ("請用簡短的條列式回答使用者。", "使用者希望助理用簡短的條列式回答使用者。", "procedural"),
        (
            "remember: cc every mail to bo@example.org",
            "The user wants the assistant to cc every mail to bo@example.org.",
            "procedural",
        ),
        ("記住:每封信都抄送給阿德。", "使用者希望助理每封信都抄送給阿德。", "procedural"),
        ("我的讀書會改到星期五了。", "使用者的讀書會改到星期五了。", "semantic"),
        ("我的攝影展4月5日開幕。", "使用者的攝影展2026年4月5日開幕。", "semantic"),
        ("我把護照收在書桌抽屜。", "使用者把護照收在書桌抽屜。", "semantic"),
        ("我姑媽下週要來臺中。", "使用者的姑媽2026年3月9日那週要來臺中。", "semantic"),
        ("I'm left-handed, so most scissors are a nuisance.", "The user is left-handed.", "semantic"),
        ("my sister doesn't like cats", "The user's sister doesn't like cats.", "semantic"),
        ("My sister lost her keys yesterday.", "The user's sister lost her keys on 1 March 2026.", "episodic"),
        ("My dog hurt its paw last week.", "The user's dog hurt its paw in the week of 23 February 2026.", "episodic"),
    ],
)  # fmt: skip
def test_the_form_of_a_statement(said: str, statement: str, kind: str) -> None:
    (one,) = read(said, DAY, Known())
    assert (one.text, one.kind) == (statement, kind)


@pytest.mark.parametrize("said", ["給我三個做蛋糕的點子。", "幫我想五個店名。", "講一個鬼故事給我聽。"])
def test_an_order_for_now_is_no_memory(said: str) -> None:
    assert read(said, DAY, Known()) == []


@pytest.mark.parametrize(
    ("new", "old", "verdict"),
    [
        ("使用者的房東換成王先生了。", "使用者的房東是林太太。", "replaces"),
        ("使用者2026年2月搬到臺南了。", "使用者住在新竹。", "replaces"),
        ("使用者把書桌搬到頂樓了。", "使用者搬到臺南了。", "new"),
        ("使用者每週四練團。", "使用者每週三去圖書館。", "new"),
        ("使用者的兒子從植物系轉到地質系。", "使用者的兒子主修植物。", "replaces"),
        ("The user's boss is Omar now.", "The user's boss is Rita.", "replaces"),
        ("The user's dentist is Dr Ho.", "The user's boss is Rita.", "new"),
        ("The user now drives a white van.", "The user drives a blue pickup.", "replaces"),
        ("The user switched from Inkscape to Affinity.", "The user uses Inkscape for patterns.", "replaces"),
        ("The user's favourite colour is rust.", "The user's favourite colour is teal.", "replaces"),
        ("The user's favourite colour is rust.", "The user's favourite tea is oolong.", "new"),
    ],
)
def test_one_holder_at_a_time(new: str, old: str, verdict: str) -> None:
    line = MemoryLine("m1", DAY, "semantic", "other", old)
    assert reconcile([Proposed("c1", DAY, new, (line,))])[0]["verdict"] == verdict
