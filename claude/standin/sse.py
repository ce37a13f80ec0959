"""A whole message as the stream of events that carries it over the wire, in pieces that are cut anywhere."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

type Message = dict[str, Any]
_CHARACTERS = 7


def events(message: Message) -> Iterator[tuple[str, dict[str, Any]]]:
    usage = message["usage"]
    opening = {**message, "content": [], "stop_reason": None, "usage": {**usage, "output_tokens": 1}}
    yield "message_start", {"type": "message_start", "message": opening}
    yield "ping", {"type": "ping"}
    for index, block in enumerate(message["content"]):
        opened, deltas = _taken_apart(block)
        yield "content_block_start", {"type": "content_block_start", "index": index, "content_block": opened}
        for delta in deltas:
            yield "content_block_delta", {"type": "content_block_delta", "index": index, "delta": delta}
        yield "content_block_stop", {"type": "content_block_stop", "index": index}
    ending = {"stop_reason": message["stop_reason"], "stop_sequence": None}
    yield (
        "message_delta",
        {"type": "message_delta", "delta": ending, "usage": {"output_tokens": usage["output_tokens"]}},
    )
    yield "message_stop", {"type": "message_stop"}


def frame(name: str, data: dict[str, Any]) -> bytes:
    # Not escaped: the bytes of every character really go over the wire.
    return f"event: {name}\ndata: {json.dumps(data, ensure_ascii=False)}\n\n".encode()


def cut(framed: bytes) -> Iterator[bytes]:
    """Two pieces, parted in the middle of a character where one has more than a byte."""
    inside = next((at for at, byte in enumerate(framed) if byte & 0b1100_0000 == 0b1000_0000), len(framed) // 2)
    yield framed[:inside]
    yield framed[inside:]


def _taken_apart(block: dict[str, Any]) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """The block as it opens, and the deltas that fill it."""
    if block["type"] == "text":
        return {**block, "text": ""}, [{"type": "text_delta", "text": part} for part in _parts(block["text"])]
    if block["type"] == "tool_use":
        written = json.dumps(block["input"], ensure_ascii=False)
        parts = [{"type": "input_json_delta", "partial_json": part} for part in ("", *_parts(written))]
        return {**block, "input": {}}, parts
    if block["type"] == "thinking":
        thought = [{"type": "thinking_delta", "thinking": part} for part in _parts(block["thinking"])]
        signed = {"type": "signature_delta", "signature": block.get("signature", "")}
        return {"type": "thinking", "thinking": "", "signature": ""}, [*thought, signed]
    return block, []


def _parts(text: str) -> Iterator[str]:
    for start in range(0, len(text), _CHARACTERS):
        yield text[start : start + _CHARACTERS]
