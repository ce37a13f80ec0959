from __future__ import annotations

import os
import platform
from argparse import ArgumentParser
from dataclasses import dataclass, field
from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand
from django.db import connection

from config.services import running


@dataclass(frozen=True)
class Bench:
    command: str
    against: str
    # Of all its sizes the small ones, which show an order of magnitude in half a minute.
    quick: dict[str, int] = field(default_factory=dict)


BENCHES = {
    "replies": Bench(
        "bench_replies",
        "first part within 60 ms p50 and 150 ms p95 one by one, 500 ms p95 with fifty at once (two idle cores)",
        {"replies": 15, "streams": 20, "total": 20},
    ),
    "recall": Bench(
        "recall_speed",
        "30 ms p95 without the embedding, among others at most 1.2 times what it takes alone; 5 ms to write a memory",
        {"memories": 2_000, "passages": 6_000, "others": 50, "rows": 50_000, "questions": 40},
    ),
    "forgetting": Bench(
        "bench_forgetting",
        "1 s p95 to plan and 1 s p95 to carry out, without calls of the model",
        {"memories": 1_000, "passages": 5_000, "runs": 10},
    ),
    "nights": Bench(
        "bench_nights",
        "with ten times the past a night takes at most 1.3 times as long",
        {"people": 16, "growth_people": 2},
    ),
}


class Command(BaseCommand):
    help = "How fast it is, on this machine: all of it, or what is named."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("what", nargs="*", choices=[*BENCHES, []], default=[])
        parser.add_argument("--quick", action="store_true", help="Smaller, in about two minutes on an idle machine.")

    def handle(self, *args: Any, what: list[str], quick: bool, **options: Any) -> None:
        with running():
            call_command("migrate", verbosity=0, interactive=False)
            self.stdout.write(f"on {_machine()}")
            for name in what or BENCHES:
                bench = BENCHES[name]
                self.stdout.write(f"\n{name}{', small' if quick else ''}; wanted: {bench.against}")
                call_command(bench.command, stdout=self.stdout, **(bench.quick if quick else {}))


def _machine() -> str:
    with connection.cursor() as cursor:
        cursor.execute("SHOW server_version")
        (version,) = cursor.fetchone() or ("?",)
    busy = os.getloadavg()[0]
    python = platform.python_version()
    return f"{os.cpu_count()} cores (load {busy:.1f} at the start), Python {python}, PostgreSQL {version.split()[0]}"
