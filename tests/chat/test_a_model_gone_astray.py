"""A model, or a server that speaks its protocol, may say and ask for anything at all: a reply ends, what it did is
bounded, and nothing is half kept."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import pytest

from claude.models import Call
from memories.models import Memory, MessageState, Person, ProposedDeletion, Write
from tests.chat.saying import answer, ask, keeping, text_of
from tests.fakes.wire import reply as several
from tests.fakes.wire import tool_block, tool_use
from tests.memories.saying import told

VAN = keeping("I drive a red van", "The user drives a red van.")


def results_of(request: dict[str, Any]) -> list[str]:
    return [block["content"] for block in request["messages"][-1]["content"] if block["type"] == "tool_result"]


def test_an_answer_without_an_end_is_cut(alice: Person, now: datetime) -> None:
    reply = ask(alice, "Tell me a story.", now=now)
    answer(reply, "and then " * 60_000, now=now)
    assert reply.state == MessageState.DONE
    text = text_of(reply)
    assert text.startswith("and then")
    assert "cut here" in text
    assert len(text) <= 200_000

    after = ask(alice, "Shorter, please.", now=now, to=reply.conversation)
    answer(after, otherwise="Once.", now=now)
    assert text_of(after) == "Once."


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("recall", {"query": "van", "include_past": True}),
        ("forget", {"request": "forget the van"}),
        ("remember", VAN),
        ("current_time", {}),
        ("no_such_tool", {}),
    ],
)
def test_of_a_hundred_calls_few_are_carried_out(
    alice: Person, now: datetime, name: str, arguments: dict[str, Any]
) -> None:
    told(alice, "I keep a van.", "The user keeps a van.", now)
    reply = ask(alice, "I drive a red van.", now=now)
    calls = several(*[tool_block(name, arguments) for _ in range(100)])
    sent = answer(reply, calls, otherwise=lambda request: _judged(request), now=now)
    assert reply.state == MessageState.DONE
    results = results_of([request for request in sent if request.get("stream")][-1])
    assert len(results) == 100
    assert sum("not carried out" in result for result in results) == 84
    assert ProposedDeletion.objects.count() <= 2
    assert Write.objects.filter(reply=reply).count() <= 3
    assert Call.objects.filter(person=alice, purpose="chat").count() == 2


def _judged(request: dict[str, Any]) -> Any:
    if "output_config" not in request or "format" not in request["output_config"]:
        return "Good."
    (shape,) = {"memories", "verdicts"} & request["output_config"]["format"]["schema"]["properties"].keys()
    return {"verdicts": []} if shape == "verdicts" else {"reasoning": "", "memories": ["m1"], "ambiguous": False}


@pytest.mark.parametrize("day", ["9999-12-31", "0001-01-01", "1066-10-14", 10**18, -1, "soon", None, []])
def test_a_day_that_no_life_reaches_keeps_nothing_and_breaks_nothing(alice: Person, now: datetime, day: object) -> None:
    reply = ask(alice, "I drive a red van 2 days a week.", now=now)
    words = keeping("I drive a red van 2 days", "The user drives a red van 2 days a week.")
    answer(reply, tool_use("remember", {**words, "event_date": day}), "Good.", now=now)
    assert (reply.state, text_of(reply)) == (MessageState.DONE, "Good.")
    assert not Memory.objects.filter(event_from__isnull=False).exclude(event_from__year=1970).exists()


@pytest.mark.parametrize(
    "wrong",
    [
        {"quote": "a" * 20_000},
        {"quote": "9" * 20_000},
        {"quote": "http://" * 3_000},
        {"quote": " " * 20_000},
        {"statement": "a" * 20_000},
        {"replaces": "m" + "9" * 5_000},
        {"replaces": {"a": {"b": [{}] * 10}}},
        {"kind": ["semantic"]},
        {"statement": "\0"},
        {"more": 1},
    ],
    ids=lambda wrong: str(wrong)[:20],
)
def test_arguments_of_any_size_and_shape_are_refused(alice: Person, now: datetime, wrong: dict[str, Any]) -> None:
    reply = ask(alice, "I drive a red van.", now=now)
    answer(reply, tool_use("remember", {**VAN, **wrong}), "Good.", now=now)
    assert (reply.state, text_of(reply)) == (MessageState.DONE, "Good.")
    assert not Memory.objects.exists()


@pytest.mark.parametrize("arguments", [None, [], "remember", 7, True])
def test_arguments_that_are_no_object_keep_nothing(alice: Person, now: datetime, arguments: object) -> None:
    reply = ask(alice, "I drive a red van.", now=now)
    block = {"type": "tool_use", "id": "toolu_1", "name": "remember", "input": arguments}
    answer(reply, several(block), otherwise="Good.", now=now)
    assert reply.is_finished
    assert not Write.objects.exists()


@pytest.mark.parametrize(
    "block",
    [
        {"type": "tool_use", "name": "recall", "input": {}},
        {"type": "tool_use", "id": "x", "name": None, "input": None},
        {"type": "something_new", "text": "hello"},
        {"type": "text", "text": None},
        {"type": "text"},
        {"type": "text", "text": "half \ud800 a pair"},
        {"type": "text", "text": " \n\t"},
    ],
    ids=str,
)
def test_blocks_of_no_known_shape_end_the_reply_and_are_booked(
    alice: Person, now: datetime, block: dict[str, Any]
) -> None:
    reply = ask(alice, "Hello.", now=now)
    answer(reply, several(block), otherwise="Good.", now=now)
    assert reply.state in {MessageState.DONE, MessageState.FAILED}
    assert reply.finished_at is not None
    assert Call.objects.filter(run=f"reply-{reply.pk}").exists()

    after = ask(alice, "And now?", now=now, to=reply.conversation)
    answer(after, "Well again.", now=now)
    assert text_of(after) == "Well again."
