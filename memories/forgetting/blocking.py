"""What stays blocked: words under a tombstone, and anything older than a deletion that says what it deleted."""

from __future__ import annotations

from datetime import datetime

from memories.forgetting.likeness import Likeness, compare, saying
from memories.forgetting.marks import covers
from memories.models import DeletedMemory, Deletion, Passage, Person, Tombstone


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
    later = Deletion.objects.of(person).standing().filter(carried_out_at__gt=said_at)
    for deletion in later:
        if deletion.everything or covers(deletion.marks, person.pk, statement) or _says_taken(deletion, statement):
            return deletion
    return None


def _says_taken(deletion: Deletion, statement: str) -> bool:
    """By the words themselves, while they are still there."""
    if deletion.purged_at:
        return False
    taken = DeletedMemory.objects.filter(deletion=deletion).values_list("memory__statement", flat=True)
    return any(compare(saying(text), statement) == Likeness.SAYS_IT for text in taken.iterator())
