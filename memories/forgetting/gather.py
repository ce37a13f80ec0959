"""Gathering a plan: what is asked for, and all that follows from it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime

from django.db.models import Max

from memories.derived import layers
from memories.forgetting.chain import chain
from memories.forgetting.likeness import Likeness
from memories.forgetting.plan import Judged, MemoryPart, Plan, SpanPart, Why
from memories.forgetting.sayings import (
    Targets,
    likeness,
    memories_that_tell,
    passages_that_repeat,
    passages_that_say,
    targets_of,
)
from memories.forgetting.spans import Span, touched
from memories.models import Conversation, Evidence, Memory, Passage, Person


def gather(person: Person, asked: Sequence[Memory], *, about: bool, now: datetime, ask_model: bool = True) -> Plan:
    """The plan for forgetting `asked`; with `about`, the subject that they share."""
    newest = _newest(person)
    parts = [MemoryPart(memory, Why.ASKED) for memory in asked]
    wanted = targets_of(asked)

    def linked(memory: Memory, why: Why) -> MemoryPart:
        return MemoryPart(memory, why, asks=not about and not _belongs(wanted, memory, why))

    parts += [linked(memory, why) for memory, why in chain(person, asked).values()]
    targets = targets_of([part.memory for part in parts])
    same, doubtful = memories_that_tell(person, targets, {part.memory.pk for part in parts}, about=about)
    if same:
        # What says the same goes with its own chain, evidence and echoes.
        known = {part.memory.pk for part in parts + same}
        tail = chain(person, [part.memory for part in same]).items()
        parts += same + [linked(memory, why) for pk, (memory, why) in tail if pk not in known]
        targets = targets_of([part.memory for part in parts])
        taken = {part.memory.pk for part in parts}
        doubtful = [part for part in doubtful if part.memory.pk not in taken]
    said = passages_that_say(person, targets, about=about, ask_model=ask_model)
    plan = Plan(
        person=person,
        made_at=now,
        memories=tuple(parts),
        doubtful_memories=tuple(doubtful),
        spans=tuple(said.evidence + said.certain),
        doubtful_spans=tuple(said.doubtful),
        about=about,
        newest=newest,
        judged=Judged.BY_MODEL if said.judged else Judged.BY_WORDS,
    )
    return completed(_with_those_that_rest_on_it(plan))


def _belongs(wanted: Targets, memory: Memory, why: Why) -> bool:
    """Whether what is linked by replacement is about what goes. What holds now is not taken along for what was."""
    like = likeness(wanted, memory.statement)
    return like == Likeness.SAYS_IT if why == Why.REPLACES else like != Likeness.UNRELATED


def gather_conversation(person: Person, conversation: Conversation, *, with_memories: bool, now: datetime) -> Plan:
    """The plan for a conversation that goes as a whole; `with_memories`, the memories learned only from it go too."""
    newest = _newest(person) if with_memories else None
    passages = list(Passage.objects.of(person).filter(message__conversation=conversation).select_related("message"))
    whole = tuple(SpanPart(passage, 0, len(passage.text), Why.CONVERSATION) for passage in passages if passage.text)
    inside = Memory.objects.of(person).kept().filter(evidence__passage__in=passages).distinct()
    # An edit is the person's own word on it; where it was learned is still only here.
    elsewhere = set(
        Evidence.objects.filter(memory__in=inside, passage__isnull=False)
        .exclude(passage__in=passages)
        .values_list("memory_id", flat=True)
    )
    only_here = [memory for memory in inside if memory.pk not in elsewhere]
    plan = Plan(person=person, made_at=now)
    if with_memories and only_here:
        plan = gather(person, only_here, about=False, now=now)
    repeated, perhaps = passages_that_repeat(person, passages)
    within = {part.passage.pk for part in whole}
    kept = tuple(
        MemoryPart(memory, Why.CONVERSATION)
        for memory in inside
        if memory.pk not in {part.memory.pk for part in plan.memories}
    )
    return completed(
        Plan(
            person=person,
            made_at=now,
            memories=plan.memories,
            doubtful_memories=tuple(
                p for p in plan.doubtful_memories if p.memory.pk not in {k.memory.pk for k in kept}
            ),
            kept_memories=kept,
            spans=whole + _elsewhere(within, plan.spans, repeated),
            doubtful_spans=_elsewhere(within, plan.doubtful_spans, perhaps),
            conversation=conversation,
            newest=newest,
            judged=plan.judged,
        )
    )


def _newest(person: Person) -> int:
    """What has a greater number was not there yet."""
    return Memory.objects.of(person).aggregate(newest=Max("number"))["newest"] or 0


def _elsewhere(within: Collection[int], *found: Sequence[SpanPart]) -> tuple[SpanPart, ...]:
    """Each span once, of those that do not stand in the conversation itself."""
    return tuple({part.key: part for parts in found for part in parts if part.passage.pk not in within}.values())


def gather_everything(person: Person, *, now: datetime, counted: bool = True) -> Plan:
    """All that is remembered. Its memories and passages are not listed: `carry_out` takes them as they are then."""
    plan = Plan(person=person, made_at=now, everything=True, time_zone=_derived_zone(person, None))
    return completed(plan) if counted else plan


def completed(plan: Plan) -> Plan:
    """With the counts of what is derived, and the settings that follow from a memory in it."""
    reach = plan.reach
    counts = {layer.name: layer.count(plan.person, reach) for layer in layers()}
    zone = plan.time_zone or _derived_zone(plan.person, {part.memory.pk for part in plan.memories})
    values = {**plan.__dict__, "derived": {name: n for name, n in counts.items() if n}, "time_zone": zone}
    return Plan(**values)


def _derived_zone(person: Person, memories: set[int] | None) -> str:
    derived_from = person.time_zone_memory_id
    return person.time_zone if derived_from and (memories is None or derived_from in memories) else ""


def _with_those_that_rest_on_it(plan: Plan) -> Plan:
    """Memories that stay although words of theirs go: doubtful when nothing else is left of their evidence."""
    spans: dict[int, list[Span]] = {}
    for part in plan.spans:
        spans.setdefault(part.passage.pk, []).append((part.start, part.end))
    going = {part.memory.pk for part in plan.memories}
    doubted = {part.memory.pk for part in plan.doubtful_memories}
    resting: dict[int, MemoryPart] = {}
    touching = (
        Evidence.objects.filter(passage__in=spans, memory__person=plan.person)
        .exclude(memory__in=going)
        .exclude(memory__status="deleted")
        .select_related("memory")
    )
    for found in touching:
        assert found.passage_id is not None
        if touched(found.span, spans[found.passage_id]):
            resting[found.memory_id] = MemoryPart(found.memory, Why.SAME_WORDS)
    left = set()
    for found in Evidence.objects.filter(memory__in=resting):
        if not touched(found.span, spans.get(found.passage_id or 0, [])):
            left.add(found.memory_id)
    bare = tuple(part for pk, part in resting.items() if pk not in left and pk not in doubted)
    kept = tuple(part for pk, part in resting.items() if pk in left and pk not in doubted)
    values = {**plan.__dict__, "doubtful_memories": plan.doubtful_memories + bare, "kept_memories": kept}
    return Plan(**values)
