"""Files of dated conversations with questions about them, whichever form they come in, as scripts to play."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from evals.scripts import locomo, longmemeval, scenario
from evals.scripts.rows import rows
from evals.scripts.script import Question, Script, Session, Turn, UnknownForm

__all__ = ["Question", "Script", "Session", "Turn", "UnknownForm", "read_script", "read_scripts"]

_FORMS = (scenario, longmemeval, locomo)


def read_scripts(file: Path, *, person: str = "") -> Iterator[Script]:
    """Every life in the file, one at a time: a scenario has one, LoCoMo's and LongMemEval's files have many."""
    number = 0
    for number, row in enumerate(rows(file), start=1):
        yield _form_of(row, file).read(row, f"{file.stem} {number}", person)
    if not number:
        raise UnknownForm(file.name)


def read_script(file: Path, *, conversation: int = 0, person: str = "") -> Script:
    """One life of the file, with one of its speakers as the person where there are two."""
    for life in islice(read_scripts(file, person=person), conversation, None):
        return life
    raise LookupError(f"{file.name} has no conversation {conversation}.")


def _form_of(row: Any, file: Path) -> Any:
    form = next((form for form in _FORMS if isinstance(row, dict) and form.fits(row)), None)
    if form is None:
        raise UnknownForm(file.name)
    return form
