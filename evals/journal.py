"""What an evaluation has done so far, in its folder, line by line: a run that was broken off goes on from there."""

from __future__ import annotations

import json
import secrets
from pathlib import Path
from typing import Any

from django.db.models import Sum

from claude.models import Call
from memories.forget import delete_account
from memories.models import Person

Row = dict[str, Any]


class BudgetSpent(Exception):
    """So many dollars were allowed, and they are spent."""


class Journal:
    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.folder = folder
        self._lines = folder / "journal.jsonl"
        self._rows: dict[str, dict[str, Row]] = {}
        if self._lines.exists():
            self._read()
        if "run" not in self._rows:
            self.add("run", "id", {"id": secrets.token_hex(4)})
        self.id = str(self._rows["run"]["id"]["id"])

    def add(self, kind: str, key: str, row: Row) -> None:
        line = {"kind": kind, "key": key, "row": row}
        with self._lines.open("a", encoding="utf-8") as file:
            file.write(json.dumps(line, ensure_ascii=False) + "\n")
        self._take(line)

    def has(self, kind: str, key: str) -> bool:
        return key in self._rows.get(kind, {})

    def get(self, kind: str, key: str) -> Row:
        return self._rows[kind][key]

    def rows(self, kind: str) -> list[Row]:
        return list(self._rows.get(kind, {}).values())

    def _read(self) -> None:
        whole, _, cut_off = self._lines.read_text(encoding="utf-8").rpartition("\n")
        if cut_off:
            # Killed in the middle of a line: what it says is done again.
            self._lines.write_text(whole + "\n" * bool(whole), encoding="utf-8")
        for line in whole.splitlines():
            self._take(json.loads(line))

    def _take(self, line: Row) -> None:
        self._rows.setdefault(line["kind"], {})[line["key"]] = line["row"]


class People:
    """Those an evaluation plays: found again by name when it goes on, and removed when they are done with."""

    def __init__(self, journal: Journal, *, budget: float | None, keep: bool = False) -> None:
        self._journal, self._budget, self._keep = journal, budget, keep
        self._prefix = f"evaluation {journal.id} "

    def get(self, name: str) -> Person:
        person, _ = Person.objects.get_or_create(username=(self._prefix + name)[:150], defaults={"is_active": False})
        return person

    def fresh(self, name: str) -> Person:
        """One with no past, also when an earlier run left one behind."""
        self.remove(self.get(name))
        return self.get(name)

    def remove(self, person: Person) -> None:
        if self._keep:
            # Out of the way of the next of that name.
            Person.objects.filter(pk=person.pk).update(username=f"{self._prefix}kept {person.pk}")
            return
        if spent := self._spent_by(person):
            self._journal.add("spent", person.username + secrets.token_hex(2), {"dollars": spent})
        delete_account(person)

    @property
    def spent(self) -> float:
        standing = Call.objects.filter(person__username__startswith=self._prefix).aggregate(sum=Sum("cost"))["sum"]
        return float(standing or 0) + sum(float(row["dollars"]) for row in self._journal.rows("spent"))

    def check_budget(self) -> None:
        if self._budget is not None and self.spent >= self._budget:
            raise BudgetSpent

    def _spent_by(self, person: Person) -> float:
        return float(Call.objects.filter(person_id=person.pk).aggregate(sum=Sum("cost"))["sum"] or 0)
