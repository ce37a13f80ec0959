"""Memories that stay though words of theirs go: they lose that evidence, and are to be checked."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence

from django.db.models import F, Q

from memories.models import AlteredMemory, DeletedEvidence, Deletion, Evidence, Memory, Status


def thin_out(deletion: Deletion, lost: Sequence[Evidence]) -> int:
    """Take `lost` off the memories that they speak for, on behalf of `deletion`. One that has none left rests on the
    person's own decision to keep it. Returns how many memories stay with less."""
    memories = {found.memory_id: found.memory for found in lost}
    if not memories:
        return 0
    note_altered(deletion, memories.values())
    DeletedEvidence.objects.bulk_create(
        DeletedEvidence(
            deletion=deletion,
            memory_id=found.memory_id,
            passage_id=found.passage_id or 0,
            start=found.span[0],
            end=found.span[1],
            said_at=found.said_at,
        )
        for found in lost
    )
    Evidence.objects.filter(pk__in=[found.pk for found in lost]).delete()
    supported = set(Evidence.objects.filter(memory__in=memories).values_list("memory_id", flat=True))
    for pk, memory in memories.items():
        if pk not in supported:
            entry = Evidence.objects.create(memory=memory, passage=None, said_at=memory.said_at)
            AlteredMemory.objects.filter(deletion=deletion, memory=memory).update(stand_in=entry)
    Memory.objects.filter(pk__in=memories).update(to_check_at=deletion.carried_out_at)
    return len(memories)


def note_altered(deletion: Deletion, memories: Collection[Memory]) -> None:
    AlteredMemory.objects.bulk_create(
        (
            AlteredMemory(
                deletion=deletion,
                memory=memory,
                status_before=memory.status,
                superseded_by_before_id=memory.superseded_by_id,
                superseded_at_before=memory.superseded_at,
                to_check_at_before=memory.to_check_at,
            )
            for memory in memories
        ),
        ignore_conflicts=True,
    )


def keep_under_tombstones(undone: Deletion) -> None:
    """What an undo has given back does not stand on words that another deletion took: those stay with that one. The
    caller has taken the tombstones of `undone` away, and holds the person's lock."""
    touching = (
        Evidence.objects.filter(
            Q(memory__taken_by__deletion=undone) | Q(memory__altered_by__deletion=undone),
            passage__tombstones__start__lt=F("end"),
            passage__tombstones__end__gt=F("start"),
        )
        .exclude(memory__status=Status.DELETED)
        .annotate(by=F("passage__tombstones__deletion"))
        .select_related("memory")
        .order_by("by")
    )
    # By the newest of those that took them; where that one is undone too, they come to the one before it.
    taken_by = {found.pk: (found.by, found) for found in touching}
    lost: dict[int, list[Evidence]] = defaultdict(list)
    for by, found in taken_by.values():
        lost[by].append(found)
    for deletion in Deletion.objects.filter(pk__in=lost).order_by("pk"):
        thin_out(deletion, lost[deletion.pk])
        if deletion.purged_at:
            for rows in (deletion.altered, deletion.taken_evidence):
                rows.all().delete()
