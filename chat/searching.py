"""What a reply finds in the person's transcripts, and the record of it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from django.conf import settings
from django.db import transaction

from chat.models import FoundMessage
from chat.turns import clock_text
from claude.prompts import Fenced, fence
from claude.tokens import estimate_tokens
from memories.models import Message, Origin, Passage, Role, lock_person
from memories.passages import search_passages
from memories.transcript import readable

EXCHANGES = 5
# Of one passage; the page shows all of it.
PASSAGE_CHARACTERS = 600
# What was pasted or came from a file is nobody's saying, and is not shown again by a search.
_SAID = (Origin.TYPED, Origin.ASSISTANT)


def look_through(reply: Message, asked: Message, query: str, *, now: datetime) -> list[Fenced]:
    """What was said that fits, a fence for each passage, within a budget of tokens. Not the question itself.

    The record comes before the words are read, under the person's lock: a deletion that comes later finds the record
    and ends the segment; of one that came before, the words read are without what it took.
    """
    found = [
        one
        for one in search_passages(reply.person, query, now=now, limit=EXCHANGES + 1)
        if asked.pk not in {passage.message_id for passage in one.exchange}
    ][:EXCHANGES]
    _record(reply, sorted({passage.message_id for one in found for passage in one.exchange}), now=now)
    read = _read(reply, [passage.pk for one in found for passage in one.exchange])
    shown: list[Fenced] = []
    spent = 0
    for one in found:
        fences = [read[passage.pk] for passage in one.exchange if passage.pk in read]
        spent += sum(map(estimate_tokens, fences))
        if shown and spent > settings.RECALL_MAX_TOKENS:
            break
        shown += fences
    return shown


@transaction.atomic
def _record(reply: Message, messages: Sequence[int], *, now: datetime) -> None:
    lock_person(reply.person_id)
    FoundMessage.objects.bulk_create(
        [
            FoundMessage(person_id=reply.person_id, reply=reply, message_id=message, given_at=now)
            for message in messages
        ],
        ignore_conflicts=True,
    )


def _read(reply: Message, passages: Sequence[int]) -> dict[int, Fenced]:
    rows = (
        Passage.objects.of(reply.person)
        .filter(pk__in=passages, origin__in=_SAID)
        .select_related("message")
        .prefetch_related("tombstones")
    )
    texts = {passage.pk: (passage.message, readable(passage)) for passage in rows}
    return {pk: _fence(reply, message, text) for pk, (message, text) in texts.items() if text}


def _fence(reply: Message, message: Message, text: str) -> Fenced:
    if len(text) > PASSAGE_CHARACTERS:
        text = text[:PASSAGE_CHARACTERS].rstrip() + " …"
    role = "user" if message.role == Role.USER else "assistant"
    return fence("passage", text, said=clock_text(reply.person, message.said_at), role=role)
