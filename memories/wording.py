"""A memory as prompt text. The only place that makes it."""

from __future__ import annotations

import re
from collections.abc import Iterable

from memories.models import Confidence, Memory, Person, Status


def memory_line(memory: Memory, person: Person) -> str:
    """`[m12] (said 2026-03-02; semantic, work) The user takes the train to work.`"""
    markers = [f"said {person.local(memory.said_at):%Y-%m-%d}", f"{memory.kind}, {memory.category}"]
    if memory.plan:
        markers.append("plan")
    if memory.status == Status.SUPERSEDED and memory.superseded_at:
        markers.append(f"past until {person.local(memory.superseded_at):%Y-%m-%d}")
    if memory.event_from:
        until = memory.event_until
        markers.append(
            f"event {memory.event_from}..{until}"
            if until and until != memory.event_from
            else f"event {memory.event_from}"
        )
    if memory.confidence == Confidence.LOW:
        markers.append("low confidence")
    return f"[{memory.label}] ({'; '.join(markers)}) {one_line(memory.statement)}"


def memory_lines(memories: Iterable[Memory], person: Person) -> str:
    return "\n".join(memory_line(memory, person) for memory in memories)


def one_line(text: str) -> str:
    """A statement cannot start a line of its own and so pass for another memory."""
    return re.sub(r"\s+", " ", text).strip()
