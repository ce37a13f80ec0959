"""What a request in the person's words means: which memories, and whether it fits several different things."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime

from memories.forgetting.finding import memories_with_any
from memories.forgetting.likeness import saying
from memories.models import Memory, Person
from memories.words import fold, query_tokens

LIMIT = 200
# What a request is made of besides its subject.
_ASKING = re.compile(
    r"\b(?:please|could|can|would|you|forget|delete|remove|erase|everything|anything|all|about|that|what|know|remember(?:ed)?"
    r"|memory|memories|the|my|me|i|of|from|any|stop|don'?t)\b"
    r"|请|把|你|记得|记住|的|我|全部|都|所有|删掉|删除|删|忘掉|忘记|忘了|忘|掉|关于|有关|一切|事情|事|不要|再|帮|吧|了|在|哪里|哪|是|什么|记忆"
)
_SUBJECT = re.compile(r"\b(?:everything|anything|all)\b|全部|所有|一切|都删|都忘")


def is_about_subject(request: str) -> bool:
    """Whether a whole subject is to go ("everything about …") rather than one statement."""
    return bool(_SUBJECT.search(fold(request)))


def resolve(person: Person, request: str, *, now: datetime) -> tuple[tuple[Memory, ...], ...]:
    """The memories that the request may mean, one group for each different thing."""
    subject = _ASKING.sub(" ", fold(request))
    words = [word for word in query_tokens(subject) if len(word) > 1 or not word.isascii()]
    pairs = [word for word in words if len(word) > 1]
    words = pairs or words
    if not words:
        return ()
    scored = [
        (len(set(words) & set(query_tokens(m.statement))), m) for m in memories_with_any(person, words, limit=LIMIT)
    ]
    best = max((score for score, _memory in scored), default=0)
    found = [memory for score, memory in scored if score == best]
    return (tuple(found),) if is_about_subject(request) else _groups(found)


def _groups(memories: Sequence[Memory]) -> tuple[tuple[Memory, ...], ...]:
    """Memories that share a name, or bear none, are one thing; different names are different things."""
    groups: list[tuple[set[str], list[Memory]]] = []
    nameless: list[Memory] = []
    for memory in memories:
        names = set(saying(memory.statement).names)
        if not names:
            nameless.append(memory)
            continue
        for known, members in groups:
            if known & names:
                known |= names
                members.append(memory)
                break
        else:
            groups.append((names, [memory]))
    if len(groups) <= 1:
        return (tuple(memories),) if memories else ()
    return (*(tuple(members) for _names, members in groups), *((tuple(nameless),) if nameless else ()))
