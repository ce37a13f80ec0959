"""A scripted wire under the real SDK: say what comes back, look at what was sent.

    wire = FakeWire(text("Hello."), refusal())
    with using(wire):
        ...
    assert wire.history[0]["messages"] == [...]

Each answer serves one request, streamed or not, as the request asks. A string stands for `text(...)`, a pydantic model
or a dictionary for its JSON, and a function is given the request and returns any of these.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Any

import httpx2
from pydantic import BaseModel

from claude.standin import sse
from claude.tokens import estimate_tokens

type Block = dict[str, Any]
type Request = dict[str, Any]
type Answer = Scripted | str | BaseModel | dict[str, Any] | Callable[[Request], Answer]

USAGE = {"input_tokens": 100, "output_tokens": 20, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0}
_ids = count(1)


class NothingEnqueued(BaseException):
    """One request too many. Not an Exception, which the SDK would take for a failing network."""


@dataclass(frozen=True)
class Scripted:
    """One answer: its blocks, and how it goes wrong if it does."""

    blocks: tuple[Block, ...] = ()
    stop_reason: str | None = "end_turn"
    usage: dict[str, Any] = field(default_factory=lambda: dict(USAGE))
    status: int = 200
    error_type: str = ""
    error_message: str = ""
    headers: dict[str, str] = field(default_factory=dict)
    raw: bytes | None = None
    raises: Exception | None = None
    # A stream's own: the fault that comes after all its blocks, and a pause between events.
    then: Exception | str | None = None
    pause_s: float = 0
    # How long the server thinks before it answers at all.
    thinks_s: float = 0

    def message(self, request: Request) -> dict[str, Any]:
        return {
            "id": f"msg_{next(_ids):04}",
            "type": "message",
            "role": "assistant",
            "model": request.get("model", ""),
            "content": list(self.blocks),
            "stop_reason": self.stop_reason,
            "stop_sequence": None,
            "usage": self.usage,
        }

    def events(self, request: Request) -> Iterator[bytes]:
        for name, data in sse.events(self.message(request)):
            if name == "message_delta" and (self.then is not None or self.stop_reason is None):
                break
            yield sse.frame(name, data)
        if isinstance(self.then, Exception):
            raise self.then
        if self.then is not None:
            yield sse.frame("error", replace(self, error_type=self.then).error_body())

    def error_body(self) -> dict[str, Any]:
        return {"type": "error", "error": {"type": self.error_type, "message": self.error_message}}


def reply(*blocks: Block, stop_reason: str | None = None, usage: dict[str, int] | None = None) -> Scripted:
    """A whole answer of several blocks, such as `reply(text_block("Wait."), tool_block("recall", {...}))`."""
    reason = stop_reason or ("tool_use" if any(block["type"] == "tool_use" for block in blocks) else "end_turn")
    return Scripted(blocks, reason, usage={**USAGE, **(usage or {})})


def text_block(words: str) -> Block:
    return {"type": "text", "text": words}


def tool_block(name: str, arguments: dict[str, Any]) -> Block:
    return {"type": "tool_use", "id": f"toolu_{next(_ids):04}", "name": name, "input": arguments}


def thinking_block(thought: str = "") -> Block:
    return {"type": "thinking", "thinking": thought, "signature": "signed"}


def text(words: str, **usage: int) -> Scripted:
    return reply(text_block(words), usage=usage)


def tool_use(name: str, arguments: dict[str, Any], *, before: str = "") -> Scripted:
    return reply(*([text_block(before)] if before else []), tool_block(name, arguments))


def filled(value: BaseModel | dict[str, Any] | list[Any]) -> Scripted:
    """A structured answer."""
    return text(value.model_dump_json() if isinstance(value, BaseModel) else json.dumps(value, ensure_ascii=False))


def refusal(partial: str = "") -> Scripted:
    return reply(*([text_block(partial)] if partial else []), stop_reason="refusal")


def out_of_tokens(partial: str) -> Scripted:
    return reply(text_block(partial), stop_reason="max_tokens")


def truncated(partial: str) -> Scripted:
    """The stream ends politely in mid-answer, with no stop reason."""
    return Scripted((text_block(partial),), stop_reason=None)


def broken(partial: str) -> Scripted:
    """The network drops in mid-answer."""
    return Scripted((text_block(partial),), then=httpx2.ReadError("dropped"))


def stream_error(error_type: str, partial: str = "", message: str = "It failed.") -> Scripted:
    """An error event in a stream that began with status 200."""
    blocks = (text_block(partial),) if partial else ()
    return Scripted(blocks, then=error_type, error_message=message)


def error(status: int, error_type: str, message: str = "It failed.", **headers: str) -> Scripted:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Scripted(status=status, error_type=error_type, error_message=message, headers=named)


def bad_key() -> Scripted:
    return error(401, "authentication_error")


def no_credit() -> Scripted:
    return error(402, "billing_error")


def too_long() -> Scripted:
    return error(413, "request_too_large")


def rate_limited(retry_after: str = "0") -> Scripted:
    return error(429, "rate_limit_error", retry_after=retry_after)


def overloaded() -> Scripted:
    return error(529, "overloaded_error")


def timeout() -> Scripted:
    return Scripted(raises=httpx2.ReadTimeout("slow"))


def unreachable() -> Scripted:
    return Scripted(raises=httpx2.ConnectError("refused"))


def malformed() -> Scripted:
    """Status 200, and no JSON in it."""
    return Scripted(raw=b'{"type": "message", "content": [')


def metered(answer: Callable[[Request], Answer]) -> Callable[[Request], Answer]:
    """Whose usage counts the request's words."""

    def measured(request: Request) -> Answer:
        scripted = as_scripted(answer(request), request)
        words = json.dumps([request.get(part) for part in ("system", "tools", "messages")], ensure_ascii=False)
        return replace(scripted, usage={**scripted.usage, "input_tokens": estimate_tokens(words)})

    return measured


class FakeWire(httpx2.BaseTransport):
    def __init__(self, *answers: Answer, otherwise: Answer | None = None) -> None:
        self._answers = list(answers)
        self._otherwise = otherwise
        # The bodies of the requests, oldest first.
        self.history: list[Request] = []

    def enqueue(self, *answers: Answer) -> None:
        self._answers.extend(answers)

    @property
    def left(self) -> int:
        return len(self._answers)

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        sent: Request = json.loads(request.read() or b"{}")
        self.history.append(sent)
        if not self._answers and self._otherwise is None:
            raise NothingEnqueued(f"request {len(self.history)}")
        scripted = as_scripted(self._answers.pop(0) if self._answers else self._otherwise, sent)
        time.sleep(scripted.thinks_s)
        if scripted.raises is not None:
            raise scripted.raises
        headers = {"request-id": f"req_{len(self.history):04}", **scripted.headers}
        if scripted.status != 200:
            return httpx2.Response(scripted.status, headers=headers, json=scripted.error_body())
        if scripted.raw is not None:
            return httpx2.Response(200, headers={**headers, "content-type": "application/json"}, content=scripted.raw)
        if sent.get("stream"):
            headers["content-type"] = "text/event-stream; charset=utf-8"
            return httpx2.Response(200, headers=headers, stream=_Stream(scripted, sent))
        return httpx2.Response(200, headers=headers, json=scripted.message(sent))


def as_scripted(answer: Answer | None, request: Request) -> Scripted:
    if isinstance(answer, Scripted):
        return replace(answer)
    if isinstance(answer, str):
        return text(answer)
    if isinstance(answer, (BaseModel, dict)):
        return filled(answer)
    assert answer is not None
    return as_scripted(answer(request), request)


class _Stream(httpx2.SyncByteStream):
    def __init__(self, scripted: Scripted, request: Request) -> None:
        self._scripted = scripted
        self._request = request

    def __iter__(self) -> Iterator[bytes]:
        for framed in self._scripted.events(self._request):
            yield from sse.cut(framed)
            if self._scripted.pause_s:
                time.sleep(self._scripted.pause_s)
