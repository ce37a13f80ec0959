"""Undoing a deletion while its window is open: exactly what it took comes back, and nothing that a later one took."""

from __future__ import annotations

from datetime import datetime

from django.db import connection, transaction

from memories.derived import layers
from memories.forgetting.carry import reach_of
from memories.forgetting.thinning import keep_under_tombstones
from memories.models import Conversation, Deletion, Evidence, Person, Status, lock_person

_GIVE_BACK = """
    UPDATE memories_memory SET status = taken.status_before, waiting_reason = taken.waiting_reason_before
    FROM memories_deletedmemory taken WHERE taken.memory_id = memories_memory.id AND taken.deletion_id = %s
"""


class TooLate(Exception):
    """The undo window has ended, or the deletion was undone or purged already."""


@transaction.atomic
def undo(deletion: Deletion, *, now: datetime) -> Deletion:
    person = lock_person(deletion.person_id)
    deletion = Deletion.objects.select_for_update().get(pk=deletion.pk)
    if not deletion.can_undo(now):
        raise TooLate
    reach = reach_of(deletion)
    _give_back_memories(deletion)
    _give_back_altered(deletion)
    _give_back_evidence(deletion)
    _give_back_settings(deletion, person)
    Conversation.objects.filter(deletion=deletion).update(deletion=None)
    deletion.tombstones.all().delete()
    keep_under_tombstones(deletion)
    for layer in layers():
        layer.restore(deletion, reach, now=now)
    # The rows that held what to give back have done their work; a later deletion may take the same memories.
    for rows in (deletion.taken, deletion.altered, deletion.taken_evidence, deletion.taken_titles):
        rows.all().delete()
    deletion.undone_at = now
    deletion.settings_before = {}
    deletion.marks = []
    deletion.save(update_fields=["undone_at", "settings_before", "marks"])
    return deletion


def _give_back_memories(deletion: Deletion) -> None:
    with connection.cursor() as cursor:
        cursor.execute(_GIVE_BACK, [deletion.pk])


def _give_back_altered(deletion: Deletion) -> None:
    """Only where nothing else changed it since: a later edit, deletion or replacement stands."""
    for row in deletion.altered.select_related("memory"):
        memory = row.memory
        if memory.to_check_at == deletion.carried_out_at:
            memory.to_check_at = row.to_check_at_before
        if row.status_before == Status.SUPERSEDED and memory.status == Status.ACTIVE:
            memory.status = Status.SUPERSEDED
            memory.superseded_by_id = row.superseded_by_before_id
            memory.superseded_at = row.superseded_at_before
        memory.save(update_fields=["to_check_at", "status", "superseded_by", "superseded_at"])


def _give_back_evidence(deletion: Deletion) -> None:
    """And what stood in for it goes; an entry that the person made stays."""
    Evidence.objects.bulk_create(
        (
            Evidence(
                memory_id=row.memory_id, passage_id=row.passage_id, start=row.start, end=row.end, said_at=row.said_at
            )
            for row in deletion.taken_evidence.all()
        ),
        ignore_conflicts=True,
    )
    Evidence.objects.filter(pk__in=deletion.altered.exclude(stand_in=None).values("stand_in")).delete()


def _give_back_settings(deletion: Deletion, person: Person) -> None:
    before = deletion.settings_before
    if before and not person.time_zone:
        Person.objects.filter(pk=person.pk).update(
            time_zone=before["time_zone"], time_zone_memory=before["time_zone_memory"]
        )
