"""A conversation's title: its first words at once, a better one from the cheap model after the first exchange."""

from __future__ import annotations

import logging
import re
from collections.abc import Sequence
from pathlib import Path

from django.db import transaction
from django.utils import timezone, translation

from chat.connections import release_connection
from chat.summary import transcript
from claude.client import complete
from claude.errors import ClaudeError
from claude.prompts import render
from claude.purposes import Purpose
from memories.models import Conversation, MemoryMode, Message, Origin, Role, Tombstone, lock_person
from memories.transcript import Part, clean, readable_message

logger = logging.getLogger(__name__)

PROMPT = Path(__file__).parent / "prompts" / "title.v1.md"
TITLE_CHARACTERS = 60
NAMED_FROM_MESSAGES = 4


def first_words(parts: Sequence[Part]) -> str:
    """The beginning of the first thing that was typed, else of what was shown."""
    ordered = sorted(parts, key=lambda part: part.origin != Origin.TYPED)
    for part in ordered:
        if part.name.strip() and part.origin == Origin.FILE:
            return _shortened(clean(part.name))
        if part.text.strip():
            return _shortened(clean(part.text[:500]))
    return ""


def name_conversation(conversation_id: int) -> bool:
    """Give a conversation a title, unless the person has named it. True when a model gave it."""
    conversation = Conversation.objects.select_related("person").filter(pk=conversation_id, title_is_mine=False).first()
    if conversation is None:
        return False
    forgotten = _forgotten_in(conversation)
    messages = list(
        conversation.messages.standing()
        .prefetch_related("passages__tombstones")
        .order_by("position")[:NAMED_FROM_MESSAGES]
    )
    if not any(readable_message(message).strip() for message in messages):
        # All of its beginning is forgotten: it is called by its day, and not looked at again.
        with translation.override(conversation.person.language or None), timezone.override(conversation.person.zone):
            _give(conversation, _shortened(conversation.name), forgotten)
        return False
    title = _asked(conversation, messages)
    named = bool(title)
    if not title:
        said = next((readable_message(message) for message in messages if message.role == Role.USER), "")
        title = _shortened(said)
    return _give(conversation, title, forgotten) and named


def untitled() -> list[int]:
    """Conversations that lost their title, or never had one."""
    found = Conversation.objects.filter(title="", title_is_mine=False).exclude(memory_mode=MemoryMode.TEMPORARY)
    return list(found.order_by("-last_said_at").values_list("pk", flat=True)[:20])


@transaction.atomic
def _give(conversation: Conversation, title: str, forgotten: set[int]) -> bool:
    """The person may have named it meanwhile: then that stands. Or something in it may have been forgotten: then it is
    named from what is left, when beat asks again."""
    lock_person(conversation.person_id)
    if _forgotten_in(conversation) != forgotten:
        return False
    as_it_was = Conversation.objects.filter(pk=conversation.pk, title_is_mine=False, title=conversation.title)
    return bool(as_it_was.update(title=title))


def _forgotten_in(conversation: Conversation) -> set[int]:
    return set(Tombstone.objects.filter(passage__message__conversation=conversation).values_list("pk", flat=True))


def _asked(conversation: Conversation, messages: list[Message]) -> str:
    text = transcript(conversation.person, messages)
    release_connection()
    try:
        response = complete(
            Purpose.TITLE,
            system=render(PROMPT),
            messages=[{"role": "user", "content": [{"type": "text", "text": text}]}],
            person=conversation.person,
            run=f"conversation-{conversation.pk}",
            max_tokens=60,
        )
    except ClaudeError as error:
        logger.warning("No title for conversation %d: %s", conversation.pk, error.code)
        return ""
    lines = clean(response.text).strip().splitlines()
    return _shortened(lines[0].strip(" \"'“”「」『』#*。.")) if lines else ""


def _shortened(text: str) -> str:
    text = re.sub(r"\s+", " ", text).strip()
    if len(text) <= TITLE_CHARACTERS:
        return text
    cut = text[:TITLE_CHARACTERS]
    # Between words where there are any near the end.
    return (cut.rsplit(" ", 1)[0] if " " in cut[TITLE_CHARACTERS // 2 :] else cut).rstrip(" ,;:，、；：") + "…"
