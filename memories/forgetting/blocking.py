"""What stays blocked: words under a tombstone, and anything older than a deletion that says what it deleted."""

from __future__ import annotations

from datetime import datetime

from memories.forgetting.likeness import Likeness, compare, saying
from memories.forgetting.marks import covers
from memories.models import DeletedMemory, Deletion, Passage, Person, Tombstone
from memories.statements import alike


def blocked(
    person: Person,
    *,
    statement: str,
    said_at: datetime,
    passage: Passage | None = None,
    start: int = 0,
    end: int = 0,
) -> Deletion | None:
    """The deletion that covers this write, if any. What is said anew after a deletion is never covered by it."""
    if passage is not None:
        under = (
            Tombstone.objects.filter(passage=passage, start__lt=end, end__gt=start, deletion__undone_at=None)
            .select_related("deletion")
            .first()
        )
        if under:
            return under.deletion
    for deletion in Deletion.objects.of(person).standing().filter(carried_out_at__gte=said_at):
        if deletion.everything or _covers(deletion, statement):
            return deletion
    return None


def deleted_before(person: Person, statement: str) -> bool:
    """Whether something like it was deleted, whenever it was said: for what comes without a time of its own."""
    return any(_covers(deletion, statement) for deletion in Deletion.objects.of(person).standing())


def _covers(deletion: Deletion, statement: str) -> bool:
    return covers(deletion.marks, deletion.person_id, statement) or _says_taken(deletion, statement)


def _says_taken(deletion: Deletion, statement: str) -> bool:
    """By the words themselves, while they are still there."""
    if deletion.purged_at:
        return False
    taken = DeletedMemory.objects.filter(deletion=deletion).values_list("memory__statement", flat=True)
    return any(
        alike(text, statement) or compare(saying(text), statement) == Likeness.SAYS_IT for text in taken.iterator()
    )
