"""Look again at memories whose evidence changed, and at those that a conversation wrote down without comparing: does
each still hold, and do they go together? What cannot be told is asked of the person."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from itertools import batched
from pathlib import Path

from django.conf import settings
from django.db import transaction

from claude.client import fill
from claude.prompts import Fenced, fence, render
from claude.purposes import Purpose
from consolidation import guards, reconcile
from consolidation.models import Candidate, Decision, Did, Guard, Night, NightState, Verdict
from consolidation.schemas import AnswerCheck, EvidenceChecks, ReconcileVerdict
from memories.asking import ask
from memories.models import About, Evidence, Memory, Passage, Person, Question, Status, lock_person
from memories.recall import recall
from memories.supersede import CannotSupersede, supersede

PROMPT = Path(__file__).parent / "prompts" / "check.v1.md"
PER_CALL = 8
NEAREST = 4


def check(night: Night, *, now: datetime, before_each: Callable[[], None]) -> None:
    """`before_each` is called before every question to the model."""
    for some in batched(list(_rest_on_less(night.person)), PER_CALL):
        before_each()
        _check_evidence(night, some, now=now)
    for pairs in batched(list(_uncompared(night, now=now)), PER_CALL):
        before_each()
        _compare(night, pairs, now=now)


# --- What rests on less than before ---


def _rest_on_less(person: Person) -> Iterator[Memory]:
    asked = Question.objects.of(person).filter(answered_at=None).values("memory")
    marked = Memory.objects.of(person).active().exclude(to_check_at=None).exclude(pk__in=asked)
    yield from marked.order_by("to_check_at", "pk")[: settings.NIGHT_CHECKED_MAX]


def _check_evidence(night: Night, memories: Sequence[Memory], *, now: datetime) -> None:
    words = {memory.pk: _words_left(memory) for memory in memories}
    # Where no words are left, nobody but the person can say.
    shown = [memory for memory in memories if words[memory.pk]]
    verdicts = _ask_about(night, shown, words) if shown else {}
    with transaction.atomic():
        lock_person(night.person_id)
        for memory in memories:
            current = Memory.objects.active().filter(pk=memory.pk, version=memory.version).first()
            if current is None or current.to_check_at != memory.to_check_at:
                continue  # changed meanwhile
            if verdicts.get(memory.label) == AnswerCheck.HOLDS:
                Memory.objects.filter(pk=memory.pk).update(to_check_at=None)
                _decide(night, Did.CHECKED, Guard.LESS_SAID, memory, now=now)
            elif ask(current, About.EVIDENCE, now=now):
                _decide(night, Did.ASKED, Guard.LESS_SAID, memory, now=now)


def _words_left(memory: Memory) -> list[tuple[Passage, str]]:
    """The sentences around what is left, without what was forgotten."""
    evidence = Evidence.objects.filter(memory=memory).exclude(passage=None).select_related("passage")
    left = []
    for found in evidence.prefetch_related("passage__tombstones").order_by("-said_at", "pk")[:5]:
        assert found.passage is not None
        start, end = found.span
        gone = [(mark.start, mark.end) for mark in found.passage.tombstones.all()]
        if not any(begins < end and ends > start for begins, ends in gone):
            left.append((found.passage, found.passage.text[start:end]))
    return left


def _ask_about(
    night: Night, memories: Sequence[Memory], words: dict[int, list[tuple[Passage, str]]]
) -> dict[str, AnswerCheck]:
    blocks: list[Fenced] = []
    for memory in memories:
        passages = [
            fence("passage", text, id=f"p{passage.pk}", origin=passage.origin) for passage, text in words[memory.pk]
        ]
        blocks.append(fence("candidate", memory.statement, fence("passages", *passages), id=memory.label))
    answer = fill(
        Purpose.RECONCILE,
        EvidenceChecks,
        system=render(PROMPT),
        messages=[{"role": "user", "content": [{"type": "text", "text": fence("candidates", *blocks)}]}],
        person=night.person,
        run=night.run,
        max_tokens=4_096,
    )
    return {each.memory.strip().strip("[]"): each.verdict for each in answer.checks}


# --- What a conversation wrote down, beside what was there ---


def _uncompared(night: Night, *, now: datetime) -> Iterator[tuple[Memory, list[Memory]]]:
    """Memories that a reply wrote down since the last night, each with the current ones nearest to it."""
    person = night.person
    before = Night.objects.of(person).filter(state=NightState.DONE, started_at__lt=night.started_at)
    last = before.newest_first().first()
    written = Memory.objects.of(person).active().exclude(reply=None).filter(created_at__lte=night.started_at)
    if last is not None:
        written = written.filter(created_at__gt=last.started_at)
    for memory in written.order_by("number"):
        found = recall(person, memory.statement, now=now, budget=400, limit=NEAREST + 1)
        nearest = [each.memory for each in found if each.memory.pk != memory.pk][:NEAREST]
        if nearest:
            yield memory, nearest


def _compare(night: Night, pairs: Sequence[tuple[Memory, list[Memory]]], *, now: datetime) -> None:
    shown = {
        f"c{memory.pk}": (
            Candidate(statement=memory.statement, said_at=memory.said_at),
            reconcile.Nearest({near.label: near for near in nearest}),
        )
        for memory, nearest in pairs
    }
    answered = {verdict.candidate.strip(): verdict for verdict in reconcile.ask(night, shown).verdicts}
    with transaction.atomic():
        lock_person(night.person_id)
        for memory, nearest in pairs:
            if answer := answered.get(f"c{memory.pk}"):
                _settle(night, memory, nearest, answer, now=now)


def _settle(night: Night, memory: Memory, nearest: list[Memory], answer: ReconcileVerdict, *, now: datetime) -> None:
    named = answer.memory.strip().strip("[]")
    other = next((near for near in nearest if near.label == named), None)
    if other is None or not _unchanged(memory) or not _unchanged(other):
        return
    newer, older = (memory, other) if memory.said_at >= other.said_at else (other, memory)
    said = guards.Said(newer.statement, newer.said_at, newer.trusted, newer.plan)
    stands, _ = guards.check(answer.verdict.value, said, older)
    if stands in {Verdict.SAME, Verdict.REPLACES}:
        try:
            supersede(older, newer, now=now)
        except CannotSupersede:
            return
        if stands == Verdict.SAME:
            _take_over(newer, older)
        _decide(night, Did.SETTLED, "", newer, other=older, now=now)
    elif answer.verdict.value == Verdict.UNCLEAR and ask(newer, About.CONTRADICTS, other=older, now=now):
        _decide(night, Did.ASKED, Guard.CONTRADICTS, newer, other=older, now=now)


def _take_over(newer: Memory, older: Memory) -> None:
    """Said twice: what stays rests on both sayings."""
    for found in Evidence.objects.filter(memory=older, passage__isnull=False):
        assert found.passage_id is not None
        Evidence.objects.get_or_create(
            memory=newer, passage_id=found.passage_id, start=found.start, end=found.end,
            defaults={"said_at": found.said_at},
        )  # fmt: skip


def _unchanged(memory: Memory) -> bool:
    current = Memory.objects.filter(pk=memory.pk, version=memory.version, status=Status.ACTIVE).first()
    return current is not None


def _decide(night: Night, did: Did, reason: str, memory: Memory, *, now: datetime, other: Memory | None = None) -> None:
    Decision.objects.create(night=night, did=did, reason=reason, memory=memory, other=other, decided_at=now)
    night.count(**{did.value: night.counts.get(did.value, 0) + 1})
