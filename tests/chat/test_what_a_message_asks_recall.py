"""What recall is asked for a message: the message, with the turns before it when it points back at them."""

from datetime import datetime

import pytest

from chat.recalling import query_for
from memories.models import Message, Origin, Person, Role
from memories.transcript import Part, say
from tests.memories.saying import conversation

ASKED, ANSWERED = "Which of my two bikes is the older one, I wonder?", "The blue Brompton is."


@pytest.fixture
def before(alice: Person, now: datetime) -> list[Message]:
    talk = conversation(alice, now)
    return [
        say(talk, Role.USER, [Part(Origin.TYPED, ASKED)], now=now),
        say(talk, Role.ASSISTANT, [Part(Origin.ASSISTANT, ANSWERED)], now=now),
    ]


def asked(before: list[Message], now: datetime, *parts: Part) -> str:
    return query_for(say(before[0].conversation, Role.USER, list(parts), now=now), before)


@pytest.mark.parametrize(
    "text",
    [
        "And where did I say that I bought it, do you know?",
        "Tell me when I last took that one to the workshop, please.",
        "那個是在哪裡買的，我有沒有跟你說過是哪一家店買的呢？",
        "它多少錢，我之前跟你說過大概的價格是多少嗎，請告訴我",
        "Why?",
        "多少錢?",
    ],
)
def test_what_points_back_takes_the_last_turns_along(before: list[Message], now: datetime, text: str) -> None:
    assert asked(before, now, Part(Origin.TYPED, text)) == f"{text}\n{ANSWERED}\n{ASKED}"


@pytest.mark.parametrize(
    "text",
    [
        "What should I cook for my sister on Friday evening?",
        "我妹妹星期五晚上來吃飯的話，我可以準備什麼菜給客人呢？",
    ],
)
def test_what_stands_by_itself_is_asked_alone(before: list[Message], now: datetime, text: str) -> None:
    assert asked(before, now, Part(Origin.TYPED, text)) == text


def test_pasted_text_does_not_drown_what_was_typed(before: list[Message], now: datetime) -> None:
    text = "What should I cook for my sister on Friday evening?"
    assert asked(before, now, Part(Origin.TYPED, text), Part(Origin.PASTED, "A recipe. " * 500)) == text


def test_a_message_of_pasted_text_alone_is_asked_by_its_beginning(before: list[Message], now: datetime) -> None:
    assert len(asked(before, now, Part(Origin.PASTED, "A recipe for soup. " * 500))) <= 300


def test_the_turns_before_are_asked_by_their_ends(alice: Person, now: datetime) -> None:
    talk = conversation(alice, now)
    long = say(talk, Role.ASSISTANT, [Part(Origin.ASSISTANT, "First this. " * 200 + "At last the kettle.")], now=now)
    query = asked([long], now, Part(Origin.TYPED, "Why that?"))
    assert query.endswith("At last the kettle.")
    assert len(query) < 330
