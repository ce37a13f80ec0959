"""Who is to dream now: by each person's own clock, a slice at a time, spread over the hour. Nobody is loaded for it."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from django.conf import settings
from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.db.models.functions import Mod

from consolidation.models import AskedFor, Night, NightState
from memories.models import Message, Person


def due(now: datetime) -> Iterator[int]:
    """Ids of people whose night hour has come, who said something before it, and who have not dreamt today."""
    for time_zone in list(Person.objects.filter(dream_nightly=True).values_list("time_zone", flat=True).distinct()):
        local = now.astimezone(ZoneInfo(time_zone or "UTC"))
        for night_hour in range(local.hour + 1):
            yield from _slices(_candidates(time_zone, night_hour, local, now))


def _candidates(time_zone: str, night_hour: int, local: datetime, now: datetime) -> QuerySet[Person]:
    nights = Night.objects.filter(person=OuterRef("pk"))
    began = local.replace(hour=night_hour, minute=0, second=0, microsecond=0).astimezone(UTC)
    unread = Message.objects.unread_by_night().filter(person=OuterRef("pk"), shown=True, said_at__lt=began)
    people = Person.objects.filter(
        Exists(unread), is_active=True, dream_nightly=True, time_zone=time_zone, night_hour=night_hour
    )
    if night_hour == local.hour:
        # Each has a minute of their own, so that the hour does not begin with everybody.
        people = people.annotate(minute=Mod(F("pk"), 60)).filter(minute__lte=local.minute)
    return people.exclude(
        Exists(nights.filter(local_date=local.date(), asked_for=AskedFor.SCHEDULE).exclude(_to_retry(now)))
    ).exclude(Exists(nights.filter(Q(state=NightState.RUNNING) | Q(state=NightState.HELD))))


def _to_retry(now: datetime) -> Q:
    """A failed night is tried again after a while, a few times."""
    rested = now - timedelta(seconds=settings.NIGHT_RETRY_AFTER_S)
    return Q(state=NightState.FAILED, ended_at__lt=rested, attempts__lt=settings.NIGHT_MAX_FAILURES)


def _slices(people: QuerySet[Person]) -> Iterator[int]:
    last = 0
    while True:
        some = list(people.filter(pk__gt=last).order_by("pk").values_list("pk", flat=True)[: settings.NIGHT_SLICE])
        yield from some
        if len(some) < settings.NIGHT_SLICE:
            return
        last = some[-1]
