"""What goes over the wire is what the service accepts, and the cached prefix does not move."""

from __future__ import annotations

import pytest
from pytest_django.fixtures import Settings

from claude.client import Block, complete, stream, using
from claude.purposes import Purpose
from memories.models import Person
from tests.fakes.wire import FakeWire, Request

pytestmark = pytest.mark.django_db
TOOLS: list[Block] = [{"name": name, "description": "d", "input_schema": {"type": "object"}} for name in ("a", "b")]


def _sent(person: Person, messages: list[Block], system: str = "S") -> Request:
    wire = FakeWire("ok")
    with using(wire):
        complete(Purpose.CHAT, system=system, messages=messages, person=person)
    return wire.history[0]


def test_blank_blocks_are_left_out_and_turns_of_one_role_are_joined(alice: Person) -> None:
    messages: list[Block] = [
        {"role": "user", "content": [{"type": "text", "text": " \n"}, {"type": "text", "text": "Hello\x00\ud800"}]},
        {"role": "assistant", "content": ""},
        {"role": "user", "content": "again"},
    ]
    assert _sent(alice, messages)["messages"] == [
        {"role": "user", "content": [{"type": "text", "text": "Hello"}, {"type": "text", "text": "again"}]}
    ]


@pytest.mark.parametrize("messages", [[], [{"role": "user", "content": " "}], [{"role": "assistant", "content": "x"}]])
def test_a_conversation_that_the_person_does_not_open_is_a_mistake_of_ours(
    alice: Person, messages: list[Block]
) -> None:
    with pytest.raises(ValueError, match="first message"):
        _sent(alice, messages)


def test_the_callers_messages_are_not_changed(alice: Person) -> None:
    messages: list[Block] = [{"role": "user", "content": [{"type": "text", "text": "a"}]}] * 2
    _sent(alice, messages)
    assert messages == [{"role": "user", "content": [{"type": "text", "text": "a"}]}] * 2


def test_tools_and_system_end_in_a_cache_breakpoint(alice: Person) -> None:
    wire = FakeWire("ok")
    asked: list[Block] = [{"role": "user", "content": "Hi"}]
    with using(wire), stream(Purpose.CHAT, system="S", messages=asked, tools=TOOLS, person=alice) as call:
        list(call)
    sent = wire.history[0]
    assert ["cache_control" in tool for tool in sent["tools"]] == [False, True]
    assert "cache_control" in sent["system"][0]
    assert "cache_control" not in TOOLS[-1]
    assert "tool_choice" not in sent


def test_effort_is_asked_for_where_the_model_takes_it_and_can_be_switched_off(
    alice: Person, settings: Settings
) -> None:
    asked: list[Block] = [{"role": "user", "content": "Hi"}]
    assert _sent(alice, asked)["output_config"] == {"effort": "low"}
    settings.CLAUDE_EFFORT = ""
    assert "output_config" not in _sent(alice, asked)
    settings.CLAUDE_EFFORT = "low"
    settings.CLAUDE_MODELS = {**settings.CLAUDE_MODELS, "chat": "qwen3:8b"}
    sent = _sent(alice, asked)
    assert sent["model"] == "qwen3:8b"
    assert "output_config" not in sent
