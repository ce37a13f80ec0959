"""A message as it grows with the events of its stream, in the plain dictionaries that it is kept and sent back as. The
SDK would build and check an object of its own for each event, which costs more than all else that a token does here."""

from __future__ import annotations

import json
from typing import Any

from claude.request import Block, clean
from claude.usage import Usage, read_usage


class Heard:
    """Raises what reading a broken answer raises: `claude.errors` names it."""

    def __init__(self) -> None:
        self.begun = False
        self.stop_reason = ""
        # A tool's arguments are no JSON: cut off, or spoilt.
        self.unreadable = False
        self.blocks: list[Block] = []
        self._usage: dict[str, Any] = {}
        self._arguments: dict[int, str] = {}

    @property
    def usage(self) -> Usage:
        return read_usage(self._usage)

    def hear(self, event: Any) -> str:
        """Take in one event; returns the visible text that came with it."""
        kind = event["type"]
        if kind == "message_start":
            self._begin(event["message"])
        elif not self.begun:
            raise ValueError("an event before the message")
        elif kind == "content_block_start":
            self.blocks.append(dict(event["content_block"]))
            return clean(str(self.blocks[-1]["text"])) if self.blocks[-1]["type"] == "text" else ""
        elif kind == "content_block_delta":
            return self._add(event["index"], event["delta"])
        elif kind == "content_block_stop":
            self._complete(event["index"])
        elif kind == "message_delta":
            self.stop_reason = event["delta"].get("stop_reason") or ""
            self._count(event.get("usage"))
        return ""

    def _begin(self, message: dict[str, Any]) -> None:
        self.begun = True
        self.stop_reason = message.get("stop_reason") or ""
        self.blocks = [dict(block) for block in message.get("content") or []]
        self._count(message.get("usage"))

    def _count(self, usage: dict[str, Any] | None) -> None:
        """Totals so far: what is not told again stands."""
        self._usage |= {name: value for name, value in (usage or {}).items() if value is not None}

    def _add(self, index: int, delta: dict[str, Any]) -> str:
        block = self.blocks[index]
        match delta["type"]:
            case "text_delta" if block["type"] == "text":
                block["text"] += delta["text"]
                return clean(str(delta["text"]))
            case "input_json_delta":
                self._arguments[index] = self._arguments.get(index, "") + delta["partial_json"]
            case "thinking_delta":
                block["thinking"] = block.get("thinking", "") + delta["thinking"]
            case "signature_delta":
                block["signature"] = delta["signature"]
            case "citations_delta":
                block["citations"] = [*(block.get("citations") or []), delta["citation"]]
        return ""

    def _complete(self, index: int) -> None:
        if written := self._arguments.pop(index, ""):
            try:
                self.blocks[index]["input"] = json.loads(written)
            except ValueError:
                self.unreadable = True
