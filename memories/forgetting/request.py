"""What a request in the person's words means: which memories, and whether it fits several different things."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime

from memories.forgetting.finding import memories_with_any
from memories.forgetting.judge import can_judge, choose
from memories.forgetting.likeness import saying
from memories.models import Memory, Person
from memories.recall import recall
from memories.words import fold, query_tokens

LIMIT = 200
RECALLED = 40
# The model is shown the newest too: it knows what is meant where no word is shared.
NEWEST = 120
RECALLED_TOKENS = 8_000
# Memories that are offered where the request shares no word with any.
OFFERED = 3
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
    about = is_about_subject(request)
    found, fitting = _by_words(person, request), _that_fit(person, request, now=now)
    if can_judge():
        newest = Memory.objects.of(person).kept().order_by("-number")[:NEWEST]
        chosen = choose(person, request, list(dict.fromkeys([*found, *fitting, *newest]))[:LIMIT])
        if chosen is not None:
            memories, ambiguous = chosen
            return _groups(memories) if ambiguous else ((tuple(memories),) if memories else ())
    if found:
        return (tuple(found),) if about else _groups(found)
    # No word in common: what fits by meaning is only offered, each thing by itself.
    return tuple((memory,) for memory in fitting[:OFFERED])


def _by_words(person: Person, request: str) -> list[Memory]:
    """The memories with the most of the words that say what it is about."""
    subject = _ASKING.sub(" ", fold(request))
    words = [word for word in query_tokens(subject) if len(word) > 1 or not word.isascii()]
    words = [word for word in words if len(word) > 1] or words
    if not words:
        return []
    found = memories_with_any(person, words, limit=LIMIT)
    scored = [(len(set(words) & set(query_tokens(memory.statement))), memory) for memory in found]
    best = max((score for score, _memory in scored), default=0)
    return [memory for score, memory in scored if score == best]


def _that_fit(person: Person, request: str, *, now: datetime) -> list[Memory]:
    found = recall(person, request, now=now, budget=RECALLED_TOKENS, include_past=True, limit=RECALLED)
    return [one.memory for one in found]


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
