"""Nights on their own queue. Tasks carry ids only."""

from __future__ import annotations

from celery import shared_task
from django.conf import settings
from django.core.cache import cache
from django.utils import timezone

from claude.errors import Overloaded, RateLimited
from consolidation import night
from consolidation.due import due
from consolidation.models import Night, NightState
from memories.models import Person

_PAUSED = "nights:paused"


@shared_task
def find_due() -> None:
    """By beat, every few minutes."""
    for person_id in due(timezone.now()):
        dream.delay(person_id=person_id)
    for night_id in Night.objects.abandoned(timezone.now()).values_list("pk", flat=True)[: settings.NIGHT_SLICE]:
        run_night.delay(night_id=night_id)


@shared_task
def dream(*, person_id: int) -> None:
    begun = night.begin(Person.objects.get(pk=person_id), now=timezone.now())
    if begun is not None:
        run_night.delay(night_id=begun.pk)


@shared_task
def run_night(*, night_id: int) -> None:
    if wait := cache.get(_PAUSED):
        # The service asked one night to slow down: all of them do.
        run_night.apply_async(kwargs={"night_id": night_id}, countdown=wait)
        return
    over = night.run(night_id, now=timezone.now())
    if over.state == NightState.FAILED and over.error in {RateLimited.code, Overloaded.code}:
        cache.set(_PAUSED, settings.NIGHT_PAUSE_S, timeout=settings.NIGHT_PAUSE_S)
