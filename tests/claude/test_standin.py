"""The stand-in's side of the protocol, under the real SDK. What it understands is tested elsewhere."""

from __future__ import annotations

from typing import Any

import anthropic
import httpx2
import pytest

from claude.standin import sse
from claude.standin.generic import instance
from claude.standin.messages import message_for
from claude.standin.transport import StandIn

HELLO = [{"role": "user", "content": "你好"}]


@pytest.fixture
def sdk() -> anthropic.Anthropic:
    return anthropic.Anthropic(api_key="x", max_retries=0, http_client=httpx2.Client(transport=StandIn()))


def test_it_counts_tokens(sdk: anthropic.Anthropic) -> None:
    count = sdk.messages.count_tokens(model="m", messages=[{"role": "user", "content": "我不吃香菜"}])
    assert count.input_tokens == 5


@pytest.mark.parametrize(
    "messages",
    [[], [{"role": "assistant", "content": "x"}], [{"role": "user", "content": [{"type": "text", "text": " "}]}]],
)
def test_it_refuses_what_the_service_refuses(sdk: anthropic.Anthropic, messages: Any) -> None:
    with pytest.raises(anthropic.BadRequestError):
        sdk.messages.create(model="m", max_tokens=10, messages=messages)


def test_it_knows_no_other_addresses(sdk: anthropic.Anthropic) -> None:
    with pytest.raises(anthropic.NotFoundError):
        sdk.models.list()


def test_a_marked_prefix_is_written_to_the_cache_once_and_read_after_an_answer() -> None:
    system = [{"type": "text", "text": "字" * 600, "cache_control": {"type": "ephemeral"}}]
    request: dict[str, Any] = {"model": "m", "system": system, "messages": HELLO}
    first = message_for(request, [])["usage"]
    assert (first["input_tokens"], first["cache_creation_input_tokens"], first["cache_read_input_tokens"]) == (
        2,
        600,
        0,
    )

    request["messages"] = [*HELLO, {"role": "assistant", "content": "好"}, *HELLO]
    second = message_for(request, [])["usage"]
    assert (second["cache_creation_input_tokens"], second["cache_read_input_tokens"]) == (0, 600)


def test_characters_are_parted_on_the_wire() -> None:
    framed = sse.frame("ping", {"text": "我"})
    first, second = sse.cut(framed)
    assert first + second == framed
    with pytest.raises(UnicodeDecodeError):
        first.decode()


def test_uses_of_tools_get_ids_that_differ() -> None:
    block = {"type": "tool_use", "name": "recall", "input": {}}
    message = message_for({"model": "m", "messages": HELLO}, [block, block])
    assert message["stop_reason"] == "tool_use"
    assert len({use["id"] for use in message["content"]}) == 2


@pytest.mark.parametrize(
    ("schema", "least"),
    [
        ({"type": "object", "properties": {"a": {"type": "string"}, "b": {}}, "required": ["a"]}, {"a": ""}),
        ({"type": "array", "items": {"type": "integer", "minimum": 3}, "minItems": 1}, [3]),
        ({"anyOf": [{"const": 5}, {"type": "null"}]}, 5),
        ({"enum": ["high", "low"]}, "high"),
        ({"$ref": "#/$defs/D", "$defs": {"D": {"type": "string", "format": "date"}}}, "2000-01-01"),
        ({"allOf": [{"type": "string"}, {"minLength": 2}]}, "--"),
        ({"type": ["number", "null"], "maximum": -1}, -1),
        ({"type": "boolean"}, False),
        ({"type": "null"}, None),
    ],
)
def test_an_unknown_schema_is_filled_with_the_least(schema: dict[str, Any], least: Any) -> None:
    assert instance(schema) == least
