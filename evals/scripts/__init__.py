"""Files of dated conversations with questions about them, whichever form they come in, as scripts to play."""

from __future__ import annotations

import json
from pathlib import Path

from evals.scripts import locomo, longmemeval, scenario
from evals.scripts.script import Question, Script, Session, Turn, UnknownForm

__all__ = ["Question", "Script", "Session", "Turn", "UnknownForm", "read_script", "read_scripts"]


def read_scripts(file: Path, *, person: str = "") -> list[Script]:
    """Every life in the file: a scenario has one, LoCoMo's and LongMemEval's files have many."""
    data = json.loads(file.read_text(encoding="utf-8"))
    rows = data if isinstance(data, list) else [data]
    if rows and all(isinstance(row, dict) for row in rows):
        for form in (scenario, longmemeval, locomo):
            if all(form.fits(row) for row in rows):
                return [form.read(row, f"{file.stem} {n}", person) for n, row in enumerate(rows, start=1)]
    raise UnknownForm(file.name)


def read_script(file: Path, *, conversation: int = 0, person: str = "") -> Script:
    """One life of the file, with one of its speakers as the person where there are two."""
    return read_scripts(file, person=person)[conversation]
