"""Keeping what is sent: turns are only ever appended to an open segment, exactly as they were sent and received."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Max

from chat.models import EndReason, Segment, SentTurn
from chat.recalling import Given
from claude.client import Block
from claude.tokens import estimate_tokens
from memories.models import Conversation, Memory, Message


@dataclass
class Plan:
    """What will be appended, prepared outside of any transaction."""

    ends: EndReason | None
    opens: bool
    from_position: int
    opening: str
    summary: str
    injected: list[Memory]
    before: list[tuple[Message, list[Block]]]
    asked: list[Block]
    given: list[Given]


@dataclass(frozen=True)
class Sent:
    """A turn of a segment. One that does not stand belongs to another attempt, or to what was said anew."""

    message_id: int
    position: int
    role: str
    blocks: list[Block]
    stands: bool


def open_segment(conversation: Conversation) -> Segment | None:
    return conversation.segments.filter(ended_at=None).first()


def sent_turns(segment: Segment) -> list[Sent]:
    rows = segment.turns.order_by("position").values_list(
        "message_id", "position", "role", "blocks", "message__shown", "message__replaced_at"
    )
    return [
        Sent(pk, place, role, blocks, shown and replaced is None) for pk, place, role, blocks, shown, replaced in rows
    ]


def next_place(segment: Segment) -> int | None:
    """Where the next turn goes; None when the segment has ended."""
    still_open = Segment.objects.filter(pk=segment.pk, ended_at=None)
    found = still_open.values_list("pk").annotate(last=Max("turns__position")).values_list("last", flat=True)
    return next((0 if last is None else last + 1 for last in found), None)


def keep(
    plan: Plan, conversation: Conversation, asked: Message, segment: Segment | None, *, place: int, now: datetime
) -> Segment:
    """Carry out a plan. The caller holds the person's lock."""
    if plan.opens:
        if segment is not None:
            end(conversation.segments, plan.ends or EndReason.CHANGED, now=now)
        segment = Segment.objects.create(
            person_id=conversation.person_id,
            conversation=conversation,
            from_position=plan.from_position,
            opening=plan.opening,
            summary=plan.summary,
            opened_at=now,
        )
        through = Segment.injected.through
        through._default_manager.bulk_create(
            through(segment_id=segment.pk, memory_id=memory.pk) for memory in plan.injected
        )
    assert segment is not None
    said = [*plan.before, (asked, plan.asked)]
    turns = [(message, [{"role": message.role, "content": blocks}]) for message, blocks in said]
    append(segment, turns, place=0 if plan.opens else place)
    return segment


def append(segment: Segment, said: Sequence[tuple[Message, list[Block]]], *, place: int) -> None:
    """Keep further turns of messages from this place on. The caller holds the person's lock."""
    turns = [(message, turn) for message, its in said for turn in its]
    SentTurn.objects.bulk_create(
        SentTurn(
            segment=segment,
            message=message,
            position=place + index,
            role=turn["role"],
            blocks=storable(turn["content"]),
        )
        for index, (message, turn) in enumerate(turns)
    )


def end(segments: Any, reason: EndReason, *, now: datetime) -> int:
    """End open segments. What was sent is of no more use: only the summary is, for the next segment."""
    open_ones = segments.filter(ended_at=None)
    SentTurn.objects.filter(segment__in=open_ones).delete()
    return int(open_ones.update(ended_at=now, end_reason=reason, opening=""))


def storable(value: Any) -> Any:
    """The same JSON without what PostgreSQL cannot keep, its keys in one fixed order wherever it comes from."""
    if isinstance(value, str):
        return value if value.isascii() and "\0" not in value else _storable_text(value)
    if isinstance(value, list | tuple):
        return [storable(part) for part in value]
    if isinstance(value, dict):
        return {key: storable(value[key]) for key in sorted(value)}
    return value


def tokens_of(turns: Iterable[list[Block]]) -> int:
    return sum(estimate_tokens(json.dumps(blocks, ensure_ascii=False)) for blocks in turns)


def _storable_text(text: str) -> str:
    return text.replace("\0", "").encode("utf-8", "ignore").decode()
