"""Where a reply's `[m12]` marks lead."""

from __future__ import annotations

from django.urls import reverse

from memories.models import Memory, Message, Status


class MemoryLinks(dict[int, str]):
    """The pages of the memories that a reply was given, by number. Any other mark leads nowhere and is not shown."""

    def add(self, *memories: Memory) -> None:
        for memory in memories:
            self[memory.number] = reverse("memories:detail", args=[memory.number])


def links_of(reply: Message) -> MemoryLinks:
    """Prefetch `recollections__memory` for many."""
    links = MemoryLinks()
    links.add(*(one.memory for one in reply.recollections.all() if one.memory.status != Status.DELETED))
    return links
