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
            self._tokens(options["growth_people"], made)
            self._growth(options["growth_people"], made)
        finally:
            Person.objects.filter(pk__in=made).delete()
        self.stdout.write(f"measured in {(timezone.now() - now).total_seconds():.0f} s")

    def _rate(self, count: int, made: list[int]) -> None:
        now = timezone.now()
        made += (keys := speed.people(count, times=1, now=now))
        speed.speak(keys, now=now - timedelta(hours=1))
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
        self.stdout.write(f"CPU of a night         {sum(each.cpu for each in measured) / count * 1_000:7.0f} ms")
        self.stdout.write(f"queries of a night     {sum(each.queries for each in measured) / count:7.0f}")
        self.stdout.write(f"memory of a worker     {memory:7.0f} MB")
        self.stdout.flush()

    def _tokens(self, count: int, made: list[int]) -> None:
        """Of a usual night: the first one writes the pages of all that is there."""
        now = timezone.now()
        made += (keys := speed.people(count, times=1, now=now))
        speed.speak(keys, now=now - timedelta(hours=1))
        speed.dream(keys, now)
        for day, exchanges in enumerate((speed.EXCHANGES, speed.MANY_EXCHANGES), start=1):
            at = now + timedelta(days=day)
            words = speed.speak(keys, now=at - timedelta(hours=1), exchanges=exchanges)
            speed.dream(keys, at)
            spent = speed.tokens(keys)
            told = ", ".join(f"{purpose} {tokens / words * 1_000:.0f}" for purpose, tokens in sorted(spent.items()))
            self.stdout.write(
                f"tokens per 1,000 words {sum(spent.values()) / words * 1_000:7.0f}  "
                f"(an evening of {words // count} words: {told})"
            )

    def _growth(self, count: int, made: list[int]) -> None:
        took: dict[int, list[float]] = {}
        asked: dict[int, list[float]] = {}
        sent: dict[int, float] = {}
        for times in (1, GROWN):
            now = timezone.now()
            made += (keys := speed.people(count, times=times, now=now))
            # The first night writes the pages of all that is there; what a usual night costs comes after.
            speed.speak(keys, now=now - timedelta(hours=1))
            speed.dream(keys, now)
            for day in range(1, NIGHTS + 1):
                at = now + timedelta(days=day)
                speed.speak(keys, now=at - timedelta(hours=1))
                measured = speed.dream(keys, at)
                took.setdefault(times, []).append(measured.seconds / count)
                asked.setdefault(times, []).append(measured.queries / count)
            sent[times] = sum(speed.tokens(keys).values()) / count
        usual, grown = (sorted(took[times])[NIGHTS // 2] for times in (1, GROWN))
        self.stdout.write(f"with {GROWN} times the past: {usual * 1_000:.0f} ms, then {grown * 1_000:.0f} ms")
        queries, more = (sorted(asked[times])[NIGHTS // 2] for times in (1, GROWN))
        self.stdout.write(f"growth                 {grown / usual:7.2f}")
        self.stdout.write(f"growth of queries      {more / queries:7.2f}")
        self.stdout.write(f"growth of tokens       {sent[GROWN] / sent[1]:7.2f}")
