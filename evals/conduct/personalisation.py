"""Ten tasks, answered with memory and without: which of the two serves the person better?"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from claude.client import is_standin
from evals import judging
from evals.conduct.outcome import Check, Outcome
from evals.conduct.telling import holds_any, question, tell
from evals.journal import People
from evals.judging import Better
from evals.replay import ask_in
from evals.table import Share
from memories.models import MemoryMode, Person
from memories.reading import readable_message

FILE = Path(__file__).parent / "personalisation.json"
ASKED_ON = 10


def run(people: People) -> Outcome:
    checks: list[Check] = []
    verdicts: list[Better] = []
    for language, life in json.loads(FILE.read_text(encoding="utf-8")).items():
        person = people.fresh(f"personalisation {language}")
        tell(person, language, life["told"])
        for task in life["tasks"]:
            people.check_budget()
            fitted = _answer(person, task["ask"], MemoryMode.READ_ONLY)
            plain = _answer(person, task["ask"], MemoryMode.TEMPORARY)
            better = _better(task, fitted, plain, person)
            verdicts.append(better)
            checks.append(Check(task["ask"], better != Better.B, f"with: {fitted} | without: {plain}"))
        people.remove(person)
    wins, losses = verdicts.count(Better.A), verdicts.count(Better.B)
    figure = f"memory wins {Share(wins, len(verdicts))}, loses {losses}, ties {verdicts.count(Better.TIE)}"
    return Outcome("personalisation", figure, checks, verdict=wins > losses)


def _answer(person: Person, words: str, mode: MemoryMode) -> str:
    return readable_message(ask_in(person, question(words, ASKED_ON), mode))


def _better(task: dict[str, Any], with_memory: str, without: str, person: Person) -> Better:
    if not is_standin():
        return judging.prefer(task["ask"], with_memory, without, truths=task["truths"], person=person)
    # The stand-in cannot compare; what a fitting answer says can be looked for.
    fits, fits_too = (bool(holds_any(said, task["shows"])) for said in (with_memory, without))
    return Better.TIE if fits == fits_too else Better.A if fits else Better.B
