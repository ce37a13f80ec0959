"""No query of recall reads other people's rows, whatever the planner thinks of the tables."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import numpy as np
import pytest
from django.db import connection

from memories import candidates, index, pool
from memories.models import (
    Evidence,
    ExchangeSearch,
    Kind,
    Memory,
    MemorySearch,
    Message,
    Origin,
    Passage,
    Person,
    Role,
    Status,
)
from tests.memories.saying import conversation, told

WORDS = ["alto", "choir"]
SAID = 30


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
        for n in range(SAID):
            told(person, f"I sing alto in choir {n}.", f"The user sings alto in choir number {n}.", now)
    _say_and_remember_much(bob, now)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    return alice


def _say_and_remember_much(person: Person, now: datetime) -> None:
    """So that a planner that went through everybody's rows would pay for it, as it would in a real installation."""
    spoken = conversation(person, now)
    messages = Message.objects.bulk_create(
        Message(person=person, conversation=spoken, position=n, role=Role.USER, said_at=now) for n in range(2_000)
    )
    passages = Passage.objects.bulk_create(
        Passage(person=person, message=message, origin=Origin.TYPED, text="I sing alto in a choir.")
        for message in messages
    )
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
    Evidence.objects.bulk_create(
        Evidence(memory=memory, passage=passage, start=0, end=5, said_at=now)
        for memory, passage in zip(memories, passages, strict=True)
    )
    words = index.row(person.pk, {"alto": 1.0, "choir": 1.0}, "alto")
    MemorySearch.objects.bulk_create(MemorySearch(memory=memory, **words) for memory in memories)
    ExchangeSearch.objects.bulk_create(
        ExchangeSearch(message=message, conversation=spoken, position=message.position, **words) for message in messages
    )


@pytest.mark.parametrize("names", [candidates.MEMORIES, candidates.EXCHANGES], ids=["memories", "exchanges"])
def test_no_query_of_the_index_reads_more_than_is_the_persons(everyone: Person, names: dict[str, str]) -> None:
    vector = np.ones(384, dtype=np.float32)
    terms = [index.term_hash(everyone.pk, word) for word in WORDS]
    own = _own(everyone, names)[:20]
    for statement, parameters in (
        candidates.statement_of_all(names, everyone.pk, vector, "any"),
        candidates.statement_of_all(names, everyone.pk, vector, "any", own),
        candidates.statement_with_words(names, everyone.pk, terms),
        candidates.statement_with_words(names, everyone.pk, terms, own),
        candidates.statement_of_common(names, everyone.pk, ""),
        candidates.statement_of_days(names, everyone.pk, terms),
        candidates.statement_of_rows(names, everyone.pk, own),
    ):
        _reads_no_more_than(SAID, statement, parameters)


def test_no_look_at_what_was_found_reads_more_than_is_the_persons(everyone: Person) -> None:
    for statement, names in ((pool.MEMORIES, candidates.MEMORIES), (pool.EXCHANGES, candidates.EXCHANGES)):
        asked = {"person": everyone.pk, "ids": _own(everyone, names)[:20], "statuses": ["active"]}
        _reads_no_more_than(SAID, statement, asked)


def _own(person: Person, names: dict[str, str]) -> list[int]:
    rows = MemorySearch if names["id"] == "memory_id" else ExchangeSearch
    return list(rows.objects.filter(person=person).values_list(names["id"], flat=True))


def _reads_no_more_than(most: int, statement: str, parameters: dict[str, Any]) -> None:
    """Whichever index the planner takes: what a scan gave and what it threw away are together no more than is hers."""
    scans = [node for node in plan_of(statement, parameters) if "Scan" in node["Node Type"]]
    assert scans
    for scan in scans:
        assert scan["Node Type"] != "Seq Scan"
        thrown_away = scan.get("Rows Removed by Filter", 0) + scan.get("Rows Removed by Index Recheck", 0)
        assert (scan["Actual Rows"] + thrown_away) * scan["Actual Loops"] <= most, scan


def test_the_same_word_has_another_place_for_each_person(alice: Person, bob: Person, now: datetime) -> None:
    told(alice, "I sing alto.", "The user sings alto.", now)
    told(bob, "I sing alto.", "The user sings alto.", now)
    for rows in (MemorySearch.objects, ExchangeSearch.objects):
        hers, his = (set(rows.get(person=person).terms) for person in (alice, bob))
        assert not hers & his
