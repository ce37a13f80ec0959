"""Saying something: messages and passages are born here, cleaned. `memories.reading` reads them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.conf import settings
from django.db import transaction
from django.db.models import Max

from memories import index
from memories.models import Conversation, Message, MessageState, Origin, Passage, Role
from memories.reading import content, readable, readable_message, readable_text

# What no text field keeps: NUL (PostgreSQL refuses it) and lone surrogates (UTF-8 does).
_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")


__all__ = [
    "NothingSaid",
    "Part",
    "SaidTooMuch",
    "add_passages",
    "ask",
    "clean",
    "content",
    "keep_reply",
    "readable",
    "readable_message",
    "readable_text",
    "say",
]


class NothingSaid(Exception):
    """All parts are blank."""


class SaidTooMuch(Exception):
    """The message is longer than `MESSAGE_MAX_CHARACTERS`."""


@dataclass(frozen=True)
class Part:
    origin: Origin
    text: str
    name: str = ""


def say(
    conversation: Conversation,
    role: Role,
    parts: Sequence[Part],
    *,
    now: datetime,
    key: str | None = None,
    state: MessageState = MessageState.DONE,
) -> Message:
    """A new message at the end of the conversation, with a passage per part."""
    kept = _kept(parts)
    if not kept and role == Role.USER:
        raise NothingSaid
    with transaction.atomic():
        Conversation.objects.select_for_update().get(pk=conversation.pk)
        last = conversation.messages.aggregate(last=Max("position"))["last"]
        message = Message.objects.create(
            person_id=conversation.person_id,
            conversation=conversation,
            position=0 if last is None else last + 1,
            role=role,
            state=state,
            idempotency_key=key,
            said_at=now,
            finished_at=now if state == MessageState.DONE else None,
        )
        add_passages(message, kept)
        Conversation.objects.filter(pk=conversation.pk, last_said_at__lt=now).update(last_said_at=now)
        conversation.last_said_at = max(conversation.last_said_at, now)
    return message


def ask(
    conversation: Conversation, parts: Sequence[Part], *, position: int, now: datetime, key: str | None = None
) -> tuple[Message, Message]:
    """A message of the person's and the queued reply to it, at the end of a conversation that the caller has locked or
    only just made. As few queries as can be: somebody waits."""
    kept = _kept(parts)
    if not kept:
        raise NothingSaid
    common = {"person_id": conversation.person_id, "conversation": conversation, "said_at": now}
    with transaction.atomic(savepoint=False):
        said, reply = Message.objects.bulk_create(
            [
                Message(**common, position=position, role=Role.USER, finished_at=now, idempotency_key=key),
                Message(**common, position=position + 1, role=Role.ASSISTANT, state=MessageState.QUEUED),
            ]
        )
        passages = _add(said, kept, first=0)
        # It is found by its words at once; its vector comes when the reply is there too.
        index.begin_exchange(said, passages)
        if conversation.last_said_at < now:
            Conversation.objects.filter(pk=conversation.pk, last_said_at__lt=now).update(last_said_at=now)
            conversation.last_said_at = now
    return said, reply


def add_passages(message: Message, parts: Sequence[Part]) -> list[Passage]:
    """More words of a message, after those that it has: a reply's, once it is finished."""
    with transaction.atomic():
        last = message.passages.aggregate(last=Max("position"))["last"]
        first = 0 if last is None else last + 1
        passages = _add(message, _kept(parts), first=first)
        index.add_exchange_of(message)
    return passages


def keep_reply(reply: Message, text: str) -> None:
    """The words of a reply, all at once: it had none before."""
    with transaction.atomic(savepoint=False):
        _add(reply, _kept([Part(Origin.ASSISTANT, text)]), first=0)
        index.add_exchange_of(reply)


def clean(text: str) -> str:
    """`text` without what cannot be stored, and with one kind of line end."""
    return _UNSTORABLE.sub("", text).replace("\r\n", "\n").replace("\r", "\n")


def _add(message: Message, kept: Sequence[Part], *, first: int) -> list[Passage]:
    return Passage.objects.bulk_create(
        Passage(
            person_id=message.person_id,
            message=message,
            position=first + offset,
            origin=part.origin,
            name=part.name[:255],
            text=part.text,
        )
        for offset, part in enumerate(kept)
    )


def _kept(parts: Sequence[Part]) -> list[Part]:
    cleaned = [Part(part.origin, clean(part.text), clean(part.name)) for part in parts]
    if sum(len(part.text) for part in cleaned) > settings.MESSAGE_MAX_CHARACTERS:
        raise SaidTooMuch
    return [part for part in cleaned if part.text.strip()]
