"""How many replies one person may have under way: each holds a worker's thread, and costs."""

from __future__ import annotations

from django.conf import settings
from django.db import connection

from memories.models import Message, MessageState

# Of the two keys of an advisory lock, the one that says what it is for.
_LOCK = 7201


class TooManyAtOnce(Exception):
    """The person has as many replies under way as are written at once."""


def make_room(person_id: int) -> None:
    """Held to the end of the transaction, so that requests of one moment are counted one after the other. Comes before
    the conversation's lock, everywhere."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s, (%s %% 2147483647)::int)", [_LOCK, person_id])
    under_way = Message.objects.filter(person=person_id, state__in=[MessageState.QUEUED, MessageState.STREAMING])
    if under_way.count() >= settings.REPLIES_AT_ONCE:
        raise TooManyAtOnce
