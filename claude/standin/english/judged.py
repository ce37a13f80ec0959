"""What a clause turns out to tell."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Judged:
    told: str
    past: bool = False
    plan: bool = False
    unsure: bool = False
    lasting: bool = True
    key: bool = False
    together: bool = False
