"""What is sent to the model: an open segment of the conversation, to which turns are only ever appended, so that every
request begins with the very bytes of the one before it. A new segment starts from the injected block and a summary."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import batched

from django.conf import settings
from django.db import transaction
from django.db.models import Count, Max

from chat.models import EndReason, Segment
from chat.opening import before, opened
from chat.recalling import Given, fitting, injected, record
from chat.segments import Plan, Sent, keep, open_segment, sent_turns, storable, tokens_of
from chat.turns import blocks_of, user_blocks
from claude.client import Block
from memories.models import (
    Conversation,
    Deletion,
    How,
    Memory,
    Message,
    Person,
    Recollection,
    Status,
    lock_person,
)

_TRIES = 3


class ForgottenMeanwhile(Exception):
    """Something was forgotten while the window was made, again and again."""


@dataclass
class Window:
    """The turns to send for one reply, and the memories that stand in them, by number."""

    segment: Segment
    turns: list[Block]
    citable: dict[int, Memory]

    def request(self, more: list[Block]) -> list[Block]:
        """The messages of one request: all turns, with a cache breakpoint on the newest."""
        turns = [*self.turns, *more]
        return [*turns[:-1], _with_breakpoint(turns[-1])]


def prepare(reply: Message, asked: Message, *, now: datetime) -> Window:
    """The window for `reply`, an answer to `asked`, which is appended to the open segment or opens a new one."""
    person, conversation = reply.person, reply.conversation
    for _ in range(_TRIES):
        forgotten = _last_deletion(person)
        segment = open_segment(conversation)
        sent = sent_turns(segment) if segment else []
        if segment and any(turn.message_id == asked.pk for turn in sent):
            _copy_recollections(reply, now=now)
            return Window(segment, _turns(sent), _given_in(segment))
        plan = _plan(person, conversation, asked, segment, sent, now=now)
        with transaction.atomic():
            lock_person(person.pk)
            if _last_deletion(person) == forgotten:
                place = sent[-1].position + 1 if sent else 0
                segment = keep(plan, conversation, asked, segment, place=place, now=now)
                record(reply, plan.given, now=now)
                return _window(segment, plan, asked, sent)
    raise ForgottenMeanwhile


def _plan(
    person: Person,
    conversation: Conversation,
    asked: Message,
    segment: Segment | None,
    sent: list[Sent],
    *,
    now: datetime,
) -> Plan:
    uses_memories = conversation.reads_memory and person.use_memories and _has_memories(person)
    given = fitting(person, asked, before(conversation, asked, 2), now=now) if uses_memories else []
    ends = None
    if segment is not None:
        plan = _continued(person, conversation, asked, segment, given, sent)
        ends = _why_end(segment, plan, sent, now=now)
        if ends is None:
            return plan
    plan = opened(person, conversation, asked, segment, given, uses_memories=uses_memories, now=now)
    plan.ends = ends
    return plan


def _continued(
    person: Person,
    conversation: Conversation,
    asked: Message,
    segment: Segment,
    given: list[Given],
    sent: list[Sent],
) -> Plan:
    missing = (
        conversation.messages.standing()
        .prefetch_related("passages__tombstones")
        .filter(position__gte=segment.from_position, position__lt=asked.position)
        .exclude(pk__in={turn.message_id for turn in sent})
        .order_by("position")
    )
    said_since = [(message, blocks_of(person, message)) for message in missing]
    known = "\n".join(str(block.get("text", "")) for turn in sent if turn.stands for block in turn.blocks)
    new = [one for one in given if one.line not in known]
    # A segment that opened without a block has nothing injected.
    always = segment.injected.exclude(status=Status.DELETED).order_by("number") if segment.opening else []
    asked_blocks = user_blocks(person, asked, recalled=[one.line for one in new])
    here = [*injected(person, always), *given]
    return Plan(None, False, segment.from_position, "", "", [], said_since, asked_blocks, here)


def _why_end(segment: Segment, plan: Plan, sent: list[Sent], *, now: datetime) -> EndReason | None:
    if now - segment.opened_at > timedelta(seconds=settings.SEGMENT_MAX_AGE_S):
        return EndReason.AGE
    turns = [*[turn.blocks for turn in sent if turn.stands], *[blocks for _, blocks in plan.before], plan.asked]
    return EndReason.BUDGET if tokens_of(turns) > settings.SEGMENT_MAX_TOKENS else None


def _window(segment: Segment, plan: Plan, asked: Message, sent: list[Sent]) -> Window:
    added = [(message.role, blocks) for message, blocks in [*plan.before, (asked, plan.asked)]]
    turns = _turns([] if plan.opens else sent, added)
    if plan.opens and not plan.before:
        # Nothing of an earlier reply stands in it.
        return Window(segment, turns, {one.memory.number: one.memory for one in plan.given})
    return Window(segment, turns, _given_in(segment))


def _turns(sent: list[Sent], added: Iterable[tuple[str, list[Block]]] = ()) -> list[Block]:
    """What stands of what was sent, and what is added; turns of one role in a row made one."""
    turns: list[Block] = []
    for role, blocks in [*[(turn.role, turn.blocks) for turn in sent if turn.stands], *added]:
        if turns and turns[-1]["role"] == role:
            turns[-1]["content"] = [*turns[-1]["content"], *storable(blocks)]
        else:
            turns.append({"role": role, "content": storable(blocks)})
    return turns


def _given_in(segment: Segment) -> dict[int, Memory]:
    given = Recollection.objects.filter(
        reply__conversation_id=segment.conversation_id, reply__position__gte=segment.from_position
    ).exclude(memory__status=Status.DELETED)
    return {one.memory.number: one.memory for one in given.select_related("memory")}


def _copy_recollections(reply: Message, *, now: datetime) -> None:
    """Another attempt is given what the first one was given: it stands in the same turn."""
    earlier = Recollection.objects.filter(
        reply__conversation_id=reply.conversation_id,
        reply__position=reply.position,
        how__in=[How.INJECTED, How.RETRIEVED],
    ).exclude(reply=reply)
    seen = {(one.memory_id, one.how): one for one in earlier.select_related("memory")}
    given = [
        Given(
            one.memory, "", How(one.how), one.rank, one.score, tuple(one.why), tuple(batched(one.spans, 2, strict=True))
        )
        for one in seen.values()
    ]
    record(reply, given, now=now)


def _has_memories(person: Person) -> bool:
    """Most who are new have none, and looking for them costs the most of all."""
    return Memory.objects.of(person).filter(status__in=[Status.ACTIVE, Status.SUPERSEDED]).exists()


def _last_deletion(person: Person) -> tuple[int, int]:
    found = Deletion.objects.of(person).aggregate(last=Max("pk"), undone=Count("undone_at"))
    return found["last"] or 0, found["undone"]


def _with_breakpoint(turn: Block) -> Block:
    *blocks, newest = turn["content"]
    return turn | {"content": [*blocks, newest | {"cache_control": {"type": "ephemeral"}}]}
