"""How the stand-in holds to what the person wants of its answers, and knows a wish to forget from other words."""

from __future__ import annotations

import pytest

from claude.standin import forgetting
from claude.standin.answering import answer
from tests.claude.standin.test_chatting import TOOLS, request, text

TWO = (
    "[m1] (said 2026-01-12; semantic, taste) The user can't stand celery.\n"
    "[m2] (said 2026-01-13; semantic, taste) The user hates carrots.\n"
)
WANTS = "[m9] (said 2026-01-14; procedural, style) The user wants the assistant to keep its answers {how}."


def test_short_answers_are_given_where_they_are_wanted() -> None:
    question = "Which vegetables do I dislike?"
    assert len(text(request(question, memories=TWO)).splitlines()) == 2
    assert len(text(request(question, memories=TWO + WANTS.format(how="short"))).splitlines()) == 1
    listed = text(request(question, memories=TWO + WANTS.format(how="in bullet points")))
    assert all(line.startswith("- ") for line in listed.splitlines())


def test_the_language_that_the_person_wants_is_spoken() -> None:
    wants = "[m9] (said 2026-01-14; procedural, style) 使用者希望助理都用英文回答。"
    assert text(request("謝謝！", memories=wants)) == "You're welcome."
    assert text(request("謝謝！")) == "不客氣。"


@pytest.mark.parametrize(
    "said",
    [
        "請忘記我養的貓。",
        "把我養貓的事刪掉",
        "不要再記得我的薪水",
        "關於我姊姊的事都刪了吧",
        "你可以忘記我的生日嗎？",
        "Forget my cat.",
        "Stop remembering my address",
        "Can you erase my birthday?",
        "I'd like you to forget where I live.",
    ],
)
def test_a_wish_to_forget_calls_forget_with_the_persons_words(said: str) -> None:
    (call,) = answer(request(said, tools=[*TOOLS, {"name": "forget"}]))
    assert (call["name"], call["input"]) == ("forget", {"request": said})


@pytest.mark.parametrize(
    "said",
    [
        "我忘記帶鑰匙了",
        "別忘了我的生日",
        "忘了跟你說我搬家了",
        "請把第二行刪掉",
        "I forgot my keys",
        "Don't forget my birthday",
        "Forget about it.",
        "I don't remember my address",
        "Please remove the second line",
    ],
)
def test_speaking_of_forgetting_is_no_wish(said: str) -> None:
    assert not forgetting.is_request(said)
