from __future__ import annotations

import time
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from evals import recall_bench as bench
from evals.recall_files import UnknownForm, read


class Command(BaseCommand):
    help = "Measure recall on a file of LoCoMo's form, or of exchanges with questions, beside bm25s."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)

    def handle(self, *args: Any, file: Path, **options: Any) -> None:
        try:
            lives = read(file)
        except (OSError, ValueError, UnknownForm) as error:
            raise CommandError(f"{file} cannot be read as either form.") from error
        total: dict[str, bench.Measured] = {}
        spent: list[float] = []
        for life in lives:
            with bench.played(life) as (person, names):
                arms = {
                    "bm25s": bench.bm25s(life),
                    "ours, words alone": bench.ours(person, names, life, with_vectors=False),
                    "ours": _timed(bench.ours(person, names, life), spent),
                }
                for name, search in arms.items():
                    measured = total.setdefault(name, bench.Measured())
                    for question in life.questions:
                        measured.add(search(question.text), question.evidence)
            self.stdout.write(f"{life.name}: {len(life.units)} units, {len(life.questions)} questions")
        self.stdout.write(f"{'':18} {'R@5':>6} {'R@10':>6} {'R@20':>6} {'all@10':>6} {'MRR':>6}")
        for name, measured in total.items():
            self.stdout.write(f"{name:18} " + " ".join(f"{value:6.1f}" for value in measured.line()))
        spent.sort()
        if spent:
            median, late = spent[len(spent) // 2], spent[int(len(spent) * 0.95)]
            self.stdout.write(f"ours, with the question's vector: {median:.1f} ms p50, {late:.1f} ms p95")


def _timed(search: bench.Search, spent: list[float]) -> bench.Search:
    def timed(question: str) -> Any:
        begun = time.perf_counter()
        found = search(question)
        spent.append((time.perf_counter() - begun) * 1_000)
        return found

    return timed
