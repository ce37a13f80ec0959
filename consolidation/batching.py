"""One step's questions to the model as a Message Batch, for half the price: sent together, collected by a later task.
What a batch leaves unanswered is asked directly."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings
from pydantic import BaseModel

from claude import batches
from claude.errors import BadRequest, ClaudeError
from claude.purposes import Purpose
from consolidation.models import AskedFor, Batch, Night, Step


class StillOut(Exception):
    """The batch is not answered yet: the night goes on later."""


@dataclass(frozen=True)
class Question:
    """One request of a batch, and the keys of the rows that it asks about."""

    asked: batches.Asked
    keys: list[int]


def is_wanted(night: Night) -> bool:
    """Somebody who pressed a button does not wait for a day."""
    return bool(settings.NIGHT_USE_BATCHES) and night.asked_for == AskedFor.SCHEDULE


def is_out(night: Night) -> bool:
    return night.batches.filter(collected_at=None).exists()


@dataclass(frozen=True)
class Kind:
    """What is asked at a step, in which shape, and what is done with an answer."""

    purpose: Purpose
    schema: type[BaseModel]
    prepare: Callable[[Night, datetime], list[Question]]
    take: Callable[[Night, list[int], BaseModel, datetime], None]


def through(night: Night, step: Step, kind: Kind, *, now: datetime) -> None:
    """Sends the batch of this step, or takes its answers, once. Raises StillOut while there is nothing to take."""
    batch = night.batches.filter(step=step).order_by("-pk").first()
    if batch is None:
        if not _submit(night, step, kind.prepare(night, now), now=now):
            return
        raise StillOut
    if batch.collected_at is not None:
        return
    try:
        ended = batches.has_ended(batch.batch_id)
        if not ended and now < batch.submitted_at + timedelta(seconds=settings.NIGHT_BATCH_GIVE_UP_S):
            raise StillOut
        if ended:
            _collect(night, batch, kind, now=now)
        else:
            batches.cancel(batch.batch_id)
    except ClaudeError as problem:
        if problem.retryable:
            raise
        # The service does not know it, or any longer: all of it is asked directly.
    batch.collected_at = now
    batch.save(update_fields=["collected_at"])


def _submit(night: Night, step: Step, questions: list[Question], *, now: datetime) -> bool:
    if not questions:
        return False
    try:
        batch_id = batches.submit([question.asked for question in questions])
    except BadRequest:
        return False  # a server without batches
    Batch.objects.create(
        night=night,
        step=step,
        batch_id=batch_id,
        asked={question.asked.expected.custom_id: question.keys for question in questions},
        submitted_at=now,
    )
    return True


def _collect(night: Night, batch: Batch, kind: Kind, *, now: datetime) -> None:
    """Each answer by itself; taking one that was taken before changes nothing."""
    expected = [
        batches.Expected(custom_id, kind.purpose, kind.schema, night.person, run=night.run) for custom_id in batch.asked
    ]
    for custom_id, answer in batches.collect(batch.batch_id, expected).items():
        if not isinstance(answer, ClaudeError):
            kind.take(night, batch.asked[custom_id], answer, now)
