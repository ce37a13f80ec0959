"""What a night would do, without doing it. The proposal is carried out, told and rolled back in one short transaction.
The model is asked as in a night, and always outside of it: what such a transaction finds to ask is asked after it, and
then all is carried out once more with the answers. The calls stay booked."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from pydantic import BaseModel

from claude.client import fill
from claude.spending import Spent, spent_on
from consolidation import apply, comparing, evidence, fade, held, pages
from consolidation.batching import Answered, Kind, Question
from consolidation.models import AskedFor, Night, NightState
from consolidation.night import Run
from consolidation.telling import ToldNight, tell
from memories.models import PREFERENCES, Category, Line, Memory, Person, lock_person

# Where the words stand that a statement was made of: a passage and a span in it.
type Place = tuple[int | None, int | None, int | None]
type Answers = dict[tuple[str, str], BaseModel]
type Unanswered = list[tuple[Kind, Question]]


class CannotRehearse(Exception):
    """A night is running already, or one is held for a look."""


@dataclass(frozen=True)
class WouldBeLine:
    text: str
    rests_on: list[str]


@dataclass(frozen=True)
class WouldBePart:
    """A section of the preference page, or a topic's page."""

    title: str
    written: list[WouldBeLine]
    dropped: list[WouldBeLine]
    unchanged: int


type Parts = dict[str, list[WouldBeLine]]


@dataclass(frozen=True)
class Rehearsal:
    told: ToldNight
    # What was stated of each place. Of what is held back no memory is left that says it.
    stated: dict[Place, list[str]]
    # Of how many retirements the night would first be held for a look; none where it would not be.
    held_over: int
    # With the confidence that it would lose.
    less_sure: list[tuple[Memory, str]]
    parts: list[WouldBePart]
    spent: list[Spent]


def rehearse(person: Person, *, now: datetime) -> Rehearsal:
    """Raises what the model's failure raises."""
    night = _begin(person, now=now)
    try:
        run = Run(night, now)
        run.hold_lease()
        run.extract()
        run.reconcile()
        answers: Answers = {}
        while not isinstance(came := _carried_out(night, answers, now=now), Rehearsal):
            for kind, question in came:
                run.hold_lease()
                answers[_key(kind, question)] = _ask(night, kind, question)
        return came
    finally:
        Night.objects.filter(pk=night.pk).delete()


def _begin(person: Person, *, now: datetime) -> Night:
    with transaction.atomic():
        person = lock_person(person.pk)
        nights = Night.objects.of(person)
        nights.filter(asked_for=AskedFor.REHEARSAL, leased_until__lt=now).delete()
        if nights.filter(state__in=[NightState.RUNNING, NightState.HELD]).exists():
            raise CannotRehearse
        return Night.objects.create(
            person=person,
            local_date=person.local(now).date(),
            asked_for=AskedFor.REHEARSAL,
            started_at=now,
            leased_until=now,
            reads_until=now,
        )


def _carried_out(begun: Night, answers: Answers, *, now: datetime) -> Rehearsal | Unanswered:
    with transaction.atomic():
        came = _carry_out(Night.objects.select_related("person").get(pk=begun.pk), answers, now=now)
        transaction.set_rollback(True)
    return came


def _carry_out(night: Night, answers: Answers, *, now: datetime) -> Rehearsal | Unanswered:
    """All of the proposal; or, where the model is to be asked first, the questions."""
    stated, lines = _stated(night), _lines(night)
    apply.apply(night, now=now)
    held_over = night.counts["retiring"] if night.state == NightState.HELD else 0
    if held_over:
        held.approve(night, now=now)
    for kind in (evidence.BATCHED, comparing.BATCHED):
        if unanswered := _take(night, kind, answers, now=now):
            return unanswered
    less_sure = _faded(night, now=now)
    if unanswered := _take(night, pages.BATCHED, answers, now=now):
        return unanswered
    parts = list(_changed(lines, _lines(night)))
    (told,) = tell([night], night.person, now=now)
    return Rehearsal(told, stated, held_over, less_sure, parts, spent_on(night.run))


def _stated(night: Night) -> dict[Place, list[str]]:
    stated: dict[Place, list[str]] = defaultdict(list)
    for candidate in night.candidates.order_by("said_at", "pk"):
        stated[candidate.passage_id, candidate.start, candidate.end].append(candidate.statement)
    return stated


def _take(night: Night, kind: Kind, answers: Answers, *, now: datetime) -> Unanswered:
    """Asks and takes as a batch does, whose questions are also put all at once."""
    questions = kind.prepare(night, now)
    unanswered = [(kind, question) for question in questions if _key(kind, question) not in answers]
    if not unanswered:
        kind.take(night, [Answered(each.about, answers[_key(kind, each)]) for each in questions], now)
    return unanswered


def _key(kind: Kind, question: Question) -> tuple[str, str]:
    """What is asked. The rows it is about have other keys each time they are made."""
    return kind.letter, json.dumps(question.messages)


def _ask(night: Night, kind: Kind, question: Question) -> BaseModel:
    return fill(
        kind.purpose,
        kind.schema,
        system=question.system,
        messages=question.messages,
        person=night.person,
        run=night.run,
        max_tokens=question.max_tokens,
    )


def _faded(night: Night, *, now: datetime) -> list[tuple[Memory, str]]:
    active = Memory.objects.of(night.person).active()
    before = dict(active.values_list("pk", "confidence"))
    fade.fade(night, now=now)
    after = active.filter(pk__in=before).order_by("number")
    return [(memory, before[memory.pk]) for memory in after if memory.confidence != before[memory.pk]]


def _lines(night: Night) -> Parts:
    """By section and topic. Taken before all, since what is retired takes its line along at once."""
    lines = Line.objects.filter(page__person=night.person).order_by("page__slug", "position")
    parts: Parts = defaultdict(list)
    for line in lines.select_related("page").prefetch_related("memories"):
        rests_on = sorted(line.memories.all(), key=lambda memory: memory.number)
        title = str(Category(line.section).label) if line.page.slug == PREFERENCES else line.page.title
        parts[title].append(WouldBeLine(line.text, [memory.label for memory in rests_on]))
    return parts


def _changed(before: Parts, after: Parts) -> Iterator[WouldBePart]:
    for title in dict.fromkeys([*before, *after]):
        old, new = before[title], after[title]
        written, dropped = [line for line in new if line not in old], [line for line in old if line not in new]
        if written or dropped:
            yield WouldBePart(title, written, dropped, unchanged=sum(line in old for line in new))
