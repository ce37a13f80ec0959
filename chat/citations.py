"""Where a reply's `[m12]` marks lead."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from django.urls import reverse

from memories.models import Memory, Message, Status


class MemoryLinks(Mapping[int, str]):
    """The pages of the memories that a reply was given, by number. Any other mark leads nowhere and is not shown. An
    address is made when it is asked for: few of the memories are cited."""

    def __init__(self) -> None:
        self._numbers: set[int] = set()

    def add(self, *memories: Memory) -> None:
        self._numbers.update(memory.number for memory in memories)

    def __getitem__(self, number: int) -> str:
        if number not in self._numbers:
            raise KeyError(number)
        return reverse("memories:detail", args=[number])

    def __iter__(self) -> Iterator[int]:
        return iter(self._numbers)

    def __len__(self) -> int:
        return len(self._numbers)


def links_of(reply: Message) -> MemoryLinks:
    """Prefetch `recollections__memory` for many."""
    links = MemoryLinks()
    links.add(*(one.memory for one in reply.recollections.all() if one.memory.status != Status.DELETED))
    return links
