"""What somebody proposes to remember, and that it is refused."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from memories.models import Category, Confidence, Kind, RefusalReason, WaitingReason


@dataclass(frozen=True)
class Proposal:
    statement: str
    quote: str
    passage_id: int | None
    kind: Kind
    category: Category
    confidence: Confidence = Confidence.HIGH
    plan: bool = False
    lasting: bool = True
    event_from: date | None = None
    event_until: date | None = None
    asked_outright: bool = False
    replaces: int | None = None  # a memory's number
    # The caller's own doubt: kept for the person to decide, where nothing else would make it wait.
    doubt: WaitingReason | None = None


class Refused(Exception):
    def __init__(self, reason: RefusalReason) -> None:
        self.reason = reason
