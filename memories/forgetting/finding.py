"""Where a memory may be said: the messages and the memories that hold its telling words."""

from __future__ import annotations

from collections.abc import Collection

from memories.models import Memory, Passage, Person
from memories.words import tokens


def messages_with(person: Person, words: Collection[str], *, limit: int) -> set[int]:
    """Keys of the messages that hold any of `words`."""
    wanted = set(words)
    found: set[int] = set()
    for message_id, text in Passage.objects.of(person).values_list("message_id", "text").iterator():
        if not wanted.isdisjoint(tokens(text)):
            found.add(message_id)
            if len(found) >= limit:
                break
    return found


def memories_with(person: Person, words: Collection[str], *, limit: int) -> list[Memory]:
    wanted = set(words)
    found: list[Memory] = []
    for memory in Memory.objects.of(person).kept().iterator():
        if not wanted.isdisjoint(tokens(memory.statement)):
            found.append(memory)
            if len(found) >= limit:
                break
    return found
