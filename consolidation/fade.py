"""What was not said, confirmed or used for long loses confidence first, and then fades: out of the prompts, and never
out of the memory list. Where it matters the person is asked before."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import Count, Q, QuerySet
from django.db.models.functions import Greatest

from consolidation.models import Decision, Did, Guard, Night
from memories.asking import ask
from memories.models import About, Category, Confidence, Kind, Memory, Question, Status, lock_person

# How many times its days it takes to come this far.
_STAGES = [(2.0, None), (1.5, Confidence.LOW), (1.0, Confidence.MEDIUM)]
# What would be missed, besides what was said or used more than once.
_MATTERS = [Category.HEALTH, Category.STYLE, Category.PROFILE, Category.GOAL]


def fade(night: Night, *, now: datetime) -> None:
    """By age alone, so that doing it twice does nothing more."""
    with transaction.atomic():
        person = lock_person(night.person_id)
        # What still lies ahead is silent with good reason.
        active = Memory.objects.of(person).active().exclude(event_until__gte=person.local(now).date())
        for memories, days in [
            (active.filter(lasting=False), settings.NIGHT_FADE_PASSING_DAYS),
            *((active.filter(lasting=True, kind=kind), settings.NIGHT_FADE_DAYS.get(kind.value)) for kind in Kind),
        ]:
            if days:
                _age(night, memories, days, now=now)


def _age(night: Night, memories: QuerySet[Memory], days: int, *, now: datetime) -> None:
    stirred = memories.annotate(stirred_at=Greatest("said_at", "confirmed_at", "used_at", "created_at"))
    for times, confidence in _STAGES:
        old = stirred.filter(stirred_at__lt=now - timedelta(days=days * times))
        if confidence is None:
            _let_go(night, _not_asked_about(night, old, now=now), now=now)
        else:
            lower = [Confidence.HIGH] if confidence == Confidence.MEDIUM else [Confidence.HIGH, Confidence.MEDIUM]
            lowered = list(old.filter(confidence__in=lower))
            Memory.objects.filter(pk__in=[memory.pk for memory in lowered]).update(confidence=confidence)
            if confidence == Confidence.LOW:
                _not_asked_about(night, old.filter(pk__in=[memory.pk for memory in lowered]), now=now)


def _not_asked_about(night: Night, fading: QuerySet[Memory], *, now: datetime) -> list[Memory]:
    """Asks about those that matter, once for each long silence, and gives the rest, with those on which no answer came
    for long."""
    counted = fading.annotate(sources=Count("evidence", distinct=True), uses=Count("recollections", distinct=True))
    rest: list[Memory] = []
    for memory in counted:
        matters = memory.lasting and (memory.category in _MATTERS or memory.sources > 1 or memory.uses > 1)
        silent_since = memory.stirred_at  # type: ignore[attr-defined]
        asked = Question.objects.filter(memory=memory, asked_at__gte=silent_since).order_by("-asked_at").first()
        if matters and asked is None and ask(memory, About.FADING, now=now):
            Decision.objects.create(night=night, did=Did.ASKED, reason=Guard.FADING, memory=memory, decided_at=now)
            night.count(asked=night.counts.get("asked", 0) + 1)
        elif asked is None or asked.answered_at or _is_past_answering(asked, now):
            rest.append(memory)
    return rest


def _is_past_answering(asked: Question, now: datetime) -> bool:
    return asked.asked_at < now - timedelta(days=settings.NIGHT_QUESTION_DAYS)


def _let_go(night: Night, memories: list[Memory], *, now: datetime) -> None:
    keys = [memory.pk for memory in memories]
    Memory.objects.filter(pk__in=keys).update(status=Status.FADED)
    Question.objects.filter(Q(memory__in=keys) | Q(other__in=keys), answered_at=None).update(answered_at=now)
    Decision.objects.bulk_create(
        Decision(night=night, did=Did.FADED, memory=memory, decided_at=now) for memory in memories
    )
    night.count(faded=night.counts.get("faded", 0) + len(memories))
