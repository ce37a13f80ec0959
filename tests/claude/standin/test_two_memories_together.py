"""What only two memories together say, whole classes of things, and what is not asked of the person at all."""

from __future__ import annotations

from datetime import date

import pytest

from claude.standin.reading import read
from claude.standin.requests import MemoryLine
from tests.claude.standin.living import asked, remembered

DAY = date(2026, 3, 2)
ENGLISH = [
    "My workshop opens on 3 June.",
    "My uncle Fergus arrives two days before my workshop opens.",
    "I keep my passport in the red tin.",
    "I moved the red tin to the attic.",
    "My aunt Una lives in Leeds.",
    "My friend Bo is vegan.",
    "My sister Mairi plays the harp.",
    "I take the tram to work.",
    "I live in Perth.",
    "I'm pescatarian.",
]
CHINESE = [
    "我的講座六月三日開始。",
    "我舅舅會在講座開始前兩天到嘉義。",
    "我姑姑會在講座前一週抵達屏東。",
    "我把護照收在紅鐵盒裡。",
    "我把紅鐵盒搬到閣樓了。",
    "我阿姨小蓉住在花蓮。",
    "我朋友阿德吃全素。",
    "我住在北投。",
    "我搭公車上班。",
    "我每個星期日早上去打羽毛球。",
]


@pytest.fixture(scope="module")
def english() -> list[MemoryLine]:
    return remembered([(DAY, said) for said in ENGLISH])


@pytest.fixture(scope="module")
def chinese() -> list[MemoryLine]:
    return remembered([(DAY, said) for said in CHINESE])


@pytest.mark.parametrize(
    ("question", "holds", "without"),
    [
        ("On which date does Fergus arrive?", "1 June 2026", ""),
        ("When does my uncle arrive?", "1 June 2026", ""),
        ("Where is my passport?", "attic", ""),
        ("In which room is my passport?", "attic", ""),
        ("Which of my relatives did I mention?", "Una", "Bo"),
        ("Which members of my family have I told you about?", "Fergus", "Bo"),
        ("Do I have any siblings?", "Mairi", "Una"),
        ("Do I live in Perth?", "Yes", ""),
        ("Do I live in Paisley?", "You live in Perth", "Yes"),
        ("Are you vegan?", "", ""),
        ("Am I vegan?", "You are pescatarian", "Yes"),
        ("Do I eat meat?", "You are pescatarian", "Yes"),
        ("Which car do I drive?", "", ""),
    ],
)
def test_in_english(english: list[MemoryLine], question: str, holds: str, without: str) -> None:
    _check(asked(question, english), holds, without)


@pytest.mark.parametrize(
    ("question", "holds", "without"),
    [
        ("我舅舅幾月幾日到嘉義？", "2026年6月1日", ""),
        ("我姑姑哪一天抵達屏東？", "2026年5月27日", ""),
        ("我的護照在家裡的哪個地方？", "閣樓", ""),
        ("我跟你提過哪些家人？", "小蓉", "阿德"),
        ("我每個星期日早上做什麼？", "羽毛球", ""),
        ("我住在北投嗎？", "是的", ""),
        ("我住在石牌嗎？", "你住在北投", "是的"),
        ("你吃素嗎？", "", ""),
        ("我開什麼車？", "", ""),
    ],
)
def test_in_chinese(chinese: list[MemoryLine], question: str, holds: str, without: str) -> None:
    _check(asked(question, chinese), holds, without)


@pytest.mark.parametrize(
    ("before", "after", "question", "holds"),
    [
        ("The user lives in Perth.", "The user moved to Oban.", "Where did I live before I moved?", "Perth"),
        ("使用者住在北投。", "使用者搬到三峽了。", "我搬家以前住在哪裡？", "北投"),
    ],
)
def test_what_a_newer_line_left_behind_before_any_night_said_so(
    before: str, after: str, question: str, holds: str
) -> None:
    lines = [
        MemoryLine("m1", DAY, "semantic", "place", before),
        MemoryLine("m2", date(2026, 4, 2), "semantic", "place", after),
    ]
    _check(asked(question, lines), holds, "[m2]")


@pytest.mark.parametrize("said", ["我現在肚子有點痛。", "我現在有些頭暈。"])
def test_how_one_feels_just_now_is_no_memory(said: str) -> None:
    assert read(said, DAY) == []


def _check(answer: str, holds: str, without: str) -> None:
    assert bool(answer) == bool(holds)
    assert holds in answer
    assert not without or without not in answer
