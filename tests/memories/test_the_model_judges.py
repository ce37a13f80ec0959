"""With a model, what says the same is its judgement; code checks what it says and stands in where it fails."""

from __future__ import annotations

import json
from datetime import datetime, timedelta

import pytest

from claude.client import using
from claude.models import Call
from memories import forget
from memories.models import Memory, Person, Via
from tests.fakes.wire import FakeWire, overloaded
from tests.memories.telling import converse, forgotten, learn, passage


@pytest.fixture
def memory(alice: Person, now: datetime) -> Memory:
    chat = converse(
        alice,
        "I'm vegetarian.",
        "Then no steak for you.",
        "Orders for the team: two vegetarian pizzas.",
        "Done.",
        at=now - timedelta(days=2),
    )
    return learn(alice, "The user is vegetarian.", (passage(chat, 0), "I'm vegetarian"))


def verdict(passage_id: int, quote: str, decided: str) -> dict[str, str]:
    return {"passage": f"p{passage_id}", "quote": quote, "reasoning": "So it is.", "verdict": decided}


def test_an_echo_in_other_words_goes_and_what_is_unrelated_stays(alice: Person, memory: Memory, now: datetime) -> None:
    found = memory.evidence.get().passage
    assert found is not None
    chat = found.message.conversation
    echo, order = passage(chat, 1), passage(chat, 2)
    wire = FakeWire({"verdicts": [verdict(echo.pk, "no steak for you", "says_it"), verdict(order.pk, "", "unrelated")]})

    with using(wire):
        plan = forget.plan(alice, memories=[memory], now=now)
    forget.carry_out(plan, now=now, via=Via.LIST)

    assert plan.judged == "model"
    assert forgotten(chat, 1) == ["no steak for you"]
    assert forgotten(chat, 2) == []
    sent = json.dumps(wire.history[0])
    assert "The user is vegetarian." in sent
    assert "vegetarian" not in json.dumps(wire.history[0]["system"])


def test_ids_and_quotes_that_do_not_exist_are_dropped(alice: Person, memory: Memory, now: datetime) -> None:
    found = memory.evidence.get().passage
    assert found is not None
    wire = FakeWire({"verdicts": [verdict(999_999, "anything", "says_it")]})

    with using(wire):
        plan = forget.plan(alice, memories=[memory], now=now)

    assert {part.passage for part in plan.spans} == {found}


def test_without_an_answer_the_words_decide(alice: Person, memory: Memory, now: datetime) -> None:
    with using(FakeWire(overloaded())):
        plan = forget.plan(alice, memories=[memory], now=now)

    assert plan.judged == "words"
    assert plan.spans
    assert Call.objects.filter(purpose="forget").exclude(error="").exists()


def test_the_model_says_what_a_request_means_and_labels_that_do_not_exist_are_dropped(
    alice: Person, memory: Memory, now: datetime
) -> None:
    wire = FakeWire({"reasoning": "The diet.", "memories": ["m1", "m99"], "ambiguous": False}, {"verdicts": []})

    with using(wire):
        plan = forget.plan(alice, query="Forget what I eat", now=now)

    assert plan.asked == (memory,)


def test_it_does_not_read_again_what_an_earlier_deletion_took(alice: Person, now: datetime) -> None:
    chat = converse(alice, "I'm vegetarian. My dog is Rex, a collie.", "Fine.", at=now - timedelta(days=2))
    meals = learn(alice, "The user is vegetarian.", (passage(chat, 0), "I'm vegetarian"))
    dog = learn(alice, "The user's dog is Rex, a collie.", (passage(chat, 0), "My dog is Rex, a collie"))
    forget.carry_out(forget.plan(alice, memories=[dog], now=now), now=now, via=Via.LIST)
    wire = FakeWire({"verdicts": [verdict(passage(chat, 0).pk, "I'm vegetarian.", "says_it")]})

    with using(wire):
        plan = forget.plan(alice, memories=[meals], now=now)
    forget.carry_out(plan, now=now, via=Via.LIST)

    sent = json.dumps(wire.history[0]["messages"])
    assert "vegetarian" in sent
    assert "Rex" not in sent
    assert "I'm vegetarian." in forgotten(chat, 0)
