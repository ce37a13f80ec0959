"""Checking that what was deleted is gone from every layer, and has stayed gone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta

from django.db.models import F, Q
from django.db.models.functions import Substr

from memories.derived import Finding, layers
from memories.forgetting.carry import reach_of
from memories.forgetting.marks import covers
from memories.forgetting.spans import BLANK
from memories.models import Deletion, Evidence, Memory, Person, Status, Version

# Purging is asked for every minute; so long after the window something is wrong.
PURGE_GRACE = timedelta(minutes=30)
_LAYER = "memories"


def verify(deletions: Iterable[Deletion], *, now: datetime) -> list[tuple[Deletion, Finding]]:
    """Check each deletion against every layer and write down on it when, and how much was found."""
    found: list[tuple[Deletion, Finding]] = []
    for deletion in deletions:
        findings = list(_check(deletion, now=now))
        deletion.checked_at = now
        deletion.check_findings = len(findings)
        deletion.save(update_fields=["checked_at", "check_findings"])
        found += [(deletion, finding) for finding in findings]
    return found


def verify_person(person: Person, *, now: datetime, since: datetime | None = None) -> list[tuple[Deletion, Finding]]:
    """After a night: the person's deletions since the one before it, and those that were never checked."""
    standing = Deletion.objects.of(person).standing()
    if since is not None:
        # One that was checked before its purge is checked once more after it.
        again = Q(carried_out_at__gte=since) | Q(checked_at=None) | Q(checked_at__lt=F("purged_at"))
        standing = standing.filter(again)
    return verify(standing.order_by("pk"), now=now)


def _check(deletion: Deletion, *, now: datetime) -> Iterator[Finding]:
    reach = reach_of(deletion)
    yield from _memories(deletion, reach.memories)
    yield from _kept_for_undo(deletion)
    yield from _words(deletion)
    yield from _learned_again(deletion)
    if not deletion.purged_at and now > deletion.undo_until + PURGE_GRACE:
        yield Finding(_LAYER, "not_purged_in_time", "Deletion", deletion.pk)
    for person in Person.objects.filter(pk=deletion.person_id, time_zone_memory__in=reach.memories):
        yield Finding("settings", "time_zone_rests_on_it", "Person", person.pk)
    for layer in layers():
        yield from layer.verify(deletion, reach)


def _memories(deletion: Deletion, memories: frozenset[int]) -> Iterator[Finding]:
    for pk in Memory.objects.filter(pk__in=memories).exclude(status=Status.DELETED).values_list("pk", flat=True):
        yield Finding(_LAYER, "not_deleted", "Memory", pk)
    if not deletion.purged_at:
        return
    for pk in Memory.objects.filter(pk__in=memories).exclude(statement="").values_list("pk", flat=True):
        yield Finding(_LAYER, "statement_left", "Memory", pk)
    for pk in Version.objects.filter(memory__in=memories).values_list("pk", flat=True):
        yield Finding(_LAYER, "version_left", "Version", pk)
    for pk in Evidence.objects.filter(memory__in=memories).values_list("pk", flat=True):
        yield Finding(_LAYER, "evidence_left", "Evidence", pk)


def _kept_for_undo(deletion: Deletion) -> Iterator[Finding]:
    """After the purge nothing is there any more of what undo would have given back."""
    if not deletion.purged_at:
        return
    for pk in deletion.altered.values_list("pk", flat=True):
        yield Finding(_LAYER, "kept_for_undo", "AlteredMemory", pk)
    for pk in deletion.taken_evidence.values_list("pk", flat=True):
        yield Finding(_LAYER, "kept_for_undo", "DeletedEvidence", pk)
    for pk in deletion.conversations.values_list("pk", flat=True):
        yield Finding("transcripts", "conversation_left", "Conversation", pk)
    if deletion.settings_before:
        yield Finding("settings", "kept_for_undo", "Deletion", deletion.pk)


def _words(deletion: Deletion) -> Iterator[Finding]:
    """Erased words are blank, and a file whose words all went has no name."""
    if not (deletion.erase_words and deletion.purged_at):
        return
    words = Substr("passage__text", F("start") + 1, F("end") - F("start"))
    left = deletion.tombstones.annotate(words=words).exclude(words__regex=f"^{BLANK}*$")
    for passage in left.values_list("passage_id", flat=True):
        yield Finding("transcripts", "words_left", "Passage", passage)
    named = deletion.tombstones.exclude(passage__name="").filter(passage__text__regex=f"^{BLANK}+$")
    for passage in named.values_list("passage_id", flat=True):
        yield Finding("transcripts", "name_left", "Passage", passage)


def _learned_again(deletion: Deletion) -> Iterator[Finding]:
    """Memories that stand on forgotten words, or on anything older that says the same."""
    resting = Evidence.objects.filter(
        passage__tombstones__deletion=deletion,
        passage__tombstones__start__lt=F("end"),
        passage__tombstones__end__gt=F("start"),
    ).exclude(memory__status=Status.DELETED)
    for pk in resting.values_list("memory_id", flat=True).distinct():
        yield Finding(_LAYER, "rests_on_forgotten_words", "Memory", pk)
    born_since = Memory.objects.filter(
        person=deletion.person_id, created_at__gt=deletion.carried_out_at, said_at__lt=deletion.carried_out_at
    ).exclude(status=Status.DELETED)
    for memory in born_since:
        if covers(deletion.marks, deletion.person_id, memory.statement):
            yield Finding(_LAYER, "learned_again", "Memory", memory.pk)
