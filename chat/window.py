"""What is sent to the model: an open segment of the conversation, to which turns are only ever appended, so that every
request begins with the very bytes of the one before it. A new segment starts from the injected block and a summary."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import Count, Max

from chat.connections import release_connection
from chat.models import EndReason, Segment, SentTurn
from chat.recalling import Given, fitting, injected, record
from chat.summary import summarise
from chat.turns import assistant_blocks, opening_text, user_blocks
from claude.client import Block
from claude.prompts import fence
from claude.tokens import estimate_tokens
from memories.block import compose
from memories.models import (
    Conversation,
    Deletion,
    How,
    Memory,
    Message,
    Person,
    Recollection,
    Role,
    Status,
    lock_person,
)

# Turns that a new segment keeps word for word, and the share of its budget that they may fill.
KEPT_MESSAGES = 6
KEPT_SHARE = 4
# How many turns of the past a summary may read at most; the newest are read.
SUMMARISED_MESSAGES = 400
_TRIES = 3


class ForgottenMeanwhile(Exception):
    """Something was forgotten while the window was made, again and again."""


@dataclass
class Window:
    """The turns to send for one reply, and the memories that stand in them, by number."""

    segment: Segment
    turns: list[Block]
    citable: dict[int, Memory] = field(default_factory=dict)

    def request(self, more: list[Block]) -> list[Block]:
        """The messages of one request: all turns, with a cache breakpoint on the newest."""
        turns = [*self.turns, *more]
        return [*turns[:-1], _with_breakpoint(turns[-1])]


@dataclass
class _Plan:
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


def prepare(reply: Message, asked: Message, *, now: datetime) -> Window:
    """The window for `reply`, an answer to `asked`, which is appended to the open segment or opens a new one."""
    person, conversation = reply.person, reply.conversation
    for _ in range(_TRIES):
        forgotten = _last_deletion(person)
        segment = _open_segment(conversation)
        if segment and segment.turns.filter(message=asked).exists():
            _copy_recollections(reply, now=now)
            return _window(segment)
        plan = _plan(person, conversation, asked, segment, now=now)
        with transaction.atomic():
            lock_person(person.pk)
            if _last_deletion(person) == forgotten:
                segment = _append(plan, conversation, asked, segment, now=now)
                record(reply, plan.given, now=now)
                return _window(segment)
    raise ForgottenMeanwhile


def append(segment: Segment, said: Sequence[tuple[Message, list[Block]]], *, opens: bool = False) -> None:
    """Keep further turns of messages, as they were sent and received. The caller holds the person's lock."""
    last = None if opens else segment.turns.aggregate(last=Max("position"))["last"]
    first = 0 if last is None else last + 1
    turns = [(message, turn) for message, its in said for turn in its]
    SentTurn.objects.bulk_create(
        SentTurn(
            segment=segment,
            message=message,
            position=first + index,
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


def _storable_text(text: str) -> str:
    return text.replace("\0", "").encode("utf-8", "ignore").decode()


def _plan(
    person: Person, conversation: Conversation, asked: Message, segment: Segment | None, *, now: datetime
) -> _Plan:
    uses_memories = conversation.reads_memory and person.use_memories and _has_memories(person)
    given = fitting(person, asked, _before(conversation, asked, 2), now=now) if uses_memories else []
    if segment is not None:
        sent = list(segment.turns.values_list("message_id", "blocks"))
        plan = _continued(person, conversation, asked, segment, given, sent)
        plan.ends = _why_end(segment, plan, sent, now=now)
        if plan.ends is None:
            return plan
    else:
        plan = _Plan(None, True, 0, "", "", [], [], [], given)
    opening = _open(person, conversation, asked, segment, given, uses_memories=uses_memories, now=now)
    opening.ends = plan.ends
    return opening


def _continued(
    person: Person,
    conversation: Conversation,
    asked: Message,
    segment: Segment,
    given: list[Given],
    sent: list[tuple[int, list[Block]]],
) -> _Plan:
    missing = _shown(conversation).filter(position__gte=segment.from_position, position__lt=asked.position)
    missing = missing.exclude(pk__in={pk for pk, _ in sent}).order_by("position")
    before = [(message, _blocks(person, message)) for message in missing]
    known = _text_of(blocks for _, blocks in sent)
    new = [one for one in given if one.line not in known]
    always = injected(person, segment.injected.exclude(status=Status.DELETED).order_by("number"))
    asked_blocks = user_blocks(person, asked, recalled=[one.line for one in new])
    return _Plan(None, False, segment.from_position, "", "", [], before, asked_blocks, [*always, *given])


def _why_end(segment: Segment, plan: _Plan, sent: list[tuple[int, list[Block]]], *, now: datetime) -> EndReason | None:
    if now - segment.opened_at > timedelta(seconds=settings.SEGMENT_MAX_AGE_S):
        return EndReason.AGE
    turns = [*[blocks for _, blocks in sent], *[blocks for _, blocks in plan.before], plan.asked]
    return EndReason.BUDGET if _tokens(turns) > settings.SEGMENT_MAX_TOKENS else None


def _open(
    person: Person,
    conversation: Conversation,
    asked: Message,
    last: Segment | None,
    given: list[Given],
    *,
    uses_memories: bool,
    now: datetime,
) -> _Plan:
    past = _before(conversation, asked, SUMMARISED_MESSAGES)
    kept = _kept(person, past)
    first = kept[0][0].position if kept else asked.position
    older = [message for message in past if message.position < first]
    summary = _summary(person, conversation, older, last) if past else ""
    release_connection()
    block = compose(person, now=now, budget=settings.INJECTED_BLOCK_MAX_TOKENS) if uses_memories else None
    always = injected(person, block.memories) if block else []
    lines = {one.line for one in always}
    asked_blocks = user_blocks(person, asked, recalled=[one.line for one in given if one.line not in lines])
    opening = fence("memories", block.text) if block and block.memories else ""
    if text := opening_text(opening, summary):
        (kept[0][1] if kept else asked_blocks).insert(0, {"type": "text", "text": text})
    memories = list(block.memories) if block else []
    return _Plan(None, True, first, opening, summary, memories, kept, asked_blocks, [*always, *given])


def _kept(person: Person, past: list[Message]) -> list[tuple[Message, list[Block]]]:
    """The newest turns that a new segment repeats, beginning with the person's."""
    kept: list[tuple[Message, list[Block]]] = []
    room = settings.SEGMENT_MAX_TOKENS // KEPT_SHARE
    for message in reversed(past[-KEPT_MESSAGES:]):
        blocks = _blocks(person, message)
        room -= _tokens([blocks])
        if room < 0:
            break
        kept.insert(0, (message, blocks))
    while kept and kept[0][0].role != Role.USER:
        kept.pop(0)
    return kept


def _summary(person: Person, conversation: Conversation, older: list[Message], last: Segment | None) -> str:
    """What came before the kept turns. An earlier summary is carried on, unless something was forgotten since."""
    earlier = last or conversation.segments.exclude(ended_at=None).order_by("-pk").first()
    carried = ""
    if earlier and earlier.summary:
        carried = earlier.summary
        older = [message for message in older if message.position >= earlier.from_position]
    if not older:
        return carried
    return summarise(person, older, carried, run=f"conversation-{conversation.pk}")


def _append(
    plan: _Plan, conversation: Conversation, asked: Message, segment: Segment | None, *, now: datetime
) -> Segment:
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
        if plan.injected:
            segment.injected.set(plan.injected)
    assert segment is not None
    said = [*plan.before, (asked, plan.asked)]
    append(
        segment,
        [(message, [{"role": message.role, "content": blocks}]) for message, blocks in said],
        opens=plan.opens,
    )
    return segment


def _window(segment: Segment) -> Window:
    rows = (
        segment.turns.filter(message__shown=True, message__replaced_at=None)
        .order_by("position")
        .values_list("role", "blocks")
    )
    turns: list[Block] = []
    for role, blocks in rows:
        if turns and turns[-1]["role"] == role:
            turns[-1]["content"] = [*turns[-1]["content"], *storable(blocks)]
        else:
            turns.append({"role": role, "content": storable(blocks)})
    given = Recollection.objects.filter(
        reply__conversation_id=segment.conversation_id, reply__position__gte=segment.from_position
    ).exclude(memory__status=Status.DELETED)
    memories = {one.memory.number: one.memory for one in given.select_related("memory")}
    return Window(segment, turns, memories)


def _copy_recollections(reply: Message, *, now: datetime) -> None:
    """Another attempt is given what the first one was given: it stands in the same turn."""
    earlier = Recollection.objects.filter(
        reply__conversation_id=reply.conversation_id,
        reply__position=reply.position,
        how__in=[How.INJECTED, How.RETRIEVED],
    ).exclude(reply=reply)
    seen = {(one.memory_id, one.how): one for one in earlier.select_related("memory")}
    given = [Given(one.memory, "", How(one.how), one.rank, one.score) for one in seen.values()]
    record(reply, given, now=now)


def _open_segment(conversation: Conversation) -> Segment | None:
    return conversation.segments.filter(ended_at=None).first()


def _before(conversation: Conversation, asked: Message, most: int) -> list[Message]:
    """The turns just before the one that is answered, oldest first."""
    if asked.position == 0:
        return []
    newest_first = _shown(conversation).filter(position__lt=asked.position).order_by("-position")
    return list(newest_first[:most])[::-1]


def _shown(conversation: Conversation) -> Any:
    return conversation.messages.standing().prefetch_related("passages__tombstones")


def _blocks(person: Person, message: Message) -> list[Block]:
    return user_blocks(person, message) if message.role == Role.USER else assistant_blocks(message)


def _has_memories(person: Person) -> bool:
    """Most who are new have none, and looking for them costs the most of all."""
    return Memory.objects.of(person).filter(status__in=[Status.ACTIVE, Status.SUPERSEDED]).exists()


def _last_deletion(person: Person) -> tuple[int, int]:
    found = Deletion.objects.of(person).aggregate(last=Max("pk"), undone=Count("undone_at"))
    return found["last"] or 0, found["undone"]


def _text_of(all_blocks: Any) -> str:
    return "\n".join(str(block.get("text", "")) for blocks in all_blocks for block in blocks)


def _tokens(turns: list[list[Block]]) -> int:
    return sum(estimate_tokens(json.dumps(blocks, ensure_ascii=False)) for blocks in turns)


def _with_breakpoint(turn: Block) -> Block:
    *blocks, newest = turn["content"]
    return turn | {"content": [*blocks, newest | {"cache_control": {"type": "ephemeral"}}]}
