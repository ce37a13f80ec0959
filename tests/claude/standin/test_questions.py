# ruff: noqa: E501  (memory lines stand in one line)
"""Questions answered from memory lines, and from nothing else."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from claude.standin.questions import understand
from claude.standin.recollecting import answer
from claude.standin.requests import memory_lines

NOW = datetime(2026, 5, 20, 12, tzinfo=UTC)
ENGLISH = """[m1] (said 2026-01-05; semantic, work) The user is a paramedic.
[m2] (said 2026-01-05; semantic, work; past until 2026-04-01) The user works in Cardiff.
[m3] (said 2026-04-01; semantic, work) The user works in Osaka.
[m4] (said 2026-01-08; semantic, people) The user's daughter Freya plays the harp.
[m5] (said 2026-01-09; semantic, taste) The user hates mushrooms.
[m6] (said 2026-01-09; semantic, taste) The user loves aubergines.
[m7] (said 2026-01-10; semantic, people) The user's neighbour hates dogs.
[m8] (said 2026-02-01; semantic, people; plan; event 2026-08-01..2026-08-31) The user is going to visit the user's grandmother in Oslo in August 2026.
[m9] (said 2026-02-02; semantic, routine) The user plays badminton on Saturdays with the user's cousin Ravi.
[m10] (said 2026-02-03; semantic, health) The user is allergic to sesame.
[m11] (said 2026-02-04; semantic, people) The user's friend Bo is vegan.
[m12] (said 2026-02-05; semantic, people) The user's cat is called Pixel.
[m13] (said 2026-02-06; procedural, style) The user wants the assistant always to add type hints when it writes code for the user.
[m14] (said 2026-02-07; semantic, routine) The user cycles to the office every day.
[m15] (said 2026-02-08; episodic, event; event 2026-01-26..2026-02-01) The user bought a second-hand cello in the week of 26 January 2026."""
CHINESE = """[m1] (said 2026-01-05; semantic, work) 使用者的工作是獸醫。
[m2] (said 2026-01-05; semantic, work; past until 2026-04-01) 使用者在嘉義的動物醫院上班。
[m3] (said 2026-04-01; semantic, work) 使用者現在在大阪上班。
[m4] (said 2026-01-08; semantic, people) 使用者的女兒小晴在學大提琴。
[m5] (said 2026-01-09; semantic, taste) 使用者討厭香菇。
[m6] (said 2026-01-10; semantic, people) 使用者的鄰居討厭狗。
[m7] (said 2026-01-11; semantic, people) 使用者的朋友阿德吃全素。
[m8] (said 2026-02-02; semantic, people) 使用者每週六跟表弟打羽毛球。
[m9] (said 2026-02-03; semantic, health) 使用者對芝麻過敏。
[m10] (said 2026-02-05; semantic, people) 使用者的貓叫小黑。
[m11] (said 2026-02-06; procedural, style) 使用者希望助理以後回答請控制在一百字以內。
[m12] (said 2026-02-09; semantic, work; plan; event 2026-08-01..2026-08-31) 使用者2026年8月可能要調到雪梨分公司。"""


def asked(question: str, lines: str) -> str:
    return answer(understand(question), memory_lines(lines), NOW)


@pytest.mark.parametrize(
    ("question", "said", "cited"),
    [
        ("What do I do for a living?", "paramedic", "m1"),
        ("Where do I work now?", "Osaka", "m3"),
        ("Where did I work before?", "Cardiff", "m2"),
        ("What instrument does my daughter play?", "harp", "m4"),
        ("What is my daughter's name?", "Freya", "m4"),
        ("Which vegetable do I hate?", "mushrooms", "m5"),
        ("Do I like mushrooms?", "No: You hate mushrooms", "m5"),
        ("Do I like aubergines?", "Yes", "m6"),
        ("Does my neighbour like dogs?", "hates dogs", "m7"),
        ("What are my plans for August?", "Oslo", "m8"),
        ("On which day do I play badminton?", "Saturdays", "m9"),
        ("Who do I play badminton with?", "Ravi", "m9"),
        ("What should I avoid eating?", "sesame", "m10"),
        ("What is my cat called?", "Pixel", "m12"),
        ("How should you write code for me?", "type hints", "m13"),
        ("How do I get to the office?", "cycle", "m14"),
        ("When did I tell you about the cello?", "7 February 2026", "m15"),
        ("Which did I mention first: the cello, or badminton?", "badminton", "m9"),
        ("How many hours ahead is the city I work in now of the one before?", "8 hours ahead", "m3"),
    ],
)
def test_an_english_question_is_answered_with_its_memory(question: str, said: str, cited: str) -> None:
    told = asked(question, ENGLISH.replace("said 2026-02-08", "said 2026-02-07"))
    assert said in told
    assert f"[{cited}]" in told


@pytest.mark.parametrize(
    ("question", "said", "cited"),
    [
        ("我做什麼工作？", "獸醫", "m1"),
        ("我現在在哪裡上班？", "大阪", "m3"),
        ("我以前在哪裡上班？", "嘉義", "m2"),
        ("我現在上班的城市比以前的快幾個小時？", "1", "m3"),
        ("我女兒學什麼樂器？", "大提琴", "m4"),
        ("我討厭吃什麼？", "香菇", "m5"),
        ("我喜歡香菇嗎？", "不是", "m5"),
        ("我鄰居喜歡狗嗎？", "討厭狗", "m6"),
        ("我禮拜幾打羽毛球？", "週六", "m8"),
        ("訂餐要避開什麼？", "芝麻", "m9"),
        ("我的貓叫什麼名字？", "小黑", "m10"),
        ("我希望你的回答最多幾個字？", "一百字", "m11"),
        ("我是什麼時候跟你說可能要調到雪梨的？", "2月9日", "m12"),
        ("先提到的是羽毛球還是香菇？", "香菇", "m5"),
    ],
)
def test_a_chinese_question_is_answered_with_its_memory(question: str, said: str, cited: str) -> None:
    told = asked(question, CHINESE)
    assert said in told
    assert f"[{cited}]" in told


@pytest.mark.parametrize(
    "question",
    [
        "What do I earn?",
        "What is my brother's name?",
        "Am I vegan?",
        "Do I eat vegan food?",
        "Do I hate dogs?",
        "Where do I live?",
        "Am I allergic to eggs?",
        "What is my dog called?",
        "When is my birthday?",
    ],
)
def test_what_no_memory_says_is_not_answered(question: str) -> None:
    assert asked(question, ENGLISH) == ""


@pytest.mark.parametrize(
    "question",
    [
        "我吃素嗎？",
        "我妹妹叫什麼名字？",
        "我薪水多少？",
        "我討厭狗嗎？",
        "我住哪裡？",
        "我對雞蛋過敏嗎？",
        "我的狗叫什麼？",
    ],
)
def test_what_no_memory_says_is_not_answered_in_chinese(question: str) -> None:
    assert asked(question, CHINESE) == ""
