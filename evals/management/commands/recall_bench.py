from __future__ import annotations

import time
from argparse import ArgumentParser
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from evals import recall_bench as bench
from evals.peak_memory import Peak
from evals.recall_files import Life, UnknownForm, read
from evals.table import lines

ALL = "all"


@dataclass
class Engine:
    """What one of them found, by category, and what that cost: in milliseconds, and in megabytes on top of others."""

    found: dict[str, bench.Measured] = field(default_factory=dict)
    index: float = 0.0
    queries: list[float] = field(default_factory=list)
    memory: float | None = None

    def add(self, found: list[str], evidence: frozenset[str], category: str) -> None:
        for name in filter(None, (ALL, category)):
            self.found.setdefault(name, bench.Measured()).add(found, evidence)

    def at(self, share: float) -> float:
        ordered = sorted(self.queries)
        return ordered[min(len(ordered) - 1, int(len(ordered) * share))] if ordered else 0.0

    def saw(self, peak: Peak) -> None:
        if peak.mb is not None:
            self.memory = max(peak.mb, self.memory or 0)


class Command(BaseCommand):
    help = "Measure recall on a file of LoCoMo's form, or of exchanges with questions, beside bm25s."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)

    def handle(self, *args: Any, file: Path, **options: Any) -> None:
        try:
            lives = read(file)
        except (OSError, ValueError, UnknownForm) as error:
            raise CommandError(f"{file} cannot be read as either form.") from error
        self.engines: dict[str, Engine] = {}
        for life in lives:
            self._measure(life)
            self.stdout.write(f"{life.name}: {len(life.units)} units, {len(life.questions)} questions")
        self._tell()

    def _measure(self, life: Life) -> None:
        self._ask(life, "bm25s", lambda: bench.bm25s(life))
        begun = time.perf_counter()
        with ExitStack() as stack:
            with Peak() as indexing:
                person, names = stack.enter_context(bench.played(life))
            index = (time.perf_counter() - begun) * 1_000
            self._ask(life, "ours, words alone", lambda: bench.ours(person, names, life, with_vectors=False), index)
            ours = self._ask(life, "ours", lambda: bench.ours(person, names, life), index)
        ours.saw(indexing)

    def _ask(self, life: Life, name: str, make: Callable[[], bench.Search], index: float = 0.0) -> Engine:
        engine = self.engines.setdefault(name, Engine())
        with Peak() as peak:
            begun = time.perf_counter()
            search = make()
            # Ours is indexed as it is said, in one go with saying it and with its vectors.
            engine.index += index or (time.perf_counter() - begun) * 1_000
            for question in life.questions:
                begun = time.perf_counter()
                found = list(search(question.text))
                engine.queries.append((time.perf_counter() - begun) * 1_000)
                engine.add(found, question.evidence, question.category)
        engine.saw(peak)
        return engine

    def _tell(self) -> None:
        told: list[str] = []
        for category in sorted({name for one in self.engines.values() for name in one.found}):
            some = [(name, one.found[category]) for name, one in self.engines.items()]
            heading = f"{category} ({some[0][1].questions})"
            rows = [[name, *(f"{value:.1f}" for value in one.line())] for name, one in some]
            told += [*lines([heading, *(f"R@{depth}" for depth in bench.DEPTHS), "all@10", "MRR"], rows), ""]
        rows = [
            [
                name,
                f"{one.index / 1_000:.1f} s",
                f"{one.at(0.5):.1f} ms",
                f"{one.at(0.95):.1f} ms",
                "unknown" if one.memory is None else f"{one.memory:.0f} MB",
            ]
            for name, one in self.engines.items()
        ]
        told += lines(["cost", "index", "query p50", "query p95", "peak memory"], rows)
        self.stdout.write("\n".join(told))
