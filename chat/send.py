"""Sending a message: kept once, however often it arrives, and a reply queued for it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from django.db import IntegrityError, transaction
from django.db.models import Count, Max, Q

from chat import attempts
from chat.at_once import TooManyAtOnce, make_room
from chat.attempts import StillAnswering
from chat.tasks import write_reply
from chat.titles import first_words
from memories.models import Conversation, MemoryMode, Message, MessageState, Person, Role
from memories.transcript import NothingSaid, Part, SaidTooMuch, ask, clean

__all__ = [
    "NothingSaid",
    "Part",
    "SaidTooMuch",
    "SentAndDeleted",
    "StillAnswering",
    "TooManyAtOnce",
    "one_key",
    "send",
]

KEY_CHARACTERS = 64


class SentAndDeleted(Exception):
    """It was sent before, and its conversation was deleted since: it is not said again."""


def send(
    person: Person,
    *,
    conversation: Conversation | None,
    parts: Sequence[Part],
    key: str,
    now: datetime,
    memory_mode: MemoryMode = MemoryMode.ON,
) -> Message:
    """Keep what the person said and queue the reply, which is returned. The same key is the same turn.

    Raises NothingSaid, SaidTooMuch, StillAnswering, TooManyAtOnce, SentAndDeleted; nothing is kept then."""
    key = one_key(key)
    try:
        with transaction.atomic():
            return _keep(person, conversation, parts, key, now=now, memory_mode=memory_mode)
    except (IntegrityError, StillAnswering, TooManyAtOnce) as problem:
        # It was sent already, perhaps by the other of two requests at this moment.
        if sent := _sent(person, key):
            return sent
        if not isinstance(problem, IntegrityError) and _fail_lost(person, now=now):
            return send(person, conversation=conversation, parts=parts, key=key, now=now, memory_mode=memory_mode)
        if key and Message.objects.filter(person=person, idempotency_key=key).exists():
            raise SentAndDeleted from None
        raise


def one_key(key: str) -> str:
    """A key as it is kept."""
    return clean(key)[:KEY_CHARACTERS]


def _sent(person: Person, key: str) -> Message | None:
    said = Message.objects.of(person).filter(idempotency_key=key).first() if key else None
    if said is None:
        return None
    return Message.objects.shown().filter(conversation_id=said.conversation_id, position=said.position + 1).get()


def _fail_lost(person: Person, *, now: datetime) -> bool:
    """Whether there was a reply whose worker had died with it."""
    streaming = Message.objects.filter(person=person, role=Role.ASSISTANT, state=MessageState.STREAMING)
    return sum(attempts.fail_if_lost(reply, now=now) for reply in streaming) > 0


def _keep(
    person: Person,
    conversation: Conversation | None,
    parts: Sequence[Part],
    key: str,
    *,
    now: datetime,
    memory_mode: MemoryMode,
) -> Message:
    position = 0
    make_room(person.pk)
    if conversation is None:
        conversation = Conversation.objects.create(
            person=person, title=first_words(parts), memory_mode=memory_mode, started_at=now, last_said_at=now
        )
    else:
        Conversation.objects.select_for_update().get(pk=conversation.pk)
        under_way = Count("pk", filter=Q(state__in=[MessageState.QUEUED, MessageState.STREAMING]))
        there = conversation.messages.aggregate(last=Max("position"), under_way=under_way)
        if there["under_way"]:
            raise StillAnswering
        position = 0 if there["last"] is None else there["last"] + 1
    _said, reply = ask(conversation, parts, position=position, now=now, key=key or None)
    transaction.on_commit(lambda: write_reply.delay(reply_id=reply.pk))
    return reply
