from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Callable
from typing import Any
from unittest import mock

from django.core.management.base import BaseCommand
from django.db import connection
from django.utils import timezone

from evals import recall_crowd as crowd
from evals import recall_speed as speed
from memories import question
from memories.models import Person
from memories.passages import search_passages
from memories.recall import recall


class Command(BaseCommand):
    help = (
        "Time recall and writing for one person with much in store, alone and among others. In a database of its own."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--memories", type=int, default=10_000)
        parser.add_argument("--passages", type=int, default=50_000)
        parser.add_argument("--others", type=int, default=499)
        parser.add_argument(
            "--rows", type=int, default=1_000_000, help="Memories, and passages, of all people together."
        )
        parser.add_argument("--questions", type=int, default=100)

    def handle(self, *args: Any, **options: Any) -> None:
        with crowd.own_database():
            self._measure(**options)
        if throughput := speed.embedded_a_second():
            name, count = throughput
            self.stdout.write(f"{name}: {count:.0f} sentences of twenty words in a second of the processor")

    def _measure(self, *, memories: int, passages: int, others: int, rows: int, questions: int, **options: Any) -> None:
        now = timezone.now()
        person = Person.objects.create(username="much in store", is_active=False)
        speed.fill_person(person, memories=memories, passages=passages, now=now)
        asked = speed.questions(questions)
        asking: dict[str, Callable[[str], object]] = {
            "recall": lambda text: recall(person, text, now=now, budget=800),
            "search_passages": lambda text: search_passages(person, text, now=now),
        }
        with mock.patch.object(question, "embedder", return_value=speed.RandomEmbedder()):
            alone = self._ask(asking, asked, "alone")
            crowd.fill(others, memories=rows - memories, passages=rows - passages, tell=self._tell)
            among = self._ask(asking, asked, f"among {others} others")
        for name, before in alone.items():
            clock = among[name].median / before.median
            self._tell(f"{name}: {clock:.2f} times as long among others at p50")
        with mock.patch("memories.index.embed_soon"):
            self._tell(f"writing a memory: {speed.write_all(person, min(questions, 100), now=now)}")
        for table, (count, bytes_of_rows, bytes_of_indexes) in crowd.sizes().items():
            self._tell(
                f"{table}: {count:,} rows, each {bytes_of_rows / count:,.0f} bytes and {bytes_of_indexes / count:,.0f}"
                " in the indexes"
            )

    def _ask(self, asking: dict[str, Callable[[str], object]], asked: list[str], where: str) -> dict[str, speed.Asked]:
        with connection.cursor() as cursor:
            cursor.execute("VACUUM ANALYZE")
        told: dict[str, speed.Asked] = {}
        for name, ask in asking.items():
            speed.ask_all(ask, asked[:10])
            told[name] = speed.ask_all(ask, asked)
            self._tell(f"{name:16} {where:18} {told[name]}")
        return told

    def _tell(self, line: str) -> None:
        self.stdout.write(line)
        self.stdout.flush()
