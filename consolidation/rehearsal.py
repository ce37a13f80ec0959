"""What a night would do, without doing it. The model is asked as in a night, outside of any transaction, and its calls
stay booked. The proposal is then carried out, told and rolled back in one short transaction."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from django.db import transaction

from consolidation import apply, fade, pages
from consolidation.models import AskedFor, Night, NightState
from consolidation.night import Run
from memories.models import Person, lock_person

type Tell = Callable[[Night, list[pages.Part]], None]


class CannotRehearse(Exception):
    """A night is running already, or one is held for a look."""


def rehearse(person: Person, *, now: datetime, tell: Tell) -> None:
    """`tell` is called while all of it can be read. Raises what the model's failure raises."""
    night = _begin(person, now=now)
    try:
        run = Run(night, now)
        run.hold_lease()
        run.extract()
        run.reconcile()
        with transaction.atomic():
            apply.apply(night, now=now)
            if night.state == NightState.RUNNING:
                fade.fade(night, now=now)
            tell(night, pages.stale(person, since=night.last_done_at()))
            transaction.set_rollback(True)
    finally:
        Night.objects.filter(pk=night.pk).delete()


def _begin(person: Person, *, now: datetime) -> Night:
    with transaction.atomic():
        person = lock_person(person.pk)
        nights = Night.objects.of(person)
        nights.filter(asked_for=AskedFor.REHEARSAL, leased_until__lt=now).delete()
        if nights.filter(state__in=[NightState.RUNNING, NightState.HELD]).exists():
            raise CannotRehearse
        return Night.objects.create(
            person=person,
            local_date=person.local(now).date(),
            asked_for=AskedFor.REHEARSAL,
            started_at=now,
            leased_until=now,
            reads_until=now,
        )
