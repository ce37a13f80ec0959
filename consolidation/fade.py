"""What was not said, confirmed or used for long loses confidence first, and then fades: out of the prompts, and never
out of the memory list."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet
from django.db.models.functions import Greatest

from consolidation.models import Decision, Did, Night
from memories.models import Confidence, Kind, Memory, Status, lock_person

# How many times its days it takes to come this far.
_STAGES = [(2.0, None), (1.5, Confidence.LOW), (1.0, Confidence.MEDIUM)]


def fade(night: Night, *, now: datetime) -> None:
    """By age alone, so that doing it twice does nothing more."""
    with transaction.atomic():
        person = lock_person(night.person_id)
        active = Memory.objects.of(person).active()
        for memories, days in [
            (active.filter(lasting=False), settings.NIGHT_FADE_PASSING_DAYS),
            *((active.filter(lasting=True, kind=kind), settings.NIGHT_FADE_DAYS.get(kind.value)) for kind in Kind),
        ]:
            if days:
                _age(night, memories, days, now=now)


def _age(night: Night, memories: QuerySet[Memory], days: int, *, now: datetime) -> None:
    stirred = memories.annotate(stirred_at=Greatest("said_at", "confirmed_at", "used_at", "created_at"))
    for times, confidence in _STAGES:
        old = stirred.filter(stirred_at__lt=now - timedelta(days=days * times))
        if confidence is None:
            _let_go(night, list(old), now=now)
        else:
            lower = [Confidence.HIGH] if confidence == Confidence.MEDIUM else [Confidence.HIGH, Confidence.MEDIUM]
            keys = list(old.filter(confidence__in=lower).values_list("pk", flat=True))
            Memory.objects.filter(pk__in=keys).update(confidence=confidence)


def _let_go(night: Night, memories: list[Memory], *, now: datetime) -> None:
    Memory.objects.filter(pk__in=[memory.pk for memory in memories]).update(status=Status.FADED)
    Decision.objects.bulk_create(
        Decision(night=night, did=Did.FADED, memory=memory, decided_at=now) for memory in memories
    )
    night.count(faded=len(memories))
