"""Asking the person whether something believed is still so, and doing what they answer."""

from __future__ import annotations

from datetime import datetime

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet

from memories import lines
from memories.models import About, Confidence, Memory, Person, Question, Status, lock_person
from memories.supersede import CannotSupersede, supersede

YES, NO, BOTH = "yes", "no", "both"


class AlreadyAnswered(Exception):
    """The question was answered before, or what it is about has changed."""


def ask(memory: Memory, about: About, *, now: datetime, other: Memory | None = None) -> Question | None:
    """None while something about it is asked already. The caller holds the person's lock."""
    if Question.objects.filter(memory=memory, answered_at=None).exists():
        return None
    return Question.objects.create(person_id=memory.person_id, memory=memory, other=other, about=about, asked_at=now)


def to_ask(person: Person) -> QuerySet[Question]:
    """The few that are shown at a time, the oldest first; the others wait their turn."""
    questions = Question.objects.of(person).open().select_related("memory", "other")
    return questions.order_by("asked_at", "pk")[: settings.QUESTIONS_SHOWN]


@transaction.atomic
def answer(question: Question, said: str, *, now: datetime) -> None:
    """`yes`: it holds; `no`: it does not; `both`, of two that contradict: both hold."""
    lock_person(question.person_id)
    asked = Question.objects.open().select_related("memory", "other").filter(pk=question.pk).first()
    if asked is None:
        raise AlreadyAnswered
    if said in {YES, BOTH}:
        hold(asked.memory, now=now)
    if said == NO:
        _let_go(asked.memory, asked.other, now=now)
    if asked.other is not None and said in {NO, BOTH}:
        hold(asked.other, now=now)
    if asked.other is not None and said == YES:
        _let_go(asked.other, asked.memory, now=now)
    Question.objects.filter(pk=asked.pk).update(answered_at=now)


def hold(memory: Memory, *, now: datetime) -> None:
    """The person says that it is so, now. Nothing is left to check. The caller holds the person's lock."""
    memory.status, memory.confidence = Status.ACTIVE, Confidence.HIGH
    memory.confirmed_at, memory.to_check_at = now, None
    memory.save(update_fields=["status", "confidence", "confirmed_at", "to_check_at"])
    Question.objects.filter(memory=memory, answered_at=None).exclude(about=About.CONTRADICTS).update(answered_at=now)


def _let_go(memory: Memory, holds: Memory | None, *, now: datetime) -> None:
    """No longer so: replaced by what holds instead, or faded. It stays on the person's list and can come back."""
    memory.to_check_at = None
    memory.save(update_fields=["to_check_at"])
    if holds is not None:
        try:
            supersede(memory, holds, now=now)
        except CannotSupersede:
            pass
        else:
            return
    memory.status = Status.FADED
    memory.save(update_fields=["status"])
    lines.restate(memory)
