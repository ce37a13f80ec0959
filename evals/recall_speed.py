"""How fast recall and writing are for one person with much in store."""

from __future__ import annotations

import os
import random
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

import numpy as np
from django.db import connection
from pgvector import HalfVector

from memories import index
from memories.embedding import embedder
from memories.models import (
    AskedBy,
    Category,
    Confidence,
    Conversation,
    Evidence,
    ExchangeSearch,
    Kind,
    Memory,
    MemorySearch,
    Message,
    Origin,
    Passage,
    Person,
    Role,
    Status,
)
from memories.remember import Proposal, remember
from memories.transcript import Part, say

_PLAIN = [
    "user",
    "walks",
    "along",
    "river",
    "before",
    "work",
    "and",
    "cooks",
    "rice",
    "with",
    "greens",
    "for",
    "friends",
]
_VOCABULARY = 20_000
_DIMENSIONS = 384
_BATCH = 2_000
EMBEDDER = "random-vectors"


class RandomEmbedder:
    """Vectors that cost nothing: what is measured is all the rest."""

    name = EMBEDDER

    def __init__(self, seed: int = 1) -> None:
        self._random = np.random.default_rng(seed)

    def passages(self, texts: list[str]) -> list[np.ndarray]:
        vectors = self._random.normal(size=(len(texts), _DIMENSIONS)).astype(np.float32)
        return list(vectors / np.linalg.norm(vectors, axis=1, keepdims=True))

    def query(self, text: str) -> np.ndarray:
        return self.passages([text])[0]


def fill_person(person: Person, *, memories: int, passages: int, now: datetime) -> None:
    """Memories and two passages per exchange, of invented words as common as words are."""
    draw = random.Random(1)  # noqa: S311
    invented = RandomEmbedder()
    for first in range(0, passages // 2, _BATCH):
        count = min(_BATCH, passages // 2 - first)
        conversation = Conversation.objects.create(person=person, started_at=now, last_said_at=now)
        said = Message.objects.bulk_create(
            Message(
                person=person,
                conversation=conversation,
                position=n,
                role=Role.USER if n % 2 == 0 else Role.ASSISTANT,
                said_at=now - timedelta(minutes=first + n),
            )
            for n in range(count * 2)
        )
        texts = [" ".join(_sentence(draw, 25)) for _ in said]
        Passage.objects.bulk_create(
            Passage(
                person=person,
                message=message,
                origin=Origin.TYPED if message.role == Role.USER else Origin.ASSISTANT,
                text=text,
            )
            for message, text in zip(said, texts, strict=True)
        )
        vectors = invented.passages(texts[::2])
        ExchangeSearch.objects.bulk_create(
            ExchangeSearch(
                **index.row(
                    person.pk,
                    index.exchange_weights(index.Exchange(texts[n * 2], texts[n * 2 + 1], message.said_at.date())),
                    texts[n * 2],
                )
                | {"vector": HalfVector(vectors[n]), "embedder": EMBEDDER},
                conversation=conversation,
                message=message,
                position=message.position,
            )
            for n, message in enumerate(said[::2])
        )
    passage_ids = list(Passage.objects.of(person).typed().values_list("pk", flat=True)[:memories])
    for first in range(0, memories, _BATCH):
        statements = [" ".join(_sentence(draw, 12)) for _ in range(min(_BATCH, memories - first))]
        kept = Memory.objects.bulk_create(
            Memory(
                person=person,
                number=first + n + 1,
                statement=statement,
                kind=Kind.SEMANTIC,
                status=Status.ACTIVE,
                trusted=True,
                said_at=now - timedelta(minutes=first + n),
                created_at=now,
            )
            for n, statement in enumerate(statements)
        )
        Evidence.objects.bulk_create(
            Evidence(
                memory=memory,
                passage_id=passage_ids[(first + n) % len(passage_ids)] if passage_ids else None,
                start=0,
                end=5,
                said_at=memory.said_at,
            )
            for n, memory in enumerate(kept)
        )
        vectors = invented.passages(statements)
        MemorySearch.objects.bulk_create(
            MemorySearch(
                memory=memory,
                **index.row(person.pk, index.memory_weights(memory), memory.statement)
                | {"vector": HalfVector(vectors[n]), "embedder": EMBEDDER},
            )
            for n, memory in enumerate(kept)
        )
    Person.objects.filter(pk=person.pk).update(last_memory_number=memories)


def questions(count: int) -> list[str]:
    draw = random.Random(3)  # noqa: S311
    return [" ".join(_sentence(draw, 8)) for _ in range(count)]


@dataclass(frozen=True)
class Asked:
    """Milliseconds of many questions: on the clock, and of the processor, here and in PostgreSQL."""

    median: float
    late: float
    here: float
    in_database: float | None

    def __str__(self) -> str:
        there = "" if self.in_database is None else f", {self.in_database:.1f} in PostgreSQL"
        clock = f"{self.median:6.1f} ms p50 {self.late:6.1f} ms p95"
        return f"{clock}; of the processor on average {self.here:.1f} ms here{there}"


def ask_all(ask: Callable[[str], object], asked: list[str]) -> Asked:
    spent: list[float] = []
    here, there = time.process_time(), _database_time()
    for question in asked:
        begun = time.perf_counter()
        ask(question)
        spent.append((time.perf_counter() - begun) * 1_000)
    here, after = time.process_time() - here, _database_time()
    spent.sort()
    each = 1_000 / len(asked)
    in_database = None if there is None or after is None else (after - there) * each
    return Asked(spent[len(spent) // 2], spent[int(len(spent) * 0.95)], here * each, in_database)


def _database_time() -> float | None:
    """Seconds of the processor that our connection's server process has taken, where it runs on this machine."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        (process,) = cursor.fetchone() or (0,)
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return None
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def write_all(person: Person, count: int, *, now: datetime) -> Asked:
    """Memories through the write door, each with the words that it comes from; their vectors come later."""
    draw = random.Random(4)  # noqa: S311
    conversation = Conversation.objects.create(person=person, started_at=now, last_said_at=now)
    passages: dict[str, Passage] = {}
    for _ in range(count):
        statement = " ".join(_sentence(draw, 12))
        passages[statement] = say(conversation, Role.USER, [Part(Origin.TYPED, statement)], now=now).passages.get()

    def write(statement: str) -> None:
        proposal = Proposal(
            statement=statement,
            quote=statement,
            passage_id=passages[statement].pk,
            kind=Kind.SEMANTIC,
            category=Category.OTHER,
            confidence=Confidence.HIGH,
        )
        remember(person, proposal, now=now, asked_by=AskedBy.NIGHT)

    return ask_all(write, list(passages))


def embedded_a_second(count: int = 64) -> tuple[str, float] | None:
    """The embedder of the settings, and how many sentences of twenty words it makes vectors of in a second of the
    processor."""
    if (model := embedder()) is None:
        return None
    draw = random.Random(5)  # noqa: S311
    texts = [" ".join(draw.choice(_PLAIN) for _ in range(20)) for _ in range(count)]
    model.passages(texts[:2])
    begun = time.process_time()
    model.passages(texts)
    return model.name, count / (time.process_time() - begun)


def _sentence(draw: random.Random, length: int) -> Iterator[str]:
    """Words that are as common as words are, the n-th about 1/n as often as the first, without the first thirty: those
    are the stop words."""
    for _ in range(length):
        yield f"w{int(30 * (_VOCABULARY / 30) ** draw.random())}x"
