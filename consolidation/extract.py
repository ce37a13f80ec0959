"""Read what no night has read yet and stage candidates: one call for each window, directly or in a batch."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from itertools import groupby
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import transaction

from claude.client import fill
from claude.errors import BadRequest, Malformed, Refused, TooLong, Truncated
from claude.prompts import Fenced, fence, render
from claude.purposes import Purpose
from consolidation.batching import Answered, Kind, Question
from consolidation.candidates import Reading, check, held_back
from consolidation.models import Candidate, Decision, Guard, Night, Window
from consolidation.schemas import Extraction
from consolidation.windows import Span, pieces, readable, say_something, spans_of, split
from memories.models import Message, Person

PROMPT = Path(__file__).parent / "prompts" / "extract.v1.md"
CONTEXT_TURNS = 4
MAX_TOKENS = 8_192


def read_window(night: Night, window: Window, *, now: datetime) -> None:
    """One call: candidates with their located quotes, or a named error that leaves the window unread."""
    spans = spans_of(window)
    if not say_something(spans):
        _finish(window, [], [], now=now)
        return
    try:
        reading = _ask(night, spans, now=now)
    except (Truncated, TooLong):
        if not split(window, spans) and not _give_up(night, window, spans, now=now):
            raise
    except (Refused, Malformed, BadRequest):
        if not _give_up(night, window, spans, now=now):
            raise
    else:
        _finish(window, reading.candidates, reading.held_back, now=now)


def to_batch(night: Night, now: datetime) -> list[Question]:
    """The windows that are still to be read, as questions of a batch."""
    most = settings.NIGHT_MAX_TOKENS // settings.NIGHT_WINDOW_MAX_TOKENS
    planned = night.windows.filter(read_at=None).order_by("position")[:most]
    read = [(window, spans_of(window)) for window in planned]
    return [
        Question(window.pk, render(PROMPT), _messages(night.person, spans, now=now), MAX_TOKENS, window.pk)
        for window, spans in read
        if say_something(spans)
    ]


def take_from_batch(night: Night, answered: list[Answered], now: datetime) -> None:
    """An answer that must be asked for again leaves its window to be read directly."""
    for each in answered:
        window = night.windows.filter(pk=each.about, read_at=None).first()
        if window is None or not isinstance(each.answer, Extraction):
            continue
        reading = check(night, spans_of(window), each.answer, now=now)
        if not reading.is_in_another_language:
            _finish(window, reading.candidates, reading.held_back, now=now)


def _ask(night: Night, spans: list[Span], *, now: datetime) -> Reading:
    person = night.person
    messages = _messages(person, spans, now=now)

    def answer() -> Extraction:
        return fill(
            Purpose.EXTRACT, Extraction, system=render(PROMPT), messages=messages, person=person, run=night.run,
            max_tokens=MAX_TOKENS,
        )  # fmt: skip

    extraction = answer()
    reading = check(night, spans, extraction, now=now)
    if reading.is_in_another_language:
        messages += [
            {"role": "assistant", "content": [{"type": "text", "text": extraction.model_dump_json()}]},
            {"role": "user", "content": [{"type": "text", "text": _SAY_AGAIN}]},
        ]
        reading = check(night, spans, answer(), now=now)
    return reading


def _messages(person: Person, spans: list[Span], *, now: datetime) -> list[dict[str, Any]]:
    today = person.local(now)
    content = [
        {"type": "text", "text": fence("now", f"{today:%Y-%m-%d %H:%M %A} {person.zone.key}")},
        *({"type": "text", "text": fence("transcript", *turns)} for turns in _transcripts(person, spans)),
    ]
    return [{"role": "user", "content": content}]


_SAY_AGAIN = (
    "Some statements are not in the language and script of their quotes. Give the whole list again, each statement in"
    " the language and script of its own quote, with names and numbers exactly as written."
)


def _transcripts(person: Person, spans: list[Span]) -> Iterator[list[Fenced]]:
    """The turns of each conversation."""
    for _, run in groupby(spans, key=lambda span: span[0].message.conversation_id):
        own = list(run)
        turns = [_turn(person, message, its) for message, its in _by_message(own)]
        yield [*_before(person, own[0][0].message), *turns]


def _by_message(spans: list[Span]) -> Iterator[tuple[Message, list[Span]]]:
    for _, run in groupby(spans, key=lambda span: span[0].message_id):
        its = list(run)
        yield its[0][0].message, its


def _before(person: Person, first: Message) -> list[Fenced]:
    """A few turns before the window, so that "it" and "there" have a meaning."""
    earlier = (
        Message.objects.of(person)
        .standing()
        .filter(conversation_id=first.conversation_id, position__lt=first.position)
        .order_by("-position")
        .prefetch_related("passages__tombstones")[:CONTEXT_TURNS]
    )
    return [_turn(person, message, list(pieces(message))[:2], read="before") for message in reversed(earlier)]


def _turn(person: Person, message: Message, spans: list[Span], **marks: str) -> Fenced:
    passages = [
        fence("passage", text, id=f"p{passage.pk}", origin=passage.origin)
        for passage, start, end in spans
        if (text := readable(passage, start, end)).strip()
    ]
    at = f"{person.local(message.said_at):%Y-%m-%d %H:%M %A}"
    return fence("turn", *passages, role=message.role, at=at, zone=person.zone.key, **marks)


def _finish(window: Window, candidates: list[Candidate], held_back: list[Decision], *, now: datetime) -> None:
    with transaction.atomic():
        if not Window.objects.filter(pk=window.pk, read_at=None).update(read_at=now):
            return  # another worker was faster
        for candidate in candidates:
            candidate.window = window
        Candidate.objects.bulk_create(candidates)
        Decision.objects.bulk_create(held_back)


def _give_up(night: Night, window: Window, spans: list[Span], *, now: datetime) -> bool:
    """Count the failure. Words that the model cannot answer about are parted from the others in the end, and skipped,
    and the night says so."""
    window.failures += 1
    window.save(update_fields=["failures"])
    if window.failures < settings.NIGHT_MAX_FAILURES:
        return False
    if not split(window, spans):
        place = spans[0] if spans[0][2] > spans[0][1] else None
        _finish(window, [], [held_back(night, Guard.NOT_READ, place, now=now)], now=now)
    return True


BATCHED = Kind("w", Purpose.EXTRACT, Extraction, to_batch, take_from_batch)
