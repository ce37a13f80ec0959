"""How a reply ends: its words, its state and what it cited are kept at one stroke."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from datetime import datetime

from django.db import transaction

from chat import stream
from chat.markdown import cited_numbers
from chat.segments import append, next_place
from chat.tasks import name_conversation
from chat.window import Window
from claude.client import Block
from memories.models import (
    Conversation,
    How,
    Memory,
    MemoryMode,
    Message,
    MessageState,
    Recollection,
    lock_person,
)
from memories.transcript import clean, keep_reply

FORGOTTEN = "forgotten"
EMPTY = "empty"


@dataclass
class Ending:
    state: MessageState
    text: str
    error: str = ""
    window: Window | None = None
    turns: list[Block] = field(default_factory=list)


def finish(reply: Message, ending: Ending, *, now: datetime) -> None:
    with transaction.atomic():
        lock_person(reply.person_id)
        # Gone with its conversation, or given up for lost: then nothing of it is kept.
        if not Message.objects.select_for_update().filter(pk=reply.pk, state=MessageState.STREAMING).exists():
            return
        place = next_place(ending.window.segment) if ending.window else None
        ending = _checked(ending, place)
        if ending.error == FORGOTTEN:
            transaction.on_commit(lambda: stream.drop([reply.pk]), robust=True)
        if ending.text:
            keep_reply(reply, ending.text)
        if ending.window:
            _cite(reply, ending.text, ending.window, now=now)
            if place is not None and ending.state in {MessageState.DONE, MessageState.STOPPED}:
                append(ending.window.segment, [(reply, ending.turns)], place=place)
        reply.state, reply.error, reply.finished_at = ending.state, ending.error, now
        reply.save(update_fields=["state", "error", "finished_at"])
        Conversation.objects.filter(pk=reply.conversation_id, last_said_at__lt=now).update(last_said_at=now)
        if _is_first(reply):
            transaction.on_commit(lambda: name_conversation.delay(conversation_id=reply.conversation_id))


def _checked(ending: Ending, place: int | None) -> Ending:
    """Nothing is kept of a reply that was given something that has been forgotten since: its segment has ended."""
    if ending.window and place is None:
        return Ending(MessageState.FAILED, "", error=FORGOTTEN)
    text = clean(ending.text).strip()
    if ending.state == MessageState.DONE and not text:
        return Ending(MessageState.FAILED, "", error=EMPTY, window=ending.window)
    return Ending(ending.state, text, ending.error, ending.window, ending.turns)


def _cite(reply: Message, text: str, window: Window, *, now: datetime) -> None:
    cited = [memory for number in cited_numbers(text) if (memory := window.citable.get(number))]
    if not cited:
        return
    given = Recollection.objects.filter(reply=reply)
    known = set(given.values_list("memory_id", flat=True))
    # Given with an earlier turn of the segment, and so still in the prompt.
    earlier = [memory for memory in cited if memory.pk not in known]
    Recollection.objects.bulk_create(
        [
            Recollection(
                person_id=reply.person_id, reply=reply, memory=memory, how=How.RETRIEVED, rank=rank, given_at=now
            )
            for rank, memory in enumerate(_still_there(earlier), start=len(known) + 1)
        ],
        ignore_conflicts=True,
    )
    used = [memory.pk for memory in cited]
    given.filter(memory__in=used).update(cited=True)
    Memory.objects.filter(person_id=reply.person_id, pk__in=used).update(used_at=now)


def _still_there(memories: Collection[Memory]) -> list[Memory]:
    return list(Memory.objects.filter(pk__in=[memory.pk for memory in memories]))


def _is_first(reply: Message) -> bool:
    return (
        reply.position <= 1
        and reply.attempt == 1
        and reply.state == MessageState.DONE
        and reply.conversation.memory_mode != MemoryMode.TEMPORARY
        and not reply.conversation.title_is_mine
    )
