"""Temporary conversations: no memory is read or written, and they are gone when closed or after a day."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db import transaction

from chat import live, stream
from memories.models import Conversation, MemoryMode, MessageState, lock_person

KEPT = timedelta(days=1)


class NotTemporary(Exception):
    """Other conversations are deleted through the forget door."""


def close(conversation: Conversation) -> None:
    if conversation.memory_mode != MemoryMode.TEMPORARY:
        raise NotTemporary
    replies = list(conversation.messages.values_list("pk", "state"))
    for reply_id, state in replies:
        if state in {MessageState.QUEUED, MessageState.STREAMING}:
            live.ask_to_stop(reply_id)
    with transaction.atomic():
        # A reply that ends, or a message that is sent, at this moment comes first, and goes too.
        lock_person(conversation.person_id)
        Conversation.objects.select_for_update().filter(pk=conversation.pk).first()
        Conversation.objects.filter(pk=conversation.pk).delete()
        transaction.on_commit(lambda: stream.drop([reply_id for reply_id, _state in replies]))


def close_old(*, now: datetime) -> int:
    old = Conversation.objects.filter(memory_mode=MemoryMode.TEMPORARY, last_said_at__lt=now - KEPT)
    closed = list(old[:500])
    for conversation in closed:
        close(conversation)
    return len(closed)
