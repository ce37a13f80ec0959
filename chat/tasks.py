"""Celery's way in: replies on their own queue, the rest with the housekeeping."""

from __future__ import annotations

from celery import shared_task
from django.utils import timezone


@shared_task
def write_reply(*, reply_id: int) -> None:
    from chat.reply import write_reply as write

    write(reply_id)


@shared_task
def name_conversation(*, conversation_id: int) -> None:
    from chat.titles import name_conversation as name

    name(conversation_id)


@shared_task
def sweep_replies() -> None:
    """Every minute: replies whose worker died, and those that nobody took up."""
    from chat.attempts import sweep

    sweep(now=timezone.now())


@shared_task
def name_untitled() -> None:
    """Every minute: conversations whose title was made from something that has been forgotten."""
    from chat.titles import untitled

    for conversation_id in untitled():
        name_conversation.delay(conversation_id=conversation_id)


@shared_task
def close_temporary() -> None:
    """Every hour: temporary conversations of yesterday."""
    from chat.temporary import close_old

    close_old(now=timezone.now())
