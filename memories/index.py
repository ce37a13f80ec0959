"""Writing what recall searches. Words are there at once; vectors follow from the worker, on its own queue."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import lru_cache, partial
from typing import Any

import numpy as np
from django.conf import settings
from django.db import transaction

from memories import words
from memories.models import (
    Category,
    ExchangeSearch,
    Memory,
    MemoryMode,
    MemorySearch,
    Message,
    Origin,
    Passage,
    Role,
    Status,
)
from memories.reading import readable

PACKED = np.dtype([("term", "<i8"), ("weight", "<f4")])

# What the assistant said, and what was pasted, tells what an exchange was about, but would swamp the person's words.
_OTHERS_WEIGHT = 0.3
_TELLS_ENOUGH = 8  # characters of the person's; "yes" means what it answers to
_OTHERS_EMBEDDED = 300  # characters
# A memory's category is a hint in both languages.
_CATEGORY_WEIGHT = 0.3
_CATEGORIES = {
    Category.PROFILE: "profile 個人",
    Category.STYLE: "format style 格式 風格",
    Category.PLACE: "time place 時間 地點",
    Category.WORK: "work job 工作",
    Category.PEOPLE: "people family pets 家人 寵物",
    Category.TASTE: "like dislike preference 喜好",
    Category.HEALTH: "health 健康",
    Category.GOAL: "goal 目標",
    Category.LEARNING: "learning 學習",
    Category.ROUTINE: "routine 習慣",
    Category.EVENT: "event 事件",
    Category.OTHER: "",
}


@dataclass(frozen=True)
class Exchange:
    """The words of one exchange that may still be read, by who said them."""

    person: str
    others: str
    day: date

    @property
    def is_blank(self) -> bool:
        return not (self.person.strip() or self.others.strip())

    def to_embed(self) -> str:
        """What the person said: a long reply would hide it, and is found by its words. Without the day: all that was
        said in one week would be near each other; days are matched as words."""
        if len(self.person.strip()) >= _TELLS_ENOUGH:
            return self.person.strip()
        return f"{self.person}\n{self.others[:_OTHERS_EMBEDDED]}".strip()


def add_memory(memory: Memory) -> None:
    """(Re)write the row of a memory whose words or dates changed. A deleted one has none."""
    if memory.status == Status.DELETED or not memory.statement:
        MemorySearch.objects.filter(memory=memory).delete()
        return
    fields = memory_row(memory)
    MemorySearch.objects.bulk_create(
        [MemorySearch(memory=memory, **fields)],
        update_conflicts=True,
        unique_fields=["memory"],
        update_fields=list(fields),
    )
    embed_soon(memory.person_id)


def begin_exchange(asked: Message, passages: Sequence[Passage]) -> None:
    """The row of an exchange that begins with `passages`, only just kept. Its vector is made when the reply is there;
    that of one without a reply, by beat."""
    if asked.conversation.memory_mode == MemoryMode.TEMPORARY:
        return
    spoken = Exchange(
        person="\n".join(passage.text for passage in passages if passage.origin == Origin.TYPED),
        others="\n".join(passage.text for passage in passages if passage.origin != Origin.TYPED),
        day=asked.conversation.person.local(asked.said_at).date(),
    )
    _keep_exchange(asked, spoken)


def add_exchange_of(message: Message) -> None:
    """(Re)write the row of the exchange that a message belongs to: after it was said, finished, replaced by another
    attempt, or lost a span to a tombstone."""
    asked = asked_of(message)
    if asked is None:
        return
    spoken = exchange(asked)
    if spoken.is_blank or not asked.shown or asked.conversation.memory_mode == MemoryMode.TEMPORARY:
        ExchangeSearch.objects.filter(message=asked).delete()
        return
    _keep_exchange(asked, spoken)
    embed_soon(asked.person_id)


def _keep_exchange(asked: Message, spoken: Exchange) -> None:
    fields = row(asked.person_id, exchange_weights(spoken), spoken.person or spoken.others) | {
        "conversation": asked.conversation,
        "position": asked.position,
    }
    ExchangeSearch.objects.bulk_create(
        [ExchangeSearch(message=asked, **fields)],
        update_conflicts=True,
        unique_fields=["message"],
        update_fields=list(fields),
    )


def asked_of(message: Message) -> Message | None:
    """The person's message that begins the exchange which `message` belongs to."""
    if message.role == Role.USER:
        return message
    return (
        Message.objects.filter(
            conversation=message.conversation_id, role=Role.USER, position=message.position - 1, shown=True
        )
        .select_related("conversation", "person")
        .first()
    )


def is_current(stored: ExchangeSearch, asked: Message) -> bool:
    """Whether the row holds the words that may be read now, and no others."""
    wanted: bytes = row(asked.person_id, exchange_weights(exchange(asked)), "")["packed"]
    return bytes(stored.packed) == wanted


def exchange(asked: Message) -> Exchange:
    """The person's message and the shown reply to it, as they may still be read."""
    passages = list(
        Passage.objects.filter(
            message__conversation=asked.conversation_id,
            message__shown=True,
            message__position__in=[asked.position, asked.position + 1],
        )
        .select_related("message")
        .prefetch_related("tombstones")
        .order_by("message__position", "position")
    )
    spoken = [p for p in passages if p.message_id == asked.pk and p.origin == Origin.TYPED]
    others = [p for p in passages if p not in spoken and (p.message_id == asked.pk or p.message.role == Role.ASSISTANT)]
    return Exchange(
        person="\n".join(filter(None, map(readable, spoken))),
        others="\n".join(filter(None, map(readable, others))),
        day=asked.person.local(asked.said_at).date(),
    )


def memory_weights(memory: Memory) -> dict[str, float]:
    weights: dict[str, float] = defaultdict(float)
    _add(weights, words.tokens(memory.statement), 1.0)
    _add(weights, _memory_dates(memory), 1.0)
    _add(weights, words.tokens(_CATEGORIES[Category(memory.category)]), _CATEGORY_WEIGHT)
    return weights


def exchange_weights(spoken: Exchange) -> dict[str, float]:
    weights: dict[str, float] = defaultdict(float)
    _add(weights, words.tokens(spoken.person), 1.0)
    _add(weights, words.day_tokens(spoken.day), 1.0)
    _add(weights, words.tokens(spoken.others), _OTHERS_WEIGHT)
    return weights


def memory_row(memory: Memory) -> dict[str, Any]:
    return row(memory.person_id, memory_weights(memory), memory.statement)


def row(person_id: int, weights: dict[str, float], text: str) -> dict[str, Any]:
    """The fields of a search row. It has no vector until the worker made one of these very words."""
    packed = np.array([(term_hash(person_id, word), weight) for word, weight in weights.items()], dtype=PACKED)
    return {
        "person_id": person_id,
        "terms": packed["term"].tolist(),
        "packed": packed.tobytes(),
        "length": float(packed["weight"].sum()),
        "script": words.script(text),
        "vector": None,
        "embedder": "",
    }


@lru_cache(maxsize=20_000)
def term_hash(person_id: int, word: str) -> int:
    """A word as this person's index knows it. Nobody else's rows have it, and it does not show the word."""
    digest = hashlib.blake2b(word.encode(errors="replace"), digest_size=8, key=str(person_id).encode()).digest()
    return int.from_bytes(digest, "little", signed=True)


def terms(person_id: int, text: str) -> list[int]:
    return [term_hash(person_id, word) for word in dict.fromkeys(words.tokens(text))]


def memory_to_embed(memory: Memory) -> str:
    return memory.statement


def embed_soon(person_id: int) -> None:
    if settings.EMBEDDER == "none":
        return
    from memories.tasks import embed_pending

    # A broker that is away delays the vectors; it does not undo the words. Beat asks again for what was left.
    transaction.on_commit(partial(embed_pending.apply_async, kwargs={"person_id": person_id}, retry=False), robust=True)


def _memory_dates(memory: Memory) -> list[str]:
    said = memory.person.local(memory.said_at).date()
    days = [said]
    if memory.event_from:
        until = min(memory.event_until or memory.event_from, memory.event_from + timedelta(days=31))
        days += [memory.event_from + timedelta(days=n) for n in range((until - memory.event_from).days + 1)]
    return list(dict.fromkeys(word for day in days for word in words.day_tokens(day)))


def _add(weights: dict[str, float], found: Iterable[str], weight: float) -> None:
    for word in found:
        weights[word] += weight
