"""The server's side of the Messages protocol: a request in, a status and a message out. No transport, no state."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from claude.standin import sse
from claude.standin.answering import answer
from claude.tokens import estimate_tokens

type Request = dict[str, Any]
type Block = dict[str, Any]
_SMALLEST_CACHED = 512


@dataclass(frozen=True)
class Reply:
    """One JSON body, a message to be streamed, or lines of JSON."""

    status: int
    body: dict[str, Any] | None = None
    message: dict[str, Any] | None = None
    lines: list[dict[str, Any]] | None = None

    def pieces(self) -> Iterator[list[bytes]]:
        """Of a stream: the pieces of one event at a time."""
        assert self.message is not None
        for name, data in sse.events(self.message):
            yield list(sse.cut(sse.frame(name, data)))


def respond(method: str, path: str, body: bytes) -> Reply:
    if method != "POST" or path not in {"/v1/messages", "/v1/messages/count_tokens"}:
        return problem(404, "not_found_error", "There is nothing here.")
    try:
        request = json.loads(body)
    except ValueError:
        return problem(400, "invalid_request_error", "The body is not JSON.")
    if wrong := _wrong_with(request):
        return problem(400, "invalid_request_error", wrong)
    if path.endswith("/count_tokens"):
        return Reply(200, body={"input_tokens": _tokens(_prompt(request))})
    message = message_for(request, answer(request))
    return Reply(200, message=message) if request.get("stream") else Reply(200, body=message)


def problem(status: int, kind: str, says: str) -> Reply:
    return Reply(status, body={"type": "error", "error": {"type": kind, "message": says}})


def message_for(request: Request, content: list[Block]) -> dict[str, Any]:
    """A whole message around the answered blocks, with plausible counts."""
    digest = hashlib.sha256(json.dumps(request, sort_keys=True).encode()).hexdigest()
    blocks = [
        {"id": f"toolu_{digest[:16]}{at:02}", **block} if block["type"] == "tool_use" else block
        for at, block in enumerate(content)
    ]
    uses_tools = any(block["type"] == "tool_use" for block in blocks)
    return {
        "id": f"msg_{digest[:24]}",
        "type": "message",
        "role": "assistant",
        "model": request["model"],
        "content": blocks,
        "stop_reason": "tool_use" if uses_tools else "end_turn",
        "stop_sequence": None,
        "usage": _usage(request, blocks),
    }


def _wrong_with(request: Any) -> str:
    """What the real service refuses and the SDK does not check."""
    if not isinstance(request, dict) or not request.get("model") or not isinstance(request.get("messages"), list):
        return "model and messages are required."
    messages = request["messages"]
    if not messages or messages[0].get("role") != "user":
        return "The first message must be the user's."
    for message in messages:
        for block in message["content"] if isinstance(message["content"], list) else []:
            if block.get("type") == "text" and not block.get("text", "").strip():
                return "Text content blocks must contain non-whitespace text."
    return ""


def _usage(request: Request, blocks: list[Block]) -> dict[str, int]:
    prompt = _prompt(request)
    total, marked = _tokens(prompt), 0
    for at, part in enumerate(prompt):
        if "cache_control" in part:
            marked = _tokens(prompt[: at + 1])
    cached = marked if marked >= _SMALLEST_CACHED else 0
    # A conversation that already has an answer was sent before, so its prefix is there to be read.
    was_sent = any(message["role"] == "assistant" for message in request["messages"])
    return {
        "input_tokens": total - cached,
        "output_tokens": max(1, _tokens(blocks)),
        "cache_creation_input_tokens": 0 if was_sent else cached,
        "cache_read_input_tokens": cached if was_sent else 0,
    }


def _prompt(request: Request) -> list[Block]:
    """All that is read, in the order in which it is cached: tools, system, messages."""
    system = request.get("system") or []
    parts: list[Block] = [*request.get("tools", [])]
    parts += [{"type": "text", "text": system}] if isinstance(system, str) else system
    for message in request["messages"]:
        content = message["content"]
        parts += [{"type": "text", "text": content}] if isinstance(content, str) else content
    return parts


def _tokens(parts: list[Block]) -> int:
    return sum(
        estimate_tokens(part["text"] if part.get("type") == "text" else json.dumps(part, ensure_ascii=False))
        for part in parts
    )
