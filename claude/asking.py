"""One answer at a piece, asked for as often as the failure allows."""

from __future__ import annotations

import time
from typing import Any

from anthropic.types import Message
from django.contrib.auth.base_user import AbstractBaseUser

from claude.connection import ANSWER_TIMEOUT, connection, is_standin
from claude.errors import ClaudeError, Malformed, Truncated, named
from claude.ledger import Booking
from claude.purposes import Purpose
from claude.response import Response, failure_in, read_blocks
from claude.retries import pause
from claude.usage import read_usage


def ask(request: dict[str, Any], booking: Booking, *, whole: bool = False) -> Response:
    """One answer at a piece. With `whole`, an answer cut off by `max_tokens` is a failure."""
    failed = 0
    while True:
        booking = booking.again()
        answer = _send(request)
        if not isinstance(answer, ClaudeError):
            return read_answer(answer, booking, whole=whole)
        failed += 1
        booking.book_failure(answer, None)
        wait = pause(answer, failed=failed, retries=connection().retries)
        if wait is None:
            raise answer
        time.sleep(wait)


def _send(request: dict[str, Any]) -> Message | ClaudeError:
    # Another server, or a proxy before it, may answer with anything at all.
    answer: Any = named(lambda: connection().sdk.messages.create(**request, timeout=ANSWER_TIMEOUT))
    if isinstance(answer, Message):
        return answer if isinstance(answer.content, list) else Malformed()
    return answer if isinstance(answer, ClaudeError) else Malformed()


def read_answer(message: Message, booking: Booking, *, whole: bool) -> Response:
    usage, request_id, stop_reason = read_usage(message.usage), message._request_id or "", message.stop_reason or ""
    problem = failure_in(stop_reason)
    if problem is None and whole and stop_reason == "max_tokens":
        problem = Truncated()
    if problem is not None:
        problem.request_id = request_id
        booking.book_failure(problem, usage, stop_reason=stop_reason)
        raise problem
    booking.book(usage, stop_reason=stop_reason, request_id=request_id)
    return Response(read_blocks(message), stop_reason, usage, booking.cost(usage), booking.model)


def open_booking(purpose: Purpose, request: dict[str, Any], person: AbstractBaseUser | None, run: str) -> Booking:
    return Booking(purpose, person, run, model=request["model"], standin=is_standin())
