"""Message Batches: many requests at once for half the price, answered within a day. Each is answered, or fails, by
itself; results come in any order and are told apart by `custom_id`."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import takewhile
from typing import Any

from anthropic.types import Message
from anthropic.types.messages import MessageBatch, MessageBatchIndividualResponse
from django.contrib.auth.base_user import AbstractBaseUser
from pydantic import BaseModel

from claude.asking import open_booking, read_answer
from claude.connection import connection
from claude.errors import BadRequest, ClaudeError, Interrupted, Malformed, TimedOut, for_type, named
from claude.models import Call
from claude.purposes import Purpose
from claude.request import Block, build_request
from claude.structured import read_into


@dataclass(frozen=True)
class Expected:
    """What one answer of a batch is for; enough to collect it, also after a restart."""

    custom_id: str  # letters, digits, - and _; at most 64
    purpose: Purpose
    schema: type[BaseModel]
    person: AbstractBaseUser | None
    run: str = ""


@dataclass(frozen=True)
class Asked:
    expected: Expected
    system: str
    messages: Sequence[Block]
    max_tokens: int = 8192

    def params(self) -> dict[str, Any]:
        return build_request(
            self.expected.purpose,
            system=self.system,
            messages=self.messages,
            max_tokens=self.max_tokens,
            schema=self.expected.schema,
        )


def submit(asked: Iterable[Asked]) -> str:
    """The batch's id. Nothing is booked yet: nothing has been answered."""
    requests: Any = [{"custom_id": each.expected.custom_id, "params": each.params()} for each in asked]
    return _told(lambda: connection().sdk.messages.batches.create(requests=requests)).id


class NotEnded(Exception):
    """A batch that may be the one is not answered yet, and tells nothing of its requests."""


def find(custom_ids: Collection[str], *, since: datetime, others: Collection[str]) -> str:
    """The id of the batch that holds these requests and no others, of those made since then; empty when there is none.
    `others` are known to be something else. Only a batch that has ended tells its requests: raises NotEnded while one
    of this size has not."""
    undecided = False
    for batch in _told(lambda: _made_since(since)):
        counts = batch.request_counts
        size = counts.processing + counts.succeeded + counts.errored + counts.canceled + counts.expired
        if batch.id in others or size != len(custom_ids):
            continue
        if batch.processing_status != "ended":
            undecided = True
        elif _first_of(batch.id) in custom_ids:
            return batch.id
    if undecided:
        raise NotEnded
    return ""


def _made_since(since: datetime) -> list[MessageBatch]:
    """The service lists the newest first."""
    return list(takewhile(lambda each: each.created_at >= since, connection().sdk.messages.batches.list(limit=100)))


def _first_of(batch_id: str) -> str:
    return _told(lambda: next((each.custom_id for each in connection().sdk.messages.batches.results(batch_id)), ""))


def has_ended(batch_id: str) -> bool:
    return _told(lambda: connection().sdk.messages.batches.retrieve(batch_id)).processing_status == "ended"


def cancel(batch_id: str) -> None:
    _told(lambda: connection().sdk.messages.batches.cancel(batch_id))


def collect(batch_id: str, expected: Sequence[Expected]) -> dict[str, BaseModel | ClaudeError]:
    """Per `custom_id` the filled shape, or why there is none. Collecting again books nothing twice."""
    results = _told(lambda: list(connection().sdk.messages.batches.results(batch_id)))
    by_id = {result.custom_id: result for result in results}
    return {each.custom_id: _read(batch_id, each, by_id.get(each.custom_id)) for each in expected}


def _read(
    batch_id: str, expected: Expected, answered: MessageBatchIndividualResponse | None
) -> BaseModel | ClaudeError:
    if answered is None or answered.result.type == "canceled":
        return Interrupted()
    if answered.result.type == "expired":
        return TimedOut()
    if answered.result.type == "errored":
        return (for_type(answered.result.error.error.type) or BadRequest)(status=400)
    return _filled(f"{batch_id}/{expected.custom_id}"[:80], expected, answered.result.message)


def _filled(request_id: str, expected: Expected, message: Message) -> BaseModel | ClaudeError:
    booking = open_booking(expected.purpose, {"model": message.model}, expected.person, expected.run)
    booking.batch = True
    booking.booked = Call.objects.filter(run=booking.run[:40], request_id=request_id).exists()
    message._request_id = request_id
    try:
        response = read_answer(message, booking, whole=True)
    except ClaudeError as problem:
        return problem
    read = read_into(expected.schema, response.text)
    return Malformed() if isinstance(read, str) else read


def _told[T](call: Callable[[], T]) -> T:
    got = named(call)
    if isinstance(got, ClaudeError):
        raise got
    return got
