from __future__ import annotations

from argparse import ArgumentParser
from itertools import chain
from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand
from django.utils import timezone

from config.services import running
from evals import forgetting_speed as speed


class Command(BaseCommand):
    help = "Time a deletion, one among many and all at once. Rows of its own, removed at the end."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--memories", type=int, default=10_000)
        parser.add_argument("--passages", type=int, default=100_000)
        parser.add_argument("--runs", type=int, default=30)

    def handle(self, *args: Any, **options: Any) -> None:
        with running():
            call_command("migrate", verbosity=0, interactive=False)
            self._bench(**{name: options[name] for name in ("memories", "passages", "runs")})

    def _bench(self, *, memories: int, passages: int, runs: int) -> None:
        now = timezone.now()
        with speed.person_with(memories=memories, passages=passages, now=now) as person:
            self.stdout.write(f"forgetting, among {memories:,} memories and {passages:,} passages")
            for times in chain(speed.one_at_a_time(person, runs=runs, now=now), speed.everything(person, now=now)):
                line = f"  {times.name:24} {times.median * 1000:8.0f} ms p50 {times.late * 1000:8.0f} ms p95"
                self.stdout.write(line)
                self.stdout.flush()
