"""Carrying a plan out: one transaction, under the person's lock, all or nothing."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection
from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction

from memories.derived import Reach, layers
from memories.forgetting import everything
from memories.forgetting.likeness import Likeness
from memories.forgetting.marks import marks_of
from memories.forgetting.plan import NothingToForget, Plan
from memories.forgetting.sayings import likeness, targets_of
from memories.forgetting.spans import Span, merged, touched
from memories.forgetting.sparing import without_theirs
from memories.forgetting.thinning import note_altered, thin_out
from memories.models import (
    Conversation,
    DeletedMemory,
    Deletion,
    Evidence,
    Memory,
    Passage,
    Person,
    Status,
    Tombstone,
    Version,
    Via,
    lock_person,
)

BATCH = 1_000


@transaction.atomic
def carry_out(
    plan: Plan,
    *,
    now: datetime,
    via: Via,
    erase_words: bool = False,
    keep: Collection[int] = (),
    revive: Collection[int] = (),
) -> Deletion:
    """Take what `plan` names. `keep`: keys of memories in the chain that stay as past; `revive`: those that hold again.

    Everything is looked up anew under the lock: what another tab took meanwhile is not taken twice, and evidence that a
    night added meanwhile goes too. Raises NothingToForget when nothing of the plan is left.
    """
    person = lock_person(plan.person.pk)
    taken = _memories(plan, person, spared={*keep, *revive})
    conversation = _conversation(plan, person)
    spans = _spans(plan, person, taken)
    if born := _born_since(plan, person, taken, spans):
        taken += born
        spans = _spans(plan, person, taken)
    if plan.everything:
        nothing = not taken and not everything.has_words(person)
    else:
        nothing = conversation is None and not taken and (bool(plan.memories) or not spans)
    if nothing:
        raise NothingToForget
    deletion = Deletion.objects.create(
        person=person,
        via=via,
        erase_words=erase_words or conversation is not None,
        everything=plan.everything,
        carried_out_at=now,
        undo_until=now + timedelta(seconds=settings.UNDO_WINDOW_S),
        marks=marks_of(person, taken),
    )
    counts = Counter[str]()
    counts["versions"] = Version.objects.filter(memory__in=taken).count()
    counts["evidence"] = Evidence.objects.filter(memory__in=taken).count()
    counts["memories"] = _take_memories(deletion, taken)
    if plan.everything:
        counts["tombstones"] = everything.bury(deletion)
    else:
        counts["tombstones"] = _bury(deletion, spans)
        counts["kept_with_less"] = thin_out(deletion, _under_tombstones(spans, person))
    counts["revived"] = _revive(deletion, person, revive, now=now)
    counts["conversations"] = _take_conversation(deletion, conversation)
    counts["settings"] = _take_settings(deletion, person, taken)
    reach = Reach(
        memories=frozenset(memory.pk for memory in taken),
        passages=frozenset(spans),
        conversations=frozenset({conversation.pk} if conversation else ()),
        everything=plan.everything,
    )
    for layer in layers():
        counts[layer.name] += layer.drop(deletion, reach, now=now)
    deletion.counts = {name: count for name, count in counts.items() if count}
    deletion.save(update_fields=["counts", "settings_before"])
    return deletion


def reach_of(deletion: Deletion) -> Reach:
    """What a carried-out deletion touches, read back from its rows."""
    buried = () if deletion.everything else deletion.tombstones.values_list("passage_id", flat=True)
    return Reach(
        memories=frozenset(deletion.taken.values_list("memory_id", flat=True)),
        passages=frozenset(buried),
        conversations=frozenset(deletion.conversations.values_list("pk", flat=True)),
        everything=deletion.everything,
    )


def _memories(plan: Plan, person: Person, *, spared: set[int]) -> list[Memory]:
    rows = Memory.objects.of(person).kept()
    if not plan.everything:
        rows = rows.filter(pk__in={part.memory.pk for part in plan.memories} - spared)
    return list(rows.select_for_update())


def _born_since(plan: Plan, person: Person, taken: list[Memory], spans: dict[int, list[Span]]) -> list[Memory]:
    """What a night or a reply has learned meanwhile that says the same, or rests on nothing but the words that go."""
    if plan.newest is None or not (taken or plan.conversation):
        return []
    later = list(Memory.objects.of(person).kept().filter(number__gt=plan.newest).prefetch_related("evidence"))
    if not later:
        return []
    going, targets = {memory.pk for memory in taken}, targets_of(taken)
    return [
        memory
        for memory in later
        if memory.pk not in going
        and memory.said_at <= plan.made_at
        and (
            likeness(targets, memory.statement) == Likeness.SAYS_IT
            or all(touched(found.span, spans.get(found.passage_id or 0, [])) for found in memory.evidence.all())
        )
    ]


def _conversation(plan: Plan, person: Person) -> Conversation | None:
    if plan.conversation is None:
        return None
    return Conversation.objects.of(person).select_for_update().filter(pk=plan.conversation.pk).first()


def _spans(plan: Plan, person: Person, taken: list[Memory]) -> dict[int, list[Span]]:
    """By passage: the spans of the plan, and the evidence that the memories have by now."""
    spans: dict[int, list[Span]] = defaultdict(list)
    if plan.everything:
        return spans
    going = {memory.pk for memory in taken}
    kept = [part.memory for part in plan.chain if part.memory.pk not in going]
    for part in without_theirs(plan.spans, kept=kept, taken=taken):
        spans[part.passage.pk].append((part.start, part.end))
    for found in Evidence.objects.filter(memory__in=taken, passage__isnull=False):
        assert found.passage_id is not None
        spans[found.passage_id].append(found.span)
    if plan.conversation is not None:
        within = Passage.objects.of(person).filter(message__conversation=plan.conversation)
        spans.update({pk: [(0, len(text))] for pk, text in within.values_list("pk", "text") if text})
    there = set(Passage.objects.filter(person=person, pk__in=spans).values_list("pk", flat=True))
    return {pk: merged(found) for pk, found in spans.items() if pk in there}


def _take_memories(deletion: Deletion, taken: list[Memory]) -> int:
    DeletedMemory.objects.bulk_create(
        (
            DeletedMemory(
                deletion=deletion,
                memory=memory,
                status_before=memory.status,
                waiting_reason_before=memory.waiting_reason,
            )
            for memory in taken
        ),
        batch_size=BATCH,
    )
    return Memory.objects.filter(pk__in=[memory.pk for memory in taken]).update(
        status=Status.DELETED, waiting_reason=""
    )


def _bury(deletion: Deletion, spans: dict[int, list[Span]]) -> int:
    rows = [
        Tombstone(person_id=deletion.person_id, passage_id=pk, deletion=deletion, start=start, end=end)
        for pk, found in spans.items()
        for start, end in merged(found)
    ]
    Tombstone.objects.bulk_create(rows, batch_size=BATCH)
    return len(rows)


def _under_tombstones(spans: dict[int, list[Span]], person: Person) -> list[Evidence]:
    """Evidence of memories that stay, of the words that go."""
    return [
        found
        for found in Evidence.objects.filter(passage__in=spans, memory__person=person)
        .exclude(memory__status=Status.DELETED)
        .select_related("memory")
        if touched(found.span, spans[found.passage_id or 0])
    ]


def _revive(deletion: Deletion, person: Person, revive: Collection[int], *, now: datetime) -> int:
    """What had been replaced holds again, because the person said so."""
    memories = list(Memory.objects.of(person).superseded().select_for_update().filter(pk__in=revive, trusted=True))
    note_altered(deletion, memories)
    Memory.objects.filter(pk__in=[memory.pk for memory in memories]).update(
        status=Status.ACTIVE, superseded_by=None, superseded_at=None, confirmed_at=now
    )
    return len(memories)


def _take_conversation(deletion: Deletion, conversation: Conversation | None) -> int:
    if conversation is None:
        return 0
    return Conversation.objects.filter(pk=conversation.pk).update(deletion=deletion)


def _take_settings(deletion: Deletion, person: Person, taken: list[Memory]) -> int:
    if person.time_zone_memory_id not in {memory.pk for memory in taken}:
        return 0
    deletion.settings_before = {"time_zone": person.time_zone, "time_zone_memory": person.time_zone_memory_id}
    Person.objects.filter(pk=person.pk).update(time_zone="", time_zone_memory=None)
    return 1
