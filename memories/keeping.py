"""The person says on a memory's page that it still holds."""

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
