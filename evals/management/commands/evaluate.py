"""Measure what is remembered, by kind of question and against other ways to answer; and what must never happen."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from claude import prices
from claude.client import Usage, is_standin
from claude.errors import ClaudeError
from claude.purposes import Purpose, model_for
from evals import conduct, results, suites
from evals.arms import Arm, NoAnswer
from evals.embedding import each_text_once
from evals.evaluation import Plan, run
from evals.journal import BudgetSpent, Journal, People
from evals.progress import Progress
from evals.replay import without_worker
from evals.report import render


class Command(BaseCommand):
    help = "Play conversations, ask, judge and report. Broken off, it goes on from the same --out."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--suite",
            action="append",
            default=[],
            help=f"Of {', '.join([*suites.built_in(), *conduct.SUITES])}, or a file's path; many times for many."
            " All of these, if none is given.",
        )
        parser.add_argument("--arms", default="none,full,memory", help="Of none, full and memory, with commas.")
        parser.add_argument("--out", type=Path, help="The folder of the report.")
        parser.add_argument("--budget", type=float, help="US dollars; it stops before the step that follows.")
        parser.add_argument("--lives", type=int, help="Only so many of a file that holds many.")
        parser.add_argument("--speaker", default="", help="Which of a LoCoMo file's speakers is the person.")
        parser.add_argument("--keep", action="store_true", help="Leave the played people in the database.")

    @without_worker()
    def handle(self, *args: Any, **options: Any) -> None:
        begun = timezone.now()
        plan = self._plan(options)
        if options["budget"] is not None and not is_standin():
            _check_prices()
        journal = Journal(options["out"] or _new_folder())
        people = People(journal, budget=options["budget"], keep=options["keep"])
        progress = Progress(self.steps, stream=sys.stderr)
        stopped = ""
        try:
            with each_text_once():
                run(plan, journal, people, progress)
        except BudgetSpent:
            stopped = f"Stopped at ${people.spent:.2f} of ${options['budget']:.2f}; a higher --budget goes on."
        except (NoAnswer, ClaudeError) as problem:
            stopped = f"Stopped: no answer ({getattr(problem, 'code', problem)}). The same --out goes on."
        except KeyboardInterrupt:
            stopped = "Broken off. The same --out goes on."
        progress.close()
        found = self._report(journal, {"begun": f"{begun:%Y-%m-%d %H:%M} UTC", "stopped": stopped})
        if stopped:
            self.stdout.write(stopped)
        if names := results.broken(found):
            raise CommandError(f"Broken: {', '.join(names)}.")

    def _plan(self, options: dict[str, Any]) -> Plan:
        names = options["suite"] or [*suites.built_in(), *conduct.SUITES]
        try:
            arms = [Arm(name.strip()) for name in options["arms"].split(",")]
            loaded = [
                suites.load(name, person=options["speaker"], lives=options["lives"])
                for name in names
                if name not in conduct.SUITES
            ]
            plan = Plan(loaded, arms, [name for name in names if name in conduct.SUITES])
            self.steps = plan.steps
        except (OSError, ValueError, LookupError) as problem:
            raise CommandError(f"There is no such suite or arm: {problem!r}") from problem
        return plan

    def _report(self, journal: Journal, times: dict[str, Any]) -> dict[str, Any]:
        found = results.gather(journal, offline=is_standin(), model=model_for(Purpose.CHAT))
        timed = results.latencies(journal)
        times |= {"ended": f"{timezone.now():%Y-%m-%d %H:%M} UTC", "latencies": timed}
        told = results.table(found, timed)
        self.stdout.write("\n".join(told))
        for name, data in (("results", found), ("times", times)):
            (journal.folder / f"{name}.json").write_text(
                json.dumps(data, ensure_ascii=False, indent=1) + "\n", encoding="utf-8"
            )
        page = journal.folder / "report.html"
        page.write_text(render(found, table=told, times=times), encoding="utf-8")
        self.stderr.write(f"Report: {page}")
        return found


def _new_folder() -> Path:
    return Path(settings.ROOT) / "var" / "evaluations" / f"{timezone.now():%Y-%m-%d-%H%M%S}"


def _check_prices() -> None:
    """A budget can only be held where every model's price is known."""
    unknown = {model_for(purpose) for purpose in Purpose if prices.cost(model_for(purpose), Usage()) is None}
    if unknown:
        raise CommandError(f"No price is known for {', '.join(sorted(unknown))}, so no budget can be held.")
