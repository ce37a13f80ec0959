"""Memories some of whose words were removed: do the words that are left still say them? Where none are left, or the
model cannot tell, the person is asked."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from itertools import batched
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import transaction

from claude.client import Block, fill
from claude.prompts import Fenced, fence, render
from claude.purposes import Purpose
from consolidation.batching import Answered, Kind, Question
from consolidation.models import Did, Guard, Night
from consolidation.schemas import AnswerCheck, EvidenceChecks
from memories.asking import ask
from memories.models import About, Evidence, Memory, Passage, lock_person
from memories.models import Question as Asked

PROMPT = Path(__file__).parent / "prompts" / "check.v1.md"
PER_CALL = 8
MAX_TOKENS = 4_096

type Words = list[tuple[Passage, str]]


def to_check(night: Night, *, now: datetime) -> list[tuple[Memory, ...]]:
    """What one call each is to look at. Those on which no words are left are asked about on the way: nobody but the
    person can say."""
    marked = Memory.objects.of(night.person).active().exclude(to_check_at=None)
    asked = Asked.objects.of(night.person).filter(answered_at=None).values("memory")
    memories = marked.exclude(pk__in=asked).order_by("to_check_at", "pk")[: settings.NIGHT_CHECKED_MAX]
    with_words: list[Memory] = []
    without: list[Memory] = []
    for memory in memories:
        (with_words if _words_left(memory) else without).append(memory)
    _settle(night, without, {}, now=now)
    return list(batched(with_words, PER_CALL))


def check(night: Night, memories: Sequence[Memory], *, now: datetime) -> None:
    """One call."""
    answer = fill(
        Purpose.RECONCILE,
        EvidenceChecks,
        system=render(PROMPT),
        messages=_messages(memories),
        person=night.person,
        run=night.run,
        max_tokens=MAX_TOKENS,
    )
    _settle(night, memories, _verdicts(answer), now=now)


def ask_the_person(night: Night, memories: Sequence[Memory], *, now: datetime) -> None:
    """The model cannot say."""
    _settle(night, memories, {}, now=now)


def _to_batch(night: Night, now: datetime) -> list[Question]:
    return [
        Question(some[0].pk, render(PROMPT), _messages(some), MAX_TOKENS, [_as_it_is(memory) for memory in some])
        for some in to_check(night, now=now)
    ]


def _take_from_batch(night: Night, answered: list[Answered], now: datetime) -> None:
    """What changed while the batch was out is looked at anew."""
    for each in answered:
        assert isinstance(each.answer, EvidenceChecks)
        memories = Memory.objects.of(night.person).active().filter(pk__in=[pk for pk, _, _ in each.about])
        same = [memory for memory in memories if _as_it_is(memory) in each.about]
        _settle(night, same, _verdicts(each.answer), now=now)


def _as_it_is(memory: Memory) -> list[Any]:
    return [memory.pk, memory.version, memory.to_check_at.isoformat() if memory.to_check_at else ""]


def _settle(night: Night, memories: Sequence[Memory], verdicts: dict[str, AnswerCheck], *, now: datetime) -> None:
    with transaction.atomic():
        lock_person(night.person_id)
        for memory in memories:
            current = Memory.objects.active().filter(pk=memory.pk, version=memory.version).first()
            if current is None or current.to_check_at != memory.to_check_at:
                continue  # changed meanwhile
            if verdicts.get(memory.label) == AnswerCheck.HOLDS:
                Memory.objects.filter(pk=memory.pk).update(to_check_at=None)
                night.decide(Did.CHECKED, Guard.LESS_SAID, memory, now=now)
            elif ask(current, About.EVIDENCE, now=now):
                night.decide(Did.ASKED, Guard.LESS_SAID, memory, now=now)


def _verdicts(answer: EvidenceChecks) -> dict[str, AnswerCheck]:
    """Of two on one memory none counts: it is asked about."""
    verdicts: dict[str, AnswerCheck] = {}
    for each in answer.checks:
        label = each.memory.strip().strip("[]")
        verdicts[label] = AnswerCheck.UNCLEAR if verdicts.get(label, each.verdict) != each.verdict else each.verdict
    return verdicts


def _words_left(memory: Memory) -> Words:
    """What is left of the quoted words, without what was forgotten."""
    evidence = Evidence.objects.filter(memory=memory).exclude(passage=None).select_related("passage")
    left = []
    for found in evidence.prefetch_related("passage__tombstones").order_by("-said_at", "pk")[:5]:
        assert found.passage is not None
        start, end = found.span
        gone = [(mark.start, mark.end) for mark in found.passage.tombstones.all()]
        if not any(begins < end and ends > start for begins, ends in gone):
            left.append((found.passage, found.passage.text[start:end]))
    return left


def _messages(memories: Sequence[Memory]) -> list[Block]:
    blocks: list[Fenced] = []
    for memory in memories:
        passages = [
            fence("passage", text, id=f"p{passage.pk}", origin=passage.origin) for passage, text in _words_left(memory)
        ]
        blocks.append(fence("candidate", memory.statement, fence("passages", *passages), id=memory.label))
    return [{"role": "user", "content": [{"type": "text", "text": fence("candidates", *blocks)}]}]


BATCHED = Kind("e", Purpose.RECONCILE, EvidenceChecks, _to_batch, _take_from_batch)
