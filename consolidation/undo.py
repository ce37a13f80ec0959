"""Take a whole night back. Nothing is erased: what it added waits for the person, what it replaced is current again,
the evidence it added is taken off. What the person has touched since stays as they left it."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.db.models import Max

from consolidation import pages
from consolidation.models import Decision, Did, Night, NightState
from memories.edit import put_back
from memories.models import Memory, Question, Status, lock_person
from memories.supersede import NotCurrent, restore


def undo(night: Night, *, now: datetime) -> bool:
    with transaction.atomic():
        person = lock_person(night.person_id)
        changed = Night.objects.filter(pk=night.pk, state=NightState.DONE).update(
            state=NightState.UNDONE, undone_at=now
        )
        if not changed:
            return False
        touched: set[int] = set()
        decisions = night.decisions.select_related("memory", "other", "evidence", "night").order_by("-pk")
        for decision in decisions.exclude(did=Did.HELD_BACK).exclude(memory=None):
            touched.update(_take_back(decision, now=now))
        # The pages follow at once; the next night writes their sections well.
        if touched:
            pages.restate(person, now=now)
    night.refresh_from_db()
    return True


def _take_back(decision: Decision, *, now: datetime) -> list[int]:
    assert decision.memory is not None
    memory = decision.memory
    memory.refresh_from_db()
    if decision.did in {Did.ADDED, Did.REPLACED}:
        if memory.status != Status.ACTIVE or memory.version > 1 or _said_elsewhere(decision, memory):
            return []
        put_back(memory)
        if decision.other is not None and decision.other.superseded_by_id == memory.pk:
            _bring_back(decision.other, now=now)
        return [memory.pk]
    if decision.did == Did.CONFIRMED and decision.evidence is not None and memory.evidence.count() > 1:
        decision.evidence.delete()
        newest = memory.evidence.aggregate(newest=Max("said_at"))["newest"]
        memory.said_at = newest
        memory.confirmed_at = newest if memory.evidence.count() > 1 else None
        memory.save(update_fields=["said_at", "confirmed_at"])
    if decision.did == Did.FADED:
        _bring_back(memory, now=now)
        return [memory.pk]
    if decision.did == Did.SETTLED and decision.other is not None and decision.other.superseded_by_id == memory.pk:
        _bring_back(decision.other, now=now)
        return [decision.other.pk]
    if decision.did == Did.ASKED:
        Question.objects.filter(memory=memory, answered_at=None, asked_at__gte=decision.night.started_at).delete()
    return []


def _said_elsewhere(decision: Decision, memory: Memory) -> bool:
    """Something else than this night speaks for it by now."""
    nights = Decision.objects.filter(night=decision.night_id, memory=memory).exclude(evidence=None)
    return memory.evidence.exclude(pk__in=nights.values("evidence")).exists()


def _bring_back(memory: Memory, *, now: datetime) -> None:
    try:
        restore(memory, now=now)
    except NotCurrent:
        return  # deleted or brought back since: the person's hand wins
