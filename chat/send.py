"""Sending a message: kept once, however often it arrives, and a reply queued for it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from django.db import IntegrityError, transaction

from chat import attempts
from chat.attempts import StillAnswering
from chat.tasks import write_reply
from chat.titles import first_words
from memories.models import Conversation, MemoryMode, Message, MessageState, Person, Role
from memories.transcript import NothingSaid, Part, SaidTooMuch, say

__all__ = ["NothingSaid", "Part", "SaidTooMuch", "StillAnswering", "send"]

KEY_CHARACTERS = 64


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

    Raises NothingSaid, SaidTooMuch, StillAnswering; nothing is kept then."""
    key = key[:KEY_CHARACTERS]
    if sent := _sent(person, key):
        return sent
    if conversation is not None:
        _fail_lost(conversation, now=now)
    try:
        with transaction.atomic():
            return _keep(person, conversation, parts, key, now=now, memory_mode=memory_mode)
    except IntegrityError:
        # The other of two requests was first.
        if sent := _sent(person, key):
            return sent
        raise


def _sent(person: Person, key: str) -> Message | None:
    said = Message.objects.of(person).filter(idempotency_key=key).first() if key else None
    if said is None:
        return None
    return Message.objects.shown().filter(conversation_id=said.conversation_id, position=said.position + 1).get()


def _fail_lost(conversation: Conversation, *, now: datetime) -> None:
    for reply in conversation.messages.filter(role=Role.ASSISTANT, state=MessageState.STREAMING):
        attempts.fail_if_lost(reply, now=now)


def _keep(
    person: Person,
    conversation: Conversation | None,
    parts: Sequence[Part],
    key: str,
    *,
    now: datetime,
    memory_mode: MemoryMode,
) -> Message:
    if conversation is None:
        conversation = Conversation.objects.create(
            person=person, title=first_words(parts), memory_mode=memory_mode, started_at=now, last_said_at=now
        )
    else:
        Conversation.objects.select_for_update().get(pk=conversation.pk)
        if conversation.messages.filter(state__in=[MessageState.QUEUED, MessageState.STREAMING]).exists():
            raise StillAnswering
    said = say(conversation, Role.USER, parts, now=now, key=key or None)
    # It has no words yet: there is nothing to keep or to index of it.
    reply = Message.objects.create(
        person_id=person.pk,
        conversation=conversation,
        position=said.position + 1,
        role=Role.ASSISTANT,
        state=MessageState.QUEUED,
        said_at=now,
    )
    transaction.on_commit(lambda: write_reply.delay(reply_id=reply.pk))
    return reply
