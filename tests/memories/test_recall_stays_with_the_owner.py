"""No query of recall reads other people's rows, whatever the planner thinks of the tables."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import numpy as np
import pytest
from django.db import connection

from memories import candidates, index
from memories.models import ExchangeSearch, Kind, Memory, MemorySearch, Person, Status
from tests.memories.saying import told

WORDS = ["alto", "choir"]


def plan_of(statement: str, parameters: dict[str, Any]) -> list[dict[str, Any]]:
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_seqscan = off")
        cursor.execute("EXPLAIN (ANALYZE, FORMAT JSON, TIMING OFF) " + statement, parameters)
        (plan,) = cursor.fetchone()
    return list(_nodes(plan[0]["Plan"]))


def _nodes(node: dict[str, Any]) -> list[dict[str, Any]]:
    return [node, *(below for part in node.get("Plans", []) for below in _nodes(part))]


@pytest.fixture
def everyone(alice: Person, bob: Person, charlie: Person, now: datetime) -> Person:
    for person in (bob, charlie, alice):
        for n in range(60):
            told(person, f"I sing alto in choir {n}.", f"The user sings alto in choir number {n}.", now)
    _remember_much(bob, now)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE memories_memorysearch, memories_exchangesearch")
    return alice


def _remember_much(person: Person, now: datetime) -> None:
    """So that a planner that went through everybody's rows would pay for it, as it would in a real installation."""
    row = MemorySearch.objects.filter(person=person).latest("pk")
    memories = Memory.objects.bulk_create(
        Memory(
            person=person,
            number=1_000 + n,
            statement="The user sings alto in a choir.",
            kind=Kind.SEMANTIC,
            status=Status.ACTIVE,
            trusted=True,
            said_at=now,
            created_at=now,
        )
        for n in range(2_000)
    )
    MemorySearch.objects.bulk_create(
        MemorySearch(
            person=person, memory=memory, terms=row.terms, packed=row.packed, length=row.length, script=row.script
        )
        for memory in memories
    )


@pytest.mark.parametrize("names", [candidates.MEMORIES, candidates.EXCHANGES], ids=["memories", "exchanges"])
def test_every_scan_is_bound_to_the_person(everyone: Person, names: dict[str, str]) -> None:
    vector = np.ones(384, dtype=np.float32)
    terms = [index.term_hash(everyone.pk, word) for word in WORDS]
    rows = (
        MemorySearch.objects.filter(person=everyone)
        if names["id"] == "memory_id"
        else ExchangeSearch.objects.filter(person=everyone)
    )
    own = list(rows.values_list(names["id"], flat=True)[:20])
    for statement, parameters in (
        candidates.statement_of_all(names, everyone.pk, vector, "any"),
        candidates.statement_with_words(names, everyone.pk, terms),
        candidates.statement_of_common(names, everyone.pk, ""),
        candidates.statement_of_rows(names, everyone.pk, own),
    ):
        scans = [node for node in plan_of(statement, parameters) if "Scan" in node["Node Type"]]
        assert scans
        for scan in scans:
            assert scan["Node Type"] != "Seq Scan"
            # Nothing was read and thrown away, and no more was read than is alice's.
            assert scan.get("Rows Removed by Filter", 0) == 0
            assert scan.get("Rows Removed by Index Recheck", 0) == 0
            assert scan["Actual Rows"] <= 60


def test_the_same_word_has_another_place_for_each_person(alice: Person, bob: Person, now: datetime) -> None:
    told(alice, "I sing alto.", "The user sings alto.", now)
    told(bob, "I sing alto.", "The user sings alto.", now)
    for rows in (MemorySearch.objects, ExchangeSearch.objects):
        hers, his = (set(rows.get(person=person).terms) for person in (alice, bob))
        assert not hers & his
