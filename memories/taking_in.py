"""Statements from a file that the person brings along. Each goes through the write door, and waits for them."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from itertools import batched
from typing import Any

from django.db import transaction

from memories.models import AskedBy, Category, Kind, Person, Status, WriteOutcome
from memories.remember import Proposal, remember

MOST = 1_000
MOST_BYTES = 5_000_000
# As many are written under one hold of the person's lock: their replies and deletions wait for no more than these.
SLICE = 50


class NothingToTakeIn(Exception):
    """The file holds no statement that could be read."""


class TooMuchToTakeIn(Exception):
    """More statements, or a larger file, than are taken in at once."""


@dataclass(frozen=True)
class TakenIn:
    waiting: int
    known: int
    refused: int


def take_in(person: Person, content: bytes, *, now: datetime) -> TakenIn:
    """Slice by slice. A file that broke off half-way can be brought again: what waits from it is known by then."""
    if len(content) > MOST_BYTES:
        raise TooMuchToTakeIn
    proposals = list(_proposals(content.decode("utf-8-sig", errors="replace")))
    if not proposals:
        raise NothingToTakeIn
    if len(proposals) > MOST:
        raise TooMuchToTakeIn
    outcomes: Counter[WriteOutcome] = Counter()
    for some in batched(proposals, SLICE):
        with transaction.atomic():
            writes = [remember(person, proposal, now=now, asked_by=AskedBy.IMPORT) for proposal in some]
        outcomes.update(WriteOutcome(write.outcome) for write in writes)
    refused = outcomes[WriteOutcome.REFUSED]
    waiting = outcomes[WriteOutcome.WAITING]
    return TakenIn(waiting=waiting, known=len(proposals) - waiting - refused, refused=refused)


def _proposals(text: str) -> Iterator[Proposal]:
    """From an export of ours, from a list in JSON, or from one statement a line."""
    try:
        told = json.loads(text)
    except (ValueError, RecursionError):
        told = [line.strip().removeprefix("- ") for line in text.splitlines()]
    if isinstance(told, dict):
        told = told.get("memories")
    for one in told if isinstance(told, list) else []:
        proposal = _proposal({"statement": one} if isinstance(one, str) else one)
        if proposal is not None:
            yield proposal


def _proposal(told: Any) -> Proposal | None:
    """What the file says of itself beyond the statement is believed only where it is one of our words."""
    if not isinstance(told, dict) or not isinstance(told.get("statement"), str) or not told["statement"].strip():
        return None
    if told.get("status") in [Status.SUPERSEDED, Status.DELETED]:
        return None  # past already where it comes from
    return Proposal(
        statement=told["statement"],
        quote="",
        passage_id=None,
        kind=Kind(told["kind"]) if told.get("kind") in Kind.values else Kind.SEMANTIC,
        category=Category(told["category"]) if told.get("category") in Category.values else Category.OTHER,
        plan=told.get("plan") is True,
    )
