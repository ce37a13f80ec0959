"""Marks of what was deleted, so that anything older that says the same stays blocked after the words are gone.

A mark is a short keyed hash of one telling word, made with the installation's secret key and the person's number. The
words cannot be read from it; whoever holds the key and the database could test a guess. Marks go with the account.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterable, Sequence

from django.conf import settings

from memories.forgetting.likeness import NAME_WEIGHT, SAME_SHARE, Saying, saying
from memories.models import Memory, Person

BYTES = 4


def marks_of(person: Person, memories: Sequence[Memory]) -> list[dict[str, list[int]]]:
    """One set of marks for each statement: the names apart, because they weigh more."""
    marked = (_marked(person.pk, saying(memory.statement)) for memory in memories)
    return [marks for marks in marked if marks["terms"] or marks["names"]]


def covers(marks: Iterable[dict[str, list[int]]], person_id: int, statement: str) -> bool:
    """Whether `statement` says what one of the marked statements said."""
    there = _marked(person_id, saying(statement))
    names, terms = set(there["names"]), set(there["terms"]) | set(there["names"])
    return any(_share(marked, names | terms) >= SAME_SHARE for marked in marks)


def _share(marked: dict[str, list[int]], there: set[int]) -> float:
    weight = len(marked["terms"]) + NAME_WEIGHT * len(marked["names"])
    shared = len(there & set(marked["terms"])) + NAME_WEIGHT * len(there & set(marked["names"]))
    return shared / weight if weight else 0.0


def _marked(person_id: int, said: Saying) -> dict[str, list[int]]:
    return {
        "names": sorted(_mark(person_id, word) for word in said.names),
        "terms": sorted(_mark(person_id, word) for word in said.terms - said.names),
    }


def _mark(person_id: int, word: str) -> int:
    key = f"memories.forget.marks:{person_id}:{settings.SECRET_KEY}".encode()
    return int.from_bytes(hmac.digest(key, word.encode(), hashlib.sha256)[:BYTES])
