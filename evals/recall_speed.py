"""How fast recall is for one person with much in store, alone and among many others."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta

import numpy as np
from django.db import connection, transaction
from pgvector import HalfVector

from memories import index
from memories.models import (
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
    embedder = RandomEmbedder()
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
        vectors = embedder.passages(texts[::2])
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
        vectors = embedder.passages(statements)
        MemorySearch.objects.bulk_create(
            MemorySearch(
                memory=memory,
                **index.row(person.pk, index.memory_weights(memory), memory.statement)
                | {"vector": HalfVector(vectors[n]), "embedder": EMBEDDER},
            )
            for n, memory in enumerate(kept)
        )
    Person.objects.filter(pk=person.pk).update(last_memory_number=memories)


def fill_others(people: int, *, memories: int, exchanges: int) -> None:
    """Search rows of others, interleaved as years would leave them: person after person, row after row. They hang on
    nothing: only a recall that reads others' rows would notice."""
    embedder = RandomEmbedder(2)
    vectors = [HalfVector(vector).to_text() for vector in embedder.passages([""] * 100)]
    first = 1_000_000_000
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")
        cursor.execute(
            "CREATE TEMP TABLE bench_vectors ON COMMIT DROP AS"
            " SELECT row_number() OVER () - 1 AS n, v::halfvec AS v FROM unnest(%s::text[]) v",
            [vectors],
        )
        cursor.execute(
            """INSERT INTO memories_person
                   (id, password, is_superuser, username, first_name, last_name, email, is_staff,
                   is_active, date_joined, language, time_zone, night_hour, use_memories, learn_memories, dream_nightly,
                   ask_before_saving, last_memory_number)
               SELECT %(first)s + n, '', false, 'bench-' || n, '', '', '', false, false, now(), '', '', 3, true, true,
                   true, false, 0 FROM generate_series(1, %(people)s) n""",
            {"first": first, "people": people},
        )
        for table, own, values, rows, terms in (
            ("memories_memorysearch", "memory_id", "%(first)s + g.n", memories, 14),
            (
                "memories_exchangesearch",
                "message_id, conversation_id, position",
                "%(first)s + g.n, %(first)s + g.n / 50, g.n %% 50",
                exchanges,
                40,
            ),
        ):
            cursor.execute(
                f"""INSERT INTO {table} (person_id, terms, packed, length, script, vector, embedder, {own})
                    SELECT %(first)s + g.n %% %(people)s + 1,
                        ARRAY(SELECT g.n %% %(people)s * 1000003 + floor(20000 * power(random(), 3))::bigint
                              FROM generate_series(1, {terms})),
                        decode(repeat('00', 12 * {terms}), 'hex'), {terms}, 0, b.v, %(embedder)s, {values}
                    FROM generate_series(1, %(rows)s) AS g(n) JOIN bench_vectors b ON b.n = g.n %% 100""",  # noqa: S608
                {"first": first, "people": people, "rows": rows, "embedder": EMBEDDER},
            )
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE memories_memorysearch, memories_exchangesearch")


def clear() -> None:
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")
        for table in ("memories_memorysearch", "memories_exchangesearch"):
            cursor.execute(f"DELETE FROM {table} WHERE person_id >= 1000000000")  # noqa: S608
        cursor.execute("DELETE FROM memories_person WHERE id >= 1000000000")


def questions(count: int) -> list[str]:
    draw = random.Random(3)  # noqa: S311
    return [" ".join(_sentence(draw, 8)) for _ in range(count)]


def percentiles(ask: Callable[[str], object], asked: list[str]) -> tuple[float, float]:
    """Milliseconds at p50 and p95."""
    spent = []
    for question in asked:
        begun = time.perf_counter()
        ask(question)
        spent.append((time.perf_counter() - begun) * 1_000)
    spent.sort()
    return spent[len(spent) // 2], spent[int(len(spent) * 0.95)]


def _sentence(draw: random.Random, length: int) -> Iterator[str]:
    """Words that are as common as words are, the n-th about 1/n as often as the first, without the first thirty: those
    are the stop words."""
    for _ in range(length):
        yield f"w{int(30 * (_VOCABULARY / 30) ** draw.random())}x"
