"""One step's questions to the model as a Message Batch, for half the price: sent together, collected by a later task.
What a batch leaves unanswered is asked directly.

What is about to be sent is written down before it goes. A worker that dies before it has the batch's id, or a network
that loses the answer, leaves that intent behind, and the next run looks for the batch among the service's own: the
service tells a batch's requests apart only once it has ended, so it waits for the ones that may be it. A server that
lists no batches cannot be asked; then the step is asked directly, and a batch that did arrive is paid for in vain.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from pydantic import BaseModel

from claude import batches
from claude.client import Block
from claude.errors import BadRequest, ClaudeError, TooLong
from claude.purposes import Purpose
from consolidation.models import AskedFor, Batch, Night, Step

# The service's clock and ours may differ so much.
CLOCKS_DIFFER = timedelta(minutes=10)
OVERLOADED = 529


class StillOut(Exception):
    """The batch is not answered yet: the night goes on later."""


@dataclass(frozen=True)
class Question:
    """One request of a batch: what is sent, and keys of the rows that it asks about, to find them again."""

    key: int
    system: str
    messages: Sequence[Block]
    max_tokens: int
    about: Any


@dataclass(frozen=True)
class Answered:
    about: Any
    answer: BaseModel


@dataclass(frozen=True)
class Kind:
    """What is asked at a step, in which shape, and what is done with the answers. The letter begins its ids."""

    letter: str
    purpose: Purpose
    schema: type[BaseModel]
    prepare: Callable[[Night, datetime], list[Question]]
    take: Callable[[Night, list[Answered], datetime], None]


def is_wanted(night: Night) -> bool:
    """Somebody who pressed a button does not wait for a day."""
    return bool(settings.NIGHT_USE_BATCHES) and night.asked_for == AskedFor.SCHEDULE


def is_out(night: Night) -> bool:
    return night.batches.filter(collected_at=None).exists()


def through(night: Night, step: Step, *kinds: Kind, now: datetime) -> None:
    """Sends the batch of this step, or takes its answers, once. Raises StillOut while there is nothing to take."""
    batch = night.batches.filter(step=step).order_by("-pk").first()
    if batch is not None and batch.collected_at is None and not batch.batch_id and not _find_again(batch, now=now):
        # It never arrived. What was to be asked may have changed since: asked afresh.
        batch.delete()
        batch = None
    if batch is None:
        if _send(night, step, kinds, now=now):
            raise StillOut
    elif batch.collected_at is None:
        _take(night, batch, kinds, now=now)


def _send(night: Night, step: Step, kinds: Sequence[Kind], *, now: datetime) -> bool:
    """Whether there is something to wait for."""
    mark = secrets.token_hex(8)  # no other batch has ids like these
    requests, about = [], {}
    for kind in kinds:
        for question in kind.prepare(night, now):
            expected = _expected(night, kind, f"{kind.letter}{question.key}-{mark}")
            requests.append(batches.Asked(expected, question.system, question.messages, question.max_tokens))
            about[expected.custom_id] = question.about
    if not requests:
        return False
    batch = Batch.objects.create(night=night, step=step, asked=about, submitted_at=now)
    try:
        batch.batch_id = batches.submit(requests)
    except (BadRequest, TooLong):
        batch.close(now)  # a server without batches, or without ones of this size
        return False
    except ClaudeError as problem:
        if problem.status is not None and (400 <= problem.status < 500 or problem.status == OVERLOADED):
            batch.delete()  # it says itself that it did not take it
        raise
    batch.save(update_fields=["batch_id"])
    return True


def _find_again(batch: Batch, *, now: datetime) -> bool:
    """Whether what was meant to be sent is accounted for: found among the service's batches, or given up."""
    if now >= batch.submitted_at + timedelta(seconds=settings.NIGHT_BATCH_GIVE_UP_S):
        batch.close(now)
        return True
    others = set(Batch.objects.exclude(batch_id="").values_list("batch_id", flat=True))
    try:
        found = batches.find(batch.asked, since=batch.submitted_at - CLOCKS_DIFFER, others=others)
    except batches.NotEnded:
        raise StillOut from None
    except BadRequest:
        batch.close(now)  # it lists none: nobody can say
        return True
    if not found:
        return False
    batch.batch_id = found
    batch.save(update_fields=["batch_id"])
    return True


def _take(night: Night, batch: Batch, kinds: Sequence[Kind], *, now: datetime) -> None:
    try:
        if batches.has_ended(batch.batch_id):
            _collect(night, batch, kinds, now=now)
        elif now < batch.submitted_at + timedelta(seconds=settings.NIGHT_BATCH_GIVE_UP_S):
            raise StillOut
        else:
            batches.cancel(batch.batch_id)
    except ClaudeError as problem:
        if problem.retryable:
            raise
        # The service does not know it, or any longer: all of it is asked directly.
    batch.close(now)


def _collect(night: Night, batch: Batch, kinds: Sequence[Kind], *, now: datetime) -> None:
    """Each answer by itself; taking one that was taken before changes nothing."""
    for kind in kinds:
        expected = [_expected(night, kind, key) for key in batch.asked if key.startswith(kind.letter)]
        answers = batches.collect(batch.batch_id, expected) if expected else {}
        answered = [
            Answered(batch.asked[custom_id], answer)
            for custom_id, answer in answers.items()
            if not isinstance(answer, ClaudeError)
        ]
        kind.take(night, answered, now)


def _expected(night: Night, kind: Kind, custom_id: str) -> batches.Expected:
    return batches.Expected(custom_id, kind.purpose, kind.schema, night.person, run=night.run)
