"""A message put together from the events of its stream, as odd as servers send them."""

from __future__ import annotations

from typing import Any

import pytest

from claude.heard import Heard

START = {"type": "message_start", "message": {"role": "assistant", "content": [], "usage": {"input_tokens": 7}}}


def heard(*events: dict[str, Any]) -> Heard:
    message = Heard()
    for event in (START, *events):
        message.hear(event)
    return message


def begin(index: int, **block: Any) -> dict[str, Any]:
    return {"type": "content_block_start", "index": index, "content_block": block}


def more(index: int, kind: str, **delta: Any) -> dict[str, Any]:
    return {"type": "content_block_delta", "index": index, "delta": {"type": kind, **delta}}


def stop(index: int) -> dict[str, Any]:
    return {"type": "content_block_stop", "index": index}


def test_thinking_and_its_signature_are_kept_to_be_sent_back() -> None:
    message = heard(
        begin(0, type="thinking", thinking="", signature=""),
        more(0, "thinking_delta", thinking="Let me "),
        more(0, "thinking_delta", thinking="see."),
        more(0, "signature_delta", signature="signed"),
        stop(0),
    )
    assert message.blocks == [{"type": "thinking", "thinking": "Let me see.", "signature": "signed"}]


def test_what_is_not_known_is_kept_as_it_came() -> None:
    message = heard(
        begin(0, type="redacted_thinking", data="…"), more(0, "something_new", value=1), {"type": "new_event"}
    )
    assert message.blocks == [{"type": "redacted_thinking", "data": "…"}]


def test_citations_of_a_text_are_gathered() -> None:
    message = heard(
        begin(0, type="text", text="", citations=None),
        more(0, "text_delta", text="So it is."),
        more(0, "citations_delta", citation={"source": "a"}),
        more(0, "citations_delta", citation={"source": "b"}),
    )
    assert message.blocks == [
        {"type": "text", "text": "So it is.", "citations": [{"source": "a"}, {"source": "b"}]},
    ]


@pytest.mark.parametrize(("pieces", "arguments"), [([""], {}), (["", '{"a"', ": 1}"], {"a": 1})])
def test_a_tools_arguments_come_in_pieces_or_not_at_all(pieces: list[str], arguments: dict[str, int]) -> None:
    deltas = [more(0, "input_json_delta", partial_json=piece) for piece in pieces]
    message = heard(begin(0, type="tool_use", id="t", name="recall", input={}), *deltas, stop(0))

    assert message.blocks[0]["input"] == arguments
    assert not message.unreadable


def test_arguments_that_are_cut_off_are_no_arguments() -> None:
    message = heard(
        begin(0, type="tool_use", id="t", name="recall", input={}),
        more(0, "input_json_delta", partial_json='{"a": "b'),
        stop(0),
    )
    assert message.unreadable
    assert message.blocks[0]["input"] == {}


def test_totals_at_the_end_win_over_those_at_the_start_where_they_are_told() -> None:
    end = {"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": 9}}
    message = heard(end)
    assert (message.usage.tokens_in, message.usage.tokens_out, message.stop_reason) == (7, 9, "end_turn")
    again = heard({**end, "usage": {"output_tokens": 9, "input_tokens": 8, "cache_read_input_tokens": None}})
    assert again.usage.tokens_in == 8


def test_halves_of_characters_are_never_shown() -> None:
    message = heard(begin(0, type="text", text=""))
    assert message.hear(more(0, "text_delta", text="a\ud83db\0")) == "ab"


@pytest.mark.parametrize("event", [more(3, "text_delta", text="x"), begin(0), {}, stop(0) | {"type": "message_start"}])
def test_what_cannot_be_read_is_said_at_once(event: dict[str, Any]) -> None:
    with pytest.raises((LookupError, TypeError, ValueError)):
        heard(event)


def test_nothing_comes_before_the_message() -> None:
    with pytest.raises(ValueError, match="before the message"):
        Heard().hear(begin(0, type="text", text=""))
