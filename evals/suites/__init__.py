"""The suites of questions: our own, which lie here, or any file of a known form."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from evals.scripts import Script, read_scripts

FOLDER = Path(__file__).parent


@dataclass(frozen=True)
class Suite:
    name: str
    file: Path
    person: str = ""
    most: int | None = None

    def lives(self) -> Iterator[Script]:
        """Read anew each time, one by one: a file may be larger than memory."""
        return islice(read_scripts(self.file, person=self.person), self.most)


def built_in() -> list[str]:
    return sorted(file.stem for file in FOLDER.glob("*.json"))


def load(name: str, *, person: str = "", lives: int | None = None) -> Suite:
    """Ours by name, or a file by its path; of a long file the first `lives`."""
    file = FOLDER / f"{name}.json" if name in built_in() else Path(name)
    return Suite(file.stem, file, person, lives)
