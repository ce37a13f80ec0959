"""The list of conversations: by day on the person's clock, with search."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date, datetime, timedelta

from django.db.models import Q
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from memories.models import Conversation, MemoryMode, Person
from memories.recall import search_passages
from memories.transcript import clean

SHOWN = 60
QUERY_CHARACTERS = 200


@dataclass
class Day:
    name: str
    conversations: list[Conversation] = field(default_factory=list)


@dataclass
class Listing:
    days: list[Day]
    query: str
    more: bool

    @property
    def is_empty(self) -> bool:
        return not self.days


def conversations(person: Person, *, query: str = "", limit: int = SHOWN, now: datetime) -> Listing:
    query = clean(query).strip()[:QUERY_CHARACTERS]
    mine = Conversation.objects.of(person).exclude(memory_mode=MemoryMode.TEMPORARY)
    if query:
        found = {
            one.passage.message.conversation_id
            for one in search_passages(person, query, now=now, limit=50, vectors=False)
        }
        mine = mine.filter(Q(title__icontains=query) | Q(pk__in=found))
    newest = list(mine.order_by("-last_said_at", "-pk")[: limit + 1])
    days: list[Day] = []
    today = person.local(now).date()
    for conversation in newest[:limit]:
        name = _day_name(person.local(conversation.last_said_at).date(), today)
        if not days or days[-1].name != name:
            days.append(Day(name))
        days[-1].conversations.append(conversation)
    return Listing(days, query, more=len(newest) > limit)


def _day_name(day: date, today: date) -> str:
    if day >= today:
        return _("Today")
    if day == today - timedelta(days=1):
        return _("Yesterday")
    if day > today - timedelta(days=7):
        return date_format(day, "l")
    return (
        date_format(day, "F Y") if day.year != today.year else date_format(day, "F j" if _is_near(day, today) else "F")
    )


def _is_near(day: date, today: date) -> bool:
    return today - day < timedelta(days=31)
