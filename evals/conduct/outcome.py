"""How a suite of conduct ends."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Check:
    what: str
    holds: bool
    seen: str = ""


@dataclass(frozen=True)
class Outcome:
    name: str
    figure: str
    checks: list[Check] = field(default_factory=list)
    # Where not each check must hold for the suite to hold.
    verdict: bool | None = None

    @property
    def holds(self) -> bool:
        return all(check.holds for check in self.checks) if self.verdict is None else self.verdict

    def as_json(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "holds": self.holds,
            "figure": self.figure,
            "details": [{"what": check.what, "holds": check.holds, "seen": check.seen} for check in self.checks],
        }
