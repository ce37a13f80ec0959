"""The person's own hand on a memory: correct it, accept or reject what waits, bring back what was replaced."""

from __future__ import annotations

import re
from datetime import datetime

from django.db import transaction

from memories import index, lines, policy
from memories import supersede as superseding
from memories.models import (
    Confidence,
    Evidence,
    Memory,
    Person,
    RefusalReason,
    Status,
    Version,
    WaitingReason,
    Write,
    lock_person,
)
from memories.statements import LONGEST, is_storable, tidy


class StaleEdit(Exception):
    """The memory changed, or was deleted, since the person saw it."""


class NotKept(Exception):
    """The new words cannot be kept; `reason` says why."""

    def __init__(self, reason: RefusalReason) -> None:
        super().__init__(reason.value)
        self.reason = reason


def edit(person: Person, number: int, statement: str, *, version: int, now: datetime) -> Memory:
    """The person corrects a memory; what it said before becomes a version. `version` is the one they saw."""
    statement = _checked(statement)
    with transaction.atomic():
        memory = _locked(person, number)
        if memory.version != version:
            raise StaleEdit
        if statement != memory.statement:
            _rewrite(memory, statement, now=now)
        return memory


def accept(person: Person, number: int, *, now: datetime, statement: str | None = None) -> Memory:
    """What waited becomes the person's own word, with their acceptance as evidence. It replaces what it meant to."""
    if statement is not None:
        statement = _checked(statement)
    with transaction.atomic():
        memory = _locked(person, number)
        if memory.status != Status.WAITING:
            raise StaleEdit
        if policy.is_credential(statement or memory.statement):
            raise NotKept(RefusalReason.CREDENTIAL)
        memory.status, memory.waiting_reason, memory.trusted = Status.ACTIVE, "", True
        memory.confidence = Confidence.HIGH
        memory.confirmed_at = now
        memory.save(update_fields=["status", "waiting_reason", "trusted", "confidence", "confirmed_at"])
        if statement is not None and statement != memory.statement:
            _rewrite(memory, statement, now=now)
        else:
            _entry(memory, now=now)
        for write in Write.objects.filter(memory=memory).exclude(replaced=None).select_related("replaced"):
            if (
                write.replaced
                and write.replaced.status == Status.ACTIVE
                and not (memory.plan and not write.replaced.plan)
            ):
                superseding.supersede(write.replaced, memory, now=now)
        return memory


def reject(person: Person, number: int, *, now: datetime) -> None:
    """What waited goes: no word of it stays. The span it came from does, so that it is not proposed again."""
    with transaction.atomic():
        memory = _locked(person, number)
        if memory.status != Status.WAITING:
            raise StaleEdit
        memory.versions.all().delete()
        memory.status, memory.waiting_reason, memory.statement = Status.DELETED, "", ""
        memory.save(update_fields=["status", "waiting_reason", "statement"])
        index.add_memory(memory)


def restore(person: Person, number: int, *, now: datetime) -> Memory:
    """A replaced or faded memory is current again, because the person says so."""
    with transaction.atomic():
        memory = _locked(person, number)
        try:
            superseding.restore(memory, now=now)
        except superseding.NotCurrent:
            raise StaleEdit from None
        _entry(memory, now=now)
        return memory


def put_back(memory: Memory) -> None:
    """The night that added it was undone: it waits for the person. The caller holds the person's lock."""
    memory.status, memory.waiting_reason = Status.WAITING, WaitingReason.UNDONE
    memory.save(update_fields=["status", "waiting_reason"])


def _locked(person: Person, number: int) -> Memory:
    owner = lock_person(person.pk)
    memory = Memory.objects.of(owner).kept().filter(number=number).first()
    if memory is None:
        raise StaleEdit
    return memory


def _checked(statement: str) -> str:
    if not is_storable(statement):
        raise NotKept(RefusalReason.MALFORMED)
    statement = tidy(statement)
    if not re.search(r"\w", statement):
        raise NotKept(RefusalReason.BLANK)
    if len(statement) > LONGEST:
        raise NotKept(RefusalReason.MALFORMED)
    if policy.is_credential(statement):
        raise NotKept(RefusalReason.CREDENTIAL)
    return statement


def _rewrite(memory: Memory, statement: str, *, now: datetime) -> None:
    Version.objects.create(memory=memory, number=memory.version, statement=memory.statement, replaced_at=now)
    memory.statement = statement
    memory.version += 1
    memory.save(update_fields=["statement", "version"])
    _entry(memory, now=now)
    index.add_memory(memory)
    lines.restate(memory)


def _entry(memory: Memory, *, now: datetime) -> None:
    """The person said so on their own page: as new as anything they said, so that no older saying replaces it."""
    Evidence.objects.create(memory=memory, passage=None, said_at=now)
    memory.said_at = max(memory.said_at, now)
    memory.confirmed_at = now
    memory.save(update_fields=["said_at", "confirmed_at"])
