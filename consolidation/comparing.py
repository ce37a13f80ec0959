"""What a reply wrote down at once, beside what was remembered before: nobody has compared them yet."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from itertools import batched
from typing import Any

from django.db import transaction

from claude.prompts import render
from claude.purposes import Purpose
from consolidation import guards, reconcile
from consolidation.batching import Answered, Kind, Question
from consolidation.models import Candidate, Did, Guard, Night, Verdict
from consolidation.schemas import ReconcileVerdict, Reconciliation
from memories.asking import ask
from memories.models import About, Evidence, Memory, Status, lock_person
from memories.recall import recall
from memories.supersede import CannotSupersede, supersede

PER_CALL = 8
NEAREST = 4

type Pair = tuple[Memory, list[Memory]]


def to_compare(night: Night, *, now: datetime) -> Iterator[tuple[Pair, ...]]:
    """Memories that a reply wrote down since the last night, each with the current ones nearest to it; for one call
    each. What this night has compared already is left out."""
    return batched(_uncompared(night, now=now), PER_CALL)


def compare(night: Night, pairs: Sequence[Pair], *, now: datetime) -> None:
    """One call."""
    _settle(night, pairs, reconcile.ask(night, _shown(pairs)), now=now)


def leave_apart(night: Night, pairs: Sequence[Pair]) -> None:
    """The model cannot say: both stay, as they were."""
    _are_compared(night, pairs)


def _to_batch(night: Night, now: datetime) -> list[Question]:
    return [
        Question(
            pairs[0][0].pk,
            render(reconcile.PROMPT),
            reconcile.messages_about(night.person, _shown(pairs)),
            reconcile.MAX_TOKENS,
            [[_as_it_is(memory), [_as_it_is(near) for near in nearest]] for memory, nearest in pairs],
        )
        for pairs in to_compare(night, now=now)
    ]


def _take_from_batch(night: Night, answered: list[Answered], now: datetime) -> None:
    """What changed while the batch was out is left as it is."""
    for each in answered:
        assert isinstance(each.answer, Reconciliation)
        keys = {pk for memory, nearest in each.about for pk, _ in [memory, *nearest]}
        memories = {memory.pk: memory for memory in Memory.objects.of(night.person).active().filter(pk__in=keys)}
        pairs = [
            (memories[memory[0]], [memories[near[0]] for near in nearest if _is_still(memories, near)])
            for memory, nearest in each.about
            if _is_still(memories, memory)
        ]
        _settle(night, pairs, each.answer, now=now)


def _as_it_is(memory: Memory) -> list[int]:
    return [memory.pk, memory.version]


def _is_still(memories: dict[int, Memory], was: list[Any]) -> bool:
    pk, version = was
    return pk in memories and memories[pk].version == version


def _uncompared(night: Night, *, now: datetime) -> Iterator[Pair]:
    person, last = night.person, night.last_done_at()
    written = Memory.objects.of(person).active().exclude(reply=None).filter(created_at__lte=night.started_at)
    if last is not None:
        written = written.filter(created_at__gt=last)
    for memory in written.exclude(pk__in=night.compared).order_by("number"):
        found = recall(person, memory.statement, now=now, budget=400, limit=NEAREST + 1)
        nearest = [each.memory for each in found if each.memory.pk != memory.pk][:NEAREST]
        if nearest:
            yield memory, nearest


def _shown(pairs: Sequence[Pair]) -> reconcile.Shown:
    return {
        f"c{memory.pk}": (
            Candidate(statement=memory.statement, said_at=memory.said_at),
            reconcile.Nearest({near.label: near for near in nearest}),
        )
        for memory, nearest in pairs
    }


def _settle(night: Night, pairs: Sequence[Pair], answer: Reconciliation, *, now: datetime) -> None:
    verdicts = {verdict.candidate.strip(): verdict for verdict in answer.verdicts}
    with transaction.atomic():
        lock_person(night.person_id)
        for memory, nearest in pairs:
            if verdict := verdicts.get(f"c{memory.pk}"):
                _settle_one(night, memory, nearest, verdict, now=now)
        _are_compared(night, pairs)


def _are_compared(night: Night, pairs: Sequence[Pair]) -> None:
    night.compared = [*night.compared, *(memory.pk for memory, _ in pairs)]
    night.save(update_fields=["compared"])


def _settle_one(
    night: Night, memory: Memory, nearest: list[Memory], answer: ReconcileVerdict, *, now: datetime
) -> None:
    named = answer.memory.strip().strip("[]")
    other = next((near for near in nearest if near.label == named), None)
    if other is None or not _unchanged(memory) or not _unchanged(other):
        return
    newer, older = (memory, other) if memory.said_at >= other.said_at else (other, memory)
    said = guards.Said(newer.statement, newer.said_at, newer.trusted, newer.plan, category=newer.category)
    stands, reason = guards.check(answer.verdict.value, said, older, among=nearest if other is older else ())
    if stands in {Verdict.SAME, Verdict.REPLACES}:
        try:
            supersede(older, newer, now=now)
        except CannotSupersede:
            return
        if stands == Verdict.SAME:
            _take_over(newer, older)
        night.decide(Did.SETTLED, "", newer, other=older, now=now)
    elif stands == Verdict.UNCLEAR and ask(newer, About.CONTRADICTS, other=older, now=now):
        night.decide(Did.ASKED, reason or Guard.CONTRADICTS, newer, other=older, now=now)


def _take_over(newer: Memory, older: Memory) -> None:
    """Said twice: what stays rests on both sayings."""
    for found in Evidence.objects.filter(memory=older, passage__isnull=False):
        assert found.passage_id is not None
        Evidence.objects.get_or_create(
            memory=newer, passage_id=found.passage_id, start=found.start, end=found.end,
            defaults={"said_at": found.said_at},
        )  # fmt: skip


def _unchanged(memory: Memory) -> bool:
    return Memory.objects.filter(pk=memory.pk, version=memory.version, status=Status.ACTIVE).exists()


BATCHED = Kind("c", Purpose.RECONCILE, Reconciliation, _to_batch, _take_from_batch)
