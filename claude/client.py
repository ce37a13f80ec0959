"""The one door to the model: `stream` for replies, `complete` for plain text, `fill` for what must have a shape.

Each raises only the exceptions of claude/errors.py, and each response or failure leaves a row in the ledger.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from django.contrib.auth.base_user import AbstractBaseUser

from claude.asking import ask, open_booking
from claude.connection import is_standin, using
from claude.purposes import Purpose
from claude.request import Block, build_request
from claude.response import Response
from claude.streaming import ModelStream
from claude.structured import fill
from claude.usage import Usage

__all__ = ["Block", "ModelStream", "Response", "Usage", "complete", "fill", "is_standin", "stream", "using"]


@contextmanager
def stream(
    purpose: Purpose,
    *,
    system: str,
    messages: Sequence[Block],
    tools: Sequence[Block] = (),
    person: AbstractBaseUser | None,
    run: str = "",
    max_tokens: int = 4096,
) -> Iterator[ModelStream]:
    request = build_request(purpose, system=system, messages=messages, tools=tools, max_tokens=max_tokens)
    call = ModelStream(request, open_booking(purpose, request, person, run))
    try:
        yield call
    finally:
        call.leave()


def complete(
    purpose: Purpose,
    *,
    system: str,
    messages: Sequence[Block],
    person: AbstractBaseUser | None,
    run: str = "",
    max_tokens: int = 1024,
) -> Response:
    request = build_request(purpose, system=system, messages=messages, max_tokens=max_tokens)
    return ask(request, open_booking(purpose, request, person, run))
