"""Purging what can no longer be undone: the words leave the database; a receipt of counts remains."""

from __future__ import annotations

from collections import defaultdict
from datetime import datetime

from django.db import connection, transaction
from django.db.models import Q
from django.db.models.functions import Length

from memories.derived import layers
from memories.forgetting.carry import reach_of
from memories.forgetting.spans import BLANK, Span, blanked
from memories.models import (
    Category,
    Conversation,
    Deletion,
    Evidence,
    Kind,
    Memory,
    Passage,
    Person,
    Tombstone,
    Version,
    lock_person,
)

BATCH = 2_000
# Whole passages, without reading them.
_BLANK_WHOLE = """
    UPDATE memories_passage SET text = repeat(%(blank)s, char_length(text)), name = ''
    FROM memories_tombstone whole
    WHERE whole.deletion_id = %(deletion)s AND whole.passage_id = memories_passage.id
      AND whole.start = 0 AND whole."end" >= char_length(text) AND text <> ''
"""
_REWRITE = """
    UPDATE memories_passage SET text = erased.text
    FROM unnest(%s::bigint[], %s::text[]) AS erased (id, text) WHERE memories_passage.id = erased.id
"""


def purge_due(*, now: datetime, person: Person | None = None) -> int:
    """Purge every deletion whose window has ended, of one person or of all, each in a transaction of its own. Returns
    how many."""
    purged = 0
    due = Deletion.objects.to_purge(now)
    if person is not None:
        due = due.of(person)
    for pk in due.order_by("undo_until").values_list("pk", flat=True):
        purged += purge(pk, now=now)
    return purged


@transaction.atomic
def purge(deletion_id: int, *, now: datetime) -> bool:
    """False when there is nothing to purge yet, or any more. Never before the window ends, whoever calls."""
    owner = Deletion.objects.filter(pk=deletion_id).values_list("person_id", flat=True).first()
    if owner is None:
        return False
    lock_person(owner)
    deletion = Deletion.objects.to_purge(now).select_for_update().filter(pk=deletion_id).first()
    if deletion is None:
        return False
    reach = reach_of(deletion)
    counts = dict(deletion.counts)
    for layer in layers():
        if purged := layer.purge(deletion, reach, now=now):
            counts[layer.name] = counts.get(layer.name, 0) + purged
    _empty_memories(reach.memories)
    if deletion.erase_words:
        counts["erased"] = _erase(deletion, now=now)
    # Words that are gone need no tombstone; their rows go as a whole.
    Conversation.objects.filter(deletion=deletion).delete()
    for rows in (deletion.altered, deletion.taken_evidence, deletion.taken_titles):
        rows.all().delete()
    deletion.purged_at = now
    deletion.settings_before = {}
    deletion.counts = counts
    deletion.save(update_fields=["purged_at", "settings_before", "counts"])
    return True


def _empty_memories(keys: frozenset[int]) -> None:
    """A memory's row stays as a number that is never given again, and as the "Forgotten" under a reply."""
    Version.objects.filter(memory__in=keys).delete()
    Evidence.objects.filter(memory__in=keys).delete()
    Memory.objects.filter(pk__in=keys).update(
        statement="",
        kind=Kind.SEMANTIC,
        category=Category.OTHER,
        plan=False,
        event_from=None,
        event_until=None,
        superseded_by=None,
        superseded_at=None,
        to_check_at=None,
    )


def _erase(deletion: Deletion, *, now: datetime) -> int:
    with connection.cursor() as cursor:
        # A file whose words all went goes with its name.
        cursor.execute(_BLANK_WHOLE, {"deletion": deletion.pk, "blank": BLANK})
    spans: dict[int, list[Span]] = defaultdict(list)
    parts = deletion.tombstones.filter(Q(start__gt=0) | Q(end__lt=Length("passage__text")))
    for passage, start, end in parts.values_list("passage_id", "start", "end").iterator():
        spans[passage].append((start, end))
    keys = sorted(spans)
    for first in range(0, len(keys), BATCH):
        _blank({key: spans[key] for key in keys[first : first + BATCH]})
    return Tombstone.objects.filter(deletion=deletion).update(erased_at=now)


def _blank(spans: dict[int, list[Span]]) -> None:
    texts, whole = {}, []
    for key, text in Passage.objects.select_for_update().filter(pk__in=spans).values_list("pk", "text"):
        texts[key] = blanked(text, spans[key])
        if text and not texts[key].strip(BLANK):
            whole.append(key)
    with connection.cursor() as cursor:
        cursor.execute(_REWRITE, [list(texts), list(texts.values())])
    Passage.objects.filter(pk__in=whole).exclude(name="").update(name="")
