"""Saying one's last message anew in other words. The first wording stays in the transcript, where forgetting finds it;
no reply reads it again."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction

from chat import segments
from chat.at_once import make_room
from chat.models import EndReason
from chat.send import StillAnswering, one_key
from chat.tasks import write_reply
from chat.titles import first_words
from memories.models import Conversation, Message, MessageState, Origin, Role, lock_person
from memories.reading import readable
from memories.transcript import Part, ask


class NotTheLastMessage(Exception):
    """Only the newest message of a conversation can be said anew."""


def revise(said: Message, text: str, *, key: str, now: datetime) -> Message:
    """Put `text` in place of what was typed; what was pasted or attached is sent again with it. The queued reply.

    Raises NotTheLastMessage, StillAnswering, TooManyAtOnce, and what sending raises; nothing is changed then."""
    with transaction.atomic():
        lock_person(said.person_id)
        make_room(said.person_id)
        conversation = Conversation.objects.select_for_update().get(pk=said.conversation_id)
        last = _last(conversation, said)
        shown_to_it = said.passages.exclude(origin=Origin.TYPED).prefetch_related("tombstones").order_by("position")
        parts = [Part(Origin(passage.origin), readable(passage), passage.name) for passage in shown_to_it]
        parts.append(Part(Origin.TYPED, text))
        _new, reply = ask(conversation, parts, position=last + 1, now=now, key=one_key(key) or None)
        replaced = conversation.messages.filter(position__gte=said.position, position__lte=last)
        replaced.update(replaced_at=now)
        segments.end(conversation.segments, EndReason.CHANGED, now=now)
        if not conversation.title_is_mine and said.position == 0:
            Conversation.objects.filter(pk=conversation.pk).update(title=first_words(parts))
        transaction.on_commit(lambda: write_reply.delay(reply_id=reply.pk))
    return reply


def typed_text(said: Message) -> str:
    """What was typed, as far as it may still be read: where the new wording begins."""
    typed = said.passages.filter(origin=Origin.TYPED).prefetch_related("tombstones").order_by("position")
    return "\n\n".join(filter(None, map(readable, typed)))


def _last(conversation: Conversation, said: Message) -> int:
    """The position of the newest message of the conversation, which is `said` or the reply to it."""
    after = list(conversation.messages.filter(position__gt=said.position).values_list("position", "role", "state"))
    if said.role != Role.USER or said.replaced_at or any(role == Role.USER for _, role, _ in after):
        raise NotTheLastMessage
    if any(state in {MessageState.QUEUED, MessageState.STREAMING} for _, _, state in after):
        raise StillAnswering
    return max([said.position, *(position for position, _, _ in after)])
