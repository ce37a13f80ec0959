from __future__ import annotations

import resource
import sys
import time
from argparse import ArgumentParser
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from evals import recall_bench as bench
from evals.recall_files import Life, UnknownForm, read
from evals.table import lines


@dataclass
class Timed:
    """What an arm cost, in milliseconds."""

    index: float = 0.0
    queries: list[float] = field(default_factory=list)

    def at(self, share: float) -> float:
        ordered = sorted(self.queries)
        return ordered[min(len(ordered) - 1, int(len(ordered) * share))] if ordered else 0.0


class Command(BaseCommand):
    help = "Measure recall on a file of LoCoMo's form, or of exchanges with questions, beside bm25s."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)

    def handle(self, *args: Any, file: Path, **options: Any) -> None:
        try:
            lives = read(file)
        except (OSError, ValueError, UnknownForm) as error:
            raise CommandError(f"{file} cannot be read as either form.") from error
        self.total: dict[str, bench.Measured] = {}
        self.times: dict[str, Timed] = {}
        for life in lives:
            self._measure(life)
            self.stdout.write(f"{life.name}: {len(life.units)} units, {len(life.questions)} questions")
        self._tell()

    def _measure(self, life: Life) -> None:
        begun = time.perf_counter()
        with bench.played(life) as (person, names):
            index = (time.perf_counter() - begun) * 1_000
            self._ask(life, "bm25s", lambda: bench.bm25s(life))
            self._ask(life, "ours, words alone", lambda: bench.ours(person, names, life, with_vectors=False), index)
            self._ask(life, "ours", lambda: bench.ours(person, names, life), index)

    def _ask(self, life: Life, name: str, make: Callable[[], bench.Search], index: float = 0.0) -> None:
        timed, measured = self.times.setdefault(name, Timed()), self.total.setdefault(name, bench.Measured())
        begun = time.perf_counter()
        search = make()
        # Ours is indexed as it is said, in one go with saying it and with its vectors.
        timed.index += index or (time.perf_counter() - begun) * 1_000
        for question in life.questions:
            begun = time.perf_counter()
            found = search(question.text)
            timed.queries.append((time.perf_counter() - begun) * 1_000)
            measured.add(found, question.evidence, question.category)

    def _tell(self) -> None:
        categories = sorted({category for one in self.total.values() for category in one.categories})
        heading = ["", *(f"R@{depth}" for depth in bench.DEPTHS), "all@10", "MRR"]
        rows = [[name, *(f"{value:.1f}" for value in one.line())] for name, one in self.total.items()]
        told = [*lines(heading, rows), ""]
        if any(categories):
            rows = [
                [name, *(f"{one.mrr(category):.1f}" for category in categories)] for name, one in self.total.items()
            ]
            told += [*lines(["MRR by category", *(category or "none" for category in categories)], rows), ""]
        rows = [
            [name, f"{one.index / 1_000:.1f} s", f"{one.at(0.5):.1f} ms", f"{one.at(0.95):.1f} ms"]
            for name, one in self.times.items()
        ]
        told += lines(["time", "index", "query p50", "query p95"], rows)
        told.append(f"memory of this process at most {_most_memory_mb():.0f} MB")
        self.stdout.write("\n".join(told))


def _most_memory_mb() -> float:
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most / 1024 / (1024 if sys.platform == "darwin" else 1)
