"""The list of conversations: by day on the person's clock, with search."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

from django.db.models import Q

from memories.dates import group_words
from memories.models import Conversation, MemoryMode, Person
from memories.passages import search_passages
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
            one.exchange[0].message.conversation_id
            for one in search_passages(person, query, now=now, limit=50, vectors=False)
        }
        mine = mine.filter(Q(title__icontains=query) | Q(pk__in=found))
    newest = list(mine.order_by("-last_said_at", "-pk")[: limit + 1])
    days: list[Day] = []
    today = person.local(now).date()
    for conversation in newest[:limit]:
        name = group_words(person.local(conversation.last_said_at).date(), today=today)
        if not days or days[-1].name != name:
            days.append(Day(name))
        days[-1].conversations.append(conversation)
    return Listing(days, query, more=len(newest) > limit)
