"""Writing a reply: its tools, its limits, its failures, and what is kept of each."""

from __future__ import annotations

import logging
from datetime import datetime

import pytest
from pytest_django.fixtures import Settings

from claude.models import Call
from memories.models import (
    MessageState,
    Origin,
    Person,
)
from tests.chat.saying import answer, ask, keeping, results_of, text_of
from tests.fakes.wire import (
    bad_key,
    broken,
    out_of_tokens,
    overloaded,
    refusal,
    text_block,
    tool_block,
    tool_use,
    truncated,
)
from tests.fakes.wire import reply as scripted


def test_a_reply_is_kept_with_its_words_and_its_cost(alice: Person, now: datetime) -> None:
    reply = ask(alice, "Hello", now=now)
    answer(reply, "Hi there.", now=now)

    assert (reply.state, text_of(reply)) == (MessageState.DONE, "Hi there.")
    assert reply.passages.get().origin == Origin.ASSISTANT
    assert Call.objects.filter(run=f"reply-{reply.pk}").count() == 1


@pytest.mark.parametrize(
    ("name", "given"),
    [
        ("rm_rf", {}),
        ("recall", {}),
        ("recall", {"query": "x", "include_past": False, "person": 2}),
        ("remember", keeping("a", "b", kind="feeling")),
        ("remember", keeping("a", "b", event_date="the other day")),
        ("remember", keeping("a", "b", replaces="m1; drop")),
        ("current_time", {"zone": "UTC"}),
    ],
)
def test_a_bad_call_is_an_error_result_and_the_reply_goes_on(
    alice: Person, now: datetime, name: str, given: dict[str, object]
) -> None:
    reply = ask(alice, "Hello", now=now)
    _, second = answer(reply, tool_use(name, given), "Sorry.", now=now)

    assert [one["is_error"] for one in results_of(second)] == [True]
    assert reply.state == MessageState.DONE


def test_all_results_of_a_round_go_into_one_turn_before_anything_else(alice: Person, now: datetime) -> None:
    reply = ask(alice, "Hello", now=now)
    _, second = answer(
        reply,
        scripted(tool_block("current_time", {}), tool_block("nothing", {}), tool_block("current_time", {})),
        "Done.",
        now=now,
    )

    assert [block["type"] for block in second["messages"][-1]["content"]] == ["tool_result"] * 3
    assert [one.get("is_error", False) for one in results_of(second)] == [False, True, False]
    assert results_of(second)[0]["content"] == "2026-03-17 20:00 Tuesday UTC"


def test_tool_rounds_end_politely(alice: Person, now: datetime) -> None:
    reply = ask(alice, "Hello", now=now)
    sent = answer(reply, otherwise=tool_use("current_time", {}), now=now)

    assert len(sent) == 9
    assert reply.state == MessageState.DONE
    assert "more steps than one answer may take" in text_of(reply)


def test_costs_end_politely_in_the_persons_language(alice: Person, now: datetime, settings: Settings) -> None:
    settings.REPLY_MAX_COST_USD = 0.001
    reply = ask(alice, "你好", now=now)
    dear = scripted(text_block("等等。"), tool_block("current_time", {}), usage={"input_tokens": 100_000})
    sent = answer(reply, dear, "never", now=now)

    assert len(sent) == 1
    assert reply.state == MessageState.DONE
    assert text_of(reply).startswith("等等。\n\n")


@pytest.mark.parametrize(
    ("failing", "code", "kept"),
    [
        (overloaded(), "overloaded", ""),
        (bad_key(), "bad_key", ""),
        (broken("Half of"), "interrupted", "Half of"),
        (truncated("Half of"), "interrupted", "Half of"),
        (refusal("I will"), "refused", ""),
    ],
)
def test_a_failure_keeps_what_there_was_and_says_why(
    client: object, alice: Person, now: datetime, failing: object, code: str, kept: str
) -> None:
    reply = ask(alice, "Hello", now=now)
    answer(reply, failing, now=now)  # type: ignore[arg-type]

    assert (reply.state, reply.error, text_of(reply)) == (MessageState.FAILED, code, kept)
    html = client.get(f"/chats/{reply.conversation_id}/").content.decode()  # type: ignore[attr-defined]
    assert 'role="alert"' in html
    assert f"/replies/{reply.pk}/retry/" in html
    assert "Hello" in html


def test_an_answer_that_ran_out_of_tokens_says_so(alice: Person, now: datetime) -> None:
    reply = ask(alice, "Hello", now=now)
    answer(reply, out_of_tokens("Very long"), now=now)

    assert text_of(reply).startswith("Very long\n\n*The answer was cut here")


def test_no_words_of_anyone_are_logged(alice: Person, now: datetime, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    reply = ask(alice, "My secret canary", now=now)

    def fall_over(request: dict[str, object]) -> object:
        raise RuntimeError("secret canary")

    answer(reply, fall_over, now=now)  # type: ignore[arg-type]

    assert reply.state == MessageState.FAILED
    assert "canary" not in caplog.text
