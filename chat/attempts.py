"""Attempts at a reply: taken up by one worker, lost with it, stopped, tried again, and which of them is shown."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Max

from chat import live, stream
from chat.at_once import make_room
from memories.models import Conversation, Message, MessageState, Role

WORKER_LOST = "worker_lost"
# A queued reply that nobody took up in this time is queued again; after the other one it has failed.
QUEUE_AGAIN_AFTER = timedelta(seconds=60)
QUEUED_AT_MOST = timedelta(minutes=15)


class NotTheLastReply(Exception):
    """Only the newest reply of a conversation can be written again or exchanged."""


class StillAnswering(Exception):
    """The conversation has a reply under way."""


def claim(reply_id: int, *, now: datetime) -> Message | None:
    """Take up a queued reply; None when it is not there to be taken. Whoever is first has it."""
    queued = Message.objects.filter(pk=reply_id, role=Role.ASSISTANT, state=MessageState.QUEUED)
    reply = queued.select_related("conversation", "person").first()
    if reply is None:
        return None
    if reply.stop_requested_at is not None:
        queued.update(state=MessageState.STOPPED, finished_at=now)
        stream.end(reply_id)
        return None
    # Before the state, so that it never looks lost.
    live.take_lease(reply_id)
    if not queued.update(state=MessageState.STREAMING):
        return None
    reply.state = MessageState.STREAMING
    return reply


def fail_if_lost(reply: Message, *, now: datetime) -> bool:
    """Mark a reply as failed whose worker has died with it."""
    if reply.state != MessageState.STREAMING or live.has_lease(reply.pk):
        return False
    lost = Message.objects.filter(pk=reply.pk, state=MessageState.STREAMING).update(
        state=MessageState.FAILED, error=WORKER_LOST, finished_at=now
    )
    if lost:
        stream.end(reply.pk)
        reply.refresh_from_db(fields=["state", "error", "finished_at"])
    return bool(lost)


def stop(reply: Message, *, now: datetime) -> None:
    """Ask for the end of a reply. What there is of it is kept."""
    Message.objects.filter(pk=reply.pk, stop_requested_at=None).update(stop_requested_at=now)
    live.ask_to_stop(reply.pk)
    waiting = Message.objects.filter(pk=reply.pk, state=MessageState.QUEUED)
    if waiting.update(state=MessageState.STOPPED, finished_at=now):
        stream.end(reply.pk)


def again(reply: Message, *, now: datetime) -> Message:
    """Another attempt at the newest reply: it is shown in place of the others, which stay.

    Raises NotTheLastReply, StillAnswering, TooManyAtOnce; nothing is changed then."""
    from chat.tasks import write_reply

    with transaction.atomic():
        make_room(reply.person_id)
        _lock_newest(reply)
        siblings = Message.objects.filter(conversation_id=reply.conversation_id, position=reply.position)
        if siblings.filter(state__in=[MessageState.QUEUED, MessageState.STREAMING]).exists():
            raise StillAnswering
        last = siblings.aggregate(last=Max("attempt"))["last"]
        siblings.filter(shown=True).update(shown=False)
        attempt = Message.objects.create(
            person_id=reply.person_id,
            conversation_id=reply.conversation_id,
            position=reply.position,
            attempt=last + 1,
            role=Role.ASSISTANT,
            state=MessageState.QUEUED,
            said_at=now,
        )
        transaction.on_commit(lambda: write_reply.delay(reply_id=attempt.pk))
    return attempt


def show(reply: Message) -> None:
    """Show this attempt in place of its siblings."""
    with transaction.atomic():
        _lock_newest(reply)
        siblings = Message.objects.filter(conversation_id=reply.conversation_id, position=reply.position)
        if siblings.filter(state__in=[MessageState.QUEUED, MessageState.STREAMING]).exists():
            raise StillAnswering
        siblings.filter(shown=True).update(shown=False)
        Message.objects.filter(pk=reply.pk).update(shown=True)
    reply.shown = True


def sweep(*, now: datetime) -> tuple[int, int]:
    """Find the replies that no worker will finish. Returns how many had been lost, and how many are queued again."""
    from chat.tasks import write_reply

    lost = sum(
        fail_if_lost(reply, now=now)
        for reply in Message.objects.filter(role=Role.ASSISTANT, state=MessageState.STREAMING)[:500]
    )
    queued = Message.objects.filter(role=Role.ASSISTANT, state=MessageState.QUEUED)
    for reply_id in queued.filter(said_at__lt=now - QUEUED_AT_MOST).values_list("pk", flat=True)[:500]:
        given_up = Message.objects.filter(pk=reply_id, state=MessageState.QUEUED).update(
            state=MessageState.FAILED, error=WORKER_LOST, finished_at=now
        )
        if given_up:
            stream.end(reply_id)
            lost += 1
    forgotten = queued.filter(said_at__lt=now - QUEUE_AGAIN_AFTER).values_list("pk", flat=True)[:500]
    for reply_id in forgotten:
        write_reply.delay(reply_id=reply_id)
    return lost, len(forgotten)


def _lock_newest(reply: Message) -> None:
    Conversation.objects.select_for_update().get(pk=reply.conversation_id)
    if (
        reply.role != Role.ASSISTANT
        or Message.objects.filter(conversation_id=reply.conversation_id, position__gt=reply.position).exists()
    ):
        raise NotTheLastReply
