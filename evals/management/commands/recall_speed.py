from __future__ import annotations

from argparse import ArgumentParser
from typing import Any
from unittest import mock

from django.core.management.base import BaseCommand
from django.db import connection
from django.utils import timezone

from evals import recall_speed as speed
from memories import recall
from memories.models import Person


class Command(BaseCommand):
    help = "Time recall for one person with much in store, alone and among others. Rows of its own; removed at the end."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--memories", type=int, default=10_000)
        parser.add_argument("--passages", type=int, default=50_000)
        parser.add_argument("--others", type=int, default=500)
        parser.add_argument("--rows", type=int, default=1_000_000, help="Of each kind, over the others.")
        parser.add_argument("--questions", type=int, default=100)

    def handle(self, *args: Any, **options: Any) -> None:
        now = timezone.now()
        person = Person.objects.create(username=f"recall speed {now.timestamp()}", is_active=False)
        try:
            speed.fill_person(person, memories=options["memories"], passages=options["passages"], now=now)
            asked = speed.questions(options["questions"])
            with mock.patch.object(recall, "embedder", return_value=speed.RandomEmbedder()):
                self._measure(person, asked, "alone")
                speed.fill_others(options["others"], memories=options["rows"], exchanges=options["rows"])
                self._measure(person, asked, f"among {options['others']} others")
            self._sizes()
        finally:
            speed.clear()
            person.delete()

    def _measure(self, person: Person, asked: list[str], where: str) -> None:
        now = timezone.now()
        with connection.cursor() as cursor:
            cursor.execute("VACUUM ANALYZE memories_memorysearch, memories_exchangesearch")
        for name, ask in (
            ("recall", lambda text: recall.recall(person, text, now=now, budget=800)),
            ("search_passages", lambda text: recall.search_passages(person, text, now=now)),
        ):
            speed.percentiles(ask, asked[:10])
            median, late = speed.percentiles(ask, asked)
            self.stdout.write(f"{name:16} {where:20} {median:6.1f} ms p50 {late:6.1f} ms p95")
            self.stdout.flush()

    def _sizes(self) -> None:
        with connection.cursor() as cursor:
            for table in ("memories_memorysearch", "memories_exchangesearch"):
                cursor.execute(
                    "SELECT pg_total_relation_size(%s), (SELECT reltuples FROM pg_class WHERE relname = %s)",
                    [table, table],
                )
                size, rows = cursor.fetchone() or (0, 1)
                self.stdout.write(f"{table}: {size / max(rows, 1):.0f} bytes a row with its indexes")
