"""A night that wanted to retire too much: its proposal waits for a look, by the person or by staff."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction

from consolidation.apply import apply, finish
from consolidation.models import Night, NightState
from memories.models import lock_person


def approve(night: Night, *, now: datetime) -> bool:
    """Carry the proposal out after all. The pages are still to be written: run the night."""
    with transaction.atomic():
        lock_person(night.person_id)
        changed = Night.objects.filter(pk=night.pk, state=NightState.HELD).update(
            state=NightState.RUNNING, ended_at=None, leased_until=now
        )
        if not changed:
            return False
        night.refresh_from_db()
        apply(night, now=now, despite_cap=True)
    return True


def dismiss(night: Night, *, now: datetime) -> bool:
    """Let the proposal go. What the night read counts as read."""
    with transaction.atomic():
        lock_person(night.person_id)
        if not Night.objects.filter(pk=night.pk, state=NightState.HELD).update(state=NightState.DISMISSED):
            return False
        finish(night, now=now)
    night.refresh_from_db()
    return True
