"""What goes over the wire for one call."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import anthropic
from pydantic import BaseModel

from claude.purposes import Purpose, effort_for, model_for

type Block = dict[str, Any]

# PostgreSQL keeps no NUL, UTF-8 no half of a surrogate pair; neither may come in or go out.
_UNSPEAKABLE = re.compile("[\x00\ud800-\udfff]")
_CACHED = {"type": "ephemeral"}


def build_request(
    purpose: Purpose,
    *,
    system: str,
    messages: Sequence[Block],
    tools: Sequence[Block] = (),
    max_tokens: int,
    schema: type[BaseModel] | None = None,
) -> dict[str, Any]:
    """Arguments for the SDK. The system prompt and the tools, which are frozen, end in a cache breakpoint each; the
    caller may set two more on its own blocks."""
    model = model_for(purpose)
    request: dict[str, Any] = {"model": model, "max_tokens": max_tokens, "messages": _speakable_turns(messages)}
    if system.strip():
        request["system"] = [{"type": "text", "text": clean(system), "cache_control": _CACHED}]
    if tools:
        request["tools"] = [*tools[:-1], {**tools[-1], "cache_control": _CACHED}]
    output: dict[str, Any] = {}
    if effort := effort_for(model):
        output["effort"] = effort
    if schema is not None:
        output["format"] = {"type": "json_schema", "schema": anthropic.transform_schema(schema)}
    if output:
        request["output_config"] = output
    return request


def clean[T](value: T) -> T:
    """The same without NUL and lone surrogates, however deep."""
    if isinstance(value, str):
        return _UNSPEAKABLE.sub("", value) if _UNSPEAKABLE.search(value) else value  # type: ignore[return-value]
    if isinstance(value, list):
        return [clean(each) for each in value]  # type: ignore[return-value]
    if isinstance(value, dict):
        return {clean(key): clean(each) for key, each in value.items()}  # type: ignore[return-value]
    return value


def _speakable_turns(messages: Sequence[Block]) -> list[Block]:
    """Without blank text blocks, which the service refuses, and with turns of one role in a row made one."""
    turns: list[Block] = []
    for message in messages:
        content = message["content"]
        blocks = [{"type": "text", "text": content}] if isinstance(content, str) else list(content)
        blocks = [clean(block) for block in blocks if not is_blank(block)]
        if not blocks:
            continue
        if turns and turns[-1]["role"] == message["role"]:
            turns[-1]["content"] = [*turns[-1]["content"], *blocks]
        else:
            turns.append({"role": message["role"], "content": blocks})
    if not turns or turns[0]["role"] != "user":
        raise ValueError("The first message must be the user's, and say something.")
    return turns


def is_blank(block: Block) -> bool:
    return block.get("type") == "text" and not clean(str(block.get("text", ""))).strip()
