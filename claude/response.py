"""What came back, read once and kept in our own words."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from claude.errors import ClaudeError, Interrupted, Refused, TooLong
from claude.request import Block, clean, is_blank
from claude.usage import Usage


@dataclass(frozen=True)
class Response:
    """`blocks` are as received (thinking included) and may be sent back as the assistant's turn."""

    blocks: list[Block]
    stop_reason: str
    usage: Usage
    cost: Decimal | None
    model: str

    @property
    def text(self) -> str:
        return "".join(str(block["text"]) for block in self.blocks if block["type"] == "text")

    @property
    def tool_uses(self) -> list[Block]:
        return [block for block in self.blocks if block["type"] == "tool_use"]


def read_blocks(message: Any) -> list[Block]:
    """The SDK's content blocks as plain dictionaries."""
    return sendable([block.to_dict(mode="json") for block in message.content])


def sendable(blocks: list[Block]) -> list[Block]:
    """Without blank text: sent back, it would be refused."""
    return [block for block in map(clean, blocks) if not is_blank(block)]


def failure_in(stop_reason: str | None) -> ClaudeError | None:
    """A response can arrive whole by HTTP and yet be none."""
    if not stop_reason:
        return Interrupted()
    if stop_reason == "refusal":
        return Refused()
    if stop_reason == "model_context_window_exceeded":
        return TooLong()
    return None
