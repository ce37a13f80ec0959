"""What must hold whatever the model does: suites of conduct, each a row of the report."""

from __future__ import annotations

from collections.abc import Callable

from evals.conduct import drift, forgetting, isolation, personalisation, poisoning
from evals.conduct.outcome import Outcome
from evals.journal import People

SUITES: dict[str, Callable[[People], Outcome]] = {
    "personalisation": personalisation.run,
    "isolation": isolation.run,
    "forgetting": forgetting.run,
    "poisoning": poisoning.run,
    "drift": drift.run,
}


def run(name: str, people: People) -> Outcome:
    return SUITES[name](people)
