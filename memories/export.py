"""Everything that is kept of one person, to take along: what was said, what is remembered, what the nights wrote."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Any

from django.db.models import Prefetch

from memories.models import Conversation, Line, Memory, Message, Page, Person
from memories.quoting import quote
from memories.reading import shown_text

FORMAT = 1

type Told = dict[str, Any]


def exported(person: Person, *, now: datetime) -> Told:
    """What the person's own pages show, and no more: what is deleted stays out, what is to be erased is blank."""
    return {
        "reverie": FORMAT,
        "exported_at": now.isoformat(),
        "person": _person(person),
        "memories": list(_memories(person)),
        "pages": list(_pages(person)),
        "conversations": list(_conversations(person)),
    }


def _person(person: Person) -> Told:
    names = ["username", "email", "language", "time_zone", "night_hour"]
    switches = ["use_memories", "learn_memories", "dream_nightly", "ask_before_saving"]
    return {name: getattr(person, name) for name in [*names, *switches]}


def _memories(person: Person) -> Iterator[Told]:
    kept = (
        Memory.objects.of(person)
        .kept()
        .select_related("superseded_by")
        .prefetch_related("versions", "evidence__passage__message", "evidence__passage__tombstones")
        .order_by("number")
    )
    for memory in kept.iterator(chunk_size=500):
        yield {
            "label": memory.label,
            "statement": memory.statement,
            "kind": memory.kind,
            "category": memory.category,
            "status": memory.status,
            "confidence": memory.confidence,
            "plan": memory.plan,
            "event_from": _iso(memory.event_from),
            "event_until": _iso(memory.event_until),
            "said_at": _iso(memory.said_at),
            "confirmed_at": _iso(memory.confirmed_at),
            "replaced_by": memory.superseded_by.label if memory.superseded_by else None,
            "versions": [
                {"statement": version.statement, "until": _iso(version.replaced_at)}
                for version in sorted(memory.versions.all(), key=lambda version: version.number)
            ],
            "evidence": [
                {
                    "words": quote(evidence).words,
                    "said_at": _iso(evidence.said_at),
                    "origin": evidence.passage.origin if evidence.passage else None,
                }
                for evidence in memory.evidence.all()
            ],
        }


def _pages(person: Person) -> Iterator[Told]:
    lines = Prefetch("lines", Line.objects.order_by("position").prefetch_related("memories"))
    for page in Page.objects.of(person).prefetch_related(lines).order_by("slug"):
        yield {
            "slug": page.slug,
            "title": page.title,
            "built_at": _iso(page.built_at),
            "lines": [
                {"text": line.text, "rests_on": [memory.label for memory in line.memories.all()]}
                for line in page.lines.all()
            ],
        }


def _conversations(person: Person) -> Iterator[Told]:
    said = Message.objects.shown().prefetch_related("passages__tombstones__deletion").order_by("position")
    mine = Conversation.objects.of(person).prefetch_related(Prefetch("messages", said, to_attr="said"))
    for conversation in mine.order_by("started_at", "pk").iterator(chunk_size=100):
        yield {
            "title": conversation.title,
            "memory_mode": conversation.memory_mode,
            "started_at": _iso(conversation.started_at),
            "messages": list(_messages(conversation.said)),  # type: ignore[attr-defined]
        }


def _messages(messages: Iterable[Message]) -> Iterator[Told]:
    for message in messages:
        yield {
            "role": message.role,
            "said_at": _iso(message.said_at),
            "passages": [
                {"origin": passage.origin, "name": passage.name, "text": shown_text(passage)}
                for passage in sorted(message.passages.all(), key=lambda passage: passage.position)
            ],
        }


def _iso(at: Any) -> str | None:
    return at.isoformat() if at else None
