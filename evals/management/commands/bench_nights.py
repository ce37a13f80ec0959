from __future__ import annotations

import multiprocessing
import time
from argparse import ArgumentParser
from concurrent.futures import ProcessPoolExecutor
from datetime import timedelta
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from evals import night_speed as speed
from evals.night_process import dream
from memories.models import Person

PROCESSES = 2
GROWN = 10
NIGHTS = 3


class Command(BaseCommand):
    help = "Nights per minute with a model that answers at once, and what they grow with. People of its own; removed."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--people", type=int, default=1_000)
        parser.add_argument("--growth-people", type=int, default=8, help="With the usual, and with ten times the past.")

    def handle(self, *args: Any, **options: Any) -> None:
        now = timezone.now()
        made: list[int] = []
        try:
            self._rate(options["people"], made)
            self._growth(options["growth_people"], made)
        finally:
            Person.objects.filter(pk__in=made).delete()
        self.stdout.write(f"measured in {(timezone.now() - now).total_seconds():.0f} s")

    def _rate(self, count: int, made: list[int]) -> None:
        now = timezone.now()
        made += (keys := speed.people(count, times=1, now=now))
        words = speed.speak(keys, now=now - timedelta(hours=1))
        parts = [keys[n::PROCESSES] for n in range(PROCESSES)]
        spawn = multiprocessing.get_context("spawn")
        with ProcessPoolExecutor(PROCESSES, mp_context=spawn) as pool:
            list(pool.map(dream, [[]] * PROCESSES, [now] * PROCESSES))
            began = time.perf_counter()
            measured = list(pool.map(dream, parts, [now] * PROCESSES))
            took = time.perf_counter() - began
        if not speed.is_done(measured):
            raise CommandError(f"Not every night was done: {[each.states for each in measured]}")
        memory = max(each.memory_mb for each in measured)
        self.stdout.write(f"nights a minute        {count / took * 60:7.0f}  ({count} people, {PROCESSES} processes)")
        self.stdout.write(f"memory of a worker     {memory:7.0f} MB")
        self.stdout.write(f"tokens per 1,000 words {speed.tokens(keys) / words * 1_000:7.0f}  (first night of each)")

    def _growth(self, count: int, made: list[int]) -> None:
        took: dict[int, list[float]] = {}
        for times in (1, GROWN):
            now = timezone.now()
            made += (keys := speed.people(count, times=times, now=now))
            # The first night writes the pages of all that is there; what a usual night costs comes after.
            speed.speak(keys, now=now - timedelta(hours=1))
            speed.dream(keys, now)
            for day in range(1, NIGHTS + 1):
                at = now + timedelta(days=day)
                speed.speak(keys, now=at - timedelta(hours=1))
                took.setdefault(times, []).append(speed.dream(keys, at).seconds / count)
        usual, grown = (sorted(took[times])[NIGHTS // 2] for times in (1, GROWN))
        self.stdout.write(
            f"one night              {usual * 1_000:7.0f} ms, {grown * 1_000:.0f} ms with {GROWN} times the past"
        )
        self.stdout.write(f"growth                 {grown / usual:7.2f}")
