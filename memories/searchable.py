"""Search rows as what a deletion takes: a memory's row goes, an exchange's is made again without the forgotten span."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime, timedelta
from functools import partial

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils.translation import gettext_lazy as _

from memories import index
from memories.derived import Finding, Layer, Reach
from memories.models import (
    Deletion,
    ExchangeSearch,
    Memory,
    MemoryMode,
    MemorySearch,
    Message,
    Person,
    Role,
    lock_person,
)

BATCH = 200


class SearchRows(Layer):
    name = "search_rows"
    label = _("Search index")

    def count(self, person: Person, reach: Reach) -> int:
        if reach.everything:
            return MemorySearch.objects.filter(person=person).count()
        return MemorySearch.objects.filter(person=person, memory__in=reach.memories).count() + len(
            _asked(person, reach)
        )

    def drop(self, deletion: Deletion, reach: Reach, *, now: datetime) -> int:
        if reach.everything:
            return _delete_all(deletion)
        rows = MemorySearch.objects.filter(person=deletion.person, memory__in=reach.memories)
        return rows.delete()[0] + _make_again(deletion.person, reach)

    def restore(self, deletion: Deletion, reach: Reach, *, now: datetime) -> None:
        if reach.everything:
            transaction.on_commit(partial(_call_a_worker, deletion.person_id), robust=True)
            return
        for memory in Memory.objects.of(deletion.person).filter(pk__in=reach.memories).select_related("person"):
            index.add_memory(memory)
        _make_again(deletion.person, reach)

    def purge(self, deletion: Deletion, reach: Reach, *, now: datetime) -> int:
        """Again: a worker may have been writing a row while the deletion was carried out."""
        if reach.everything:
            return _delete_all(deletion)
        return MemorySearch.objects.filter(person=deletion.person, memory__in=reach.memories).delete()[0]

    def verify(self, deletion: Deletion, reach: Reach) -> Collection[Finding]:
        """A row of a deleted memory, or one that still holds words of an exchange that it may not."""
        left = MemorySearch.objects.filter(person=deletion.person, memory__in=reach.memories)
        findings = [
            Finding(self.name, "row_of_deleted", "MemorySearch", pk) for pk in left.values_list("pk", flat=True)
        ]
        if reach.everything:
            rows = _exchanges_before(deletion)
            return [*findings, *(Finding(self.name, "stale_words", "ExchangeSearch", row.pk) for row in rows)]
        for message in _asked(deletion.person, reach):
            row = ExchangeSearch.objects.filter(message=message).first()
            if row is not None and not index.is_current(row, message):
                findings.append(Finding(self.name, "stale_words", "ExchangeSearch", row.pk))
        return findings


def index_missing(person_id: int) -> int:
    """The rows that undoing a deletion of everything gives back. Returns how many were made."""
    made = 0
    memories = Memory.objects.filter(person=person_id, search_row=None).kept().select_related("person")
    exchanges = Message.objects.filter(
        person=person_id, role=Role.USER, shown=True, search_row=None, conversation__deletion=None
    ).exclude(conversation__memory_mode=MemoryMode.TEMPORARY)
    last = 0
    while some := list(memories.filter(pk__gt=last).order_by("pk")[:BATCH]):
        with transaction.atomic():
            lock_person(person_id)
            for memory in memories.filter(pk__in=[memory.pk for memory in some]):
                index.add_memory(memory)
                made += 1
        last = some[-1].pk
    last = 0
    while asked := list(exchanges.filter(pk__gt=last).select_related("conversation", "person").order_by("pk")[:BATCH]):
        with transaction.atomic():
            lock_person(person_id)
            for message in asked:
                index.add_exchange_of(message)
                made += 1
        last = asked[-1].pk
    return made


def people_with_missing(now: datetime) -> list[int]:
    """Those who undid a deletion of everything lately."""
    undone = Deletion.objects.filter(everything=True, undone_at__gte=now - timedelta(days=1))
    return list(undone.values_list("person", flat=True).distinct())


def _call_a_worker(person_id: int) -> None:
    from memories.tasks import index_missing as task

    task.apply_async(kwargs={"person_id": person_id}, retry=False)


def _asked(person: Person, reach: Reach) -> list[Message]:
    """The messages that begin the exchanges which the deletion reached into."""
    touched = Message.objects.filter(person=person, passages__in=reach.passages).distinct()
    before = Q()
    for conversation, position in touched.filter(role=Role.ASSISTANT).values_list("conversation_id", "position"):
        before |= Q(conversation=conversation, position=position - 1)
    theirs = Q(pk__in=touched.filter(role=Role.USER).values("pk"))
    beginning = Message.objects.filter(person=person, role=Role.USER).filter(
        theirs | (before & Q(shown=True)) if before else theirs
    )
    return list(beginning.select_related("conversation", "person"))


def _make_again(person: Person, reach: Reach) -> int:
    asked = _asked(person, reach)
    for message in asked:
        index.add_exchange_of(message)
    return len(asked)


def _delete_all(deletion: Deletion) -> int:
    """Every memory went, and every word said before has a tombstone: no row of theirs holds anything any more."""
    memories = MemorySearch.objects.filter(person=deletion.person, memory__taken_by__deletion=deletion)
    return memories.delete()[0] + _exchanges_before(deletion).delete()[0]


def _exchanges_before(deletion: Deletion) -> QuerySet[ExchangeSearch]:
    return ExchangeSearch.objects.filter(person=deletion.person, message__said_at__lte=deletion.carried_out_at)
