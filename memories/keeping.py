"""The person says on a memory's page that it still holds, or that it is not to be used for now."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction

from memories.asking import hold
from memories.models import Memory, Person, Status, lock_person


class CannotConfirm(Exception):
    """Only what is believed, or was before it faded, can be said to be still true."""


@transaction.atomic
def confirm_still_true(person: Person, number: int, *, now: datetime) -> Memory:
    lock_person(person.pk)
    memory = Memory.objects.of(person).kept().filter(number=number).first()
    if memory is None or memory.status not in {Status.ACTIVE, Status.FADED} or not memory.trusted:
        raise CannotConfirm
    hold(memory, now=now)
    return memory


class CannotPause(Exception):
    """Only what is believed can be paused."""


@transaction.atomic
def pause(person: Person, number: int) -> Memory:
    """It fades at once: kept, and given to no answer, until the person says that it is still true, or says it anew."""
    lock_person(person.pk)
    memory = Memory.objects.of(person).active().filter(number=number).first()
    if memory is None:
        raise CannotPause
    memory.status = Status.FADED
    memory.save(update_fields=["status"])
    return memory
