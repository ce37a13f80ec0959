"""How a new segment begins: the injected block, the summary of what came before, and the newest turns once more."""

from __future__ import annotations

from datetime import datetime

from django.conf import settings

from chat.connections import release_connection
from chat.models import Segment
from chat.recalling import Given, injected
from chat.segments import Plan, tokens_of
from chat.summary import summarise
from chat.turns import blocks_of, opening_text, user_blocks
from claude.client import Block
from claude.prompts import fence
from memories.block import compose
from memories.models import Conversation, Message, Person, Role

# Turns that a new segment keeps word for word, and the share of its budget that they may fill.
KEPT_MESSAGES = 6
KEPT_SHARE = 4
# How many turns of the past a summary may read at most; the newest are read.
SUMMARISED_MESSAGES = 400


def opened(
    person: Person,
    conversation: Conversation,
    asked: Message,
    last: Segment | None,
    given: list[Given],
    *,
    uses_memories: bool,
    now: datetime,
) -> Plan:
    past = before(conversation, asked, SUMMARISED_MESSAGES)
    kept = _kept(person, past)
    first = kept[0][0].position if kept else asked.position
    older = [message for message in past if message.position < first]
    summary = _summary(person, conversation, older, last) if past else ""
    block = compose(person, now=now, budget=settings.INJECTED_BLOCK_MAX_TOKENS) if uses_memories else None
    always = injected(person, block.memories) if block else []
    lines = {one.line for one in always}
    asked_blocks = user_blocks(person, asked, recalled=[one.line for one in given if one.line not in lines])
    opening = fence("memories", block.text) if block and block.memories else ""
    if text := opening_text(opening, summary):
        (kept[0][1] if kept else asked_blocks).insert(0, {"type": "text", "text": text})
    memories = list(block.memories) if block else []
    return Plan(None, True, first, opening, summary, memories, kept, asked_blocks, [*always, *given])


def before(conversation: Conversation, asked: Message, most: int) -> list[Message]:
    """The turns just before the one that is answered, oldest first."""
    if asked.position == 0:
        return []
    said = conversation.messages.standing().prefetch_related("passages__tombstones")
    return list(said.filter(position__lt=asked.position).order_by("-position")[:most])[::-1]


def _kept(person: Person, past: list[Message]) -> list[tuple[Message, list[Block]]]:
    """The newest turns that a new segment repeats, beginning with the person's."""
    kept: list[tuple[Message, list[Block]]] = []
    room = settings.SEGMENT_MAX_TOKENS // KEPT_SHARE
    for message in reversed(past[-KEPT_MESSAGES:]):
        blocks = blocks_of(person, message)
        room -= tokens_of([blocks])
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
    summary = summarise(person, older, carried, run=f"conversation-{conversation.pk}")
    release_connection()
    return summary
