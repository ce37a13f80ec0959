"""Whatever dies in the middle of carrying out, undoing or purging, either all of it happened or nothing did."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import connection, transaction

from memories import forget
from memories.models import Deletion, Memory, Page, Person, Tombstone, Via
from tests.conftest import ROOT, environment_of_test
from tests.memories.telling import converse, learn, passage


class Killed(BaseException):
    """As a killed process: nothing catches it."""


def _life(person: Person, now: datetime) -> Memory:
    at = now - timedelta(days=2)
    chat = converse(person, "I drive a van.", "A van, good.", "I take the train now.", "The train it is.", at=at)
    van = learn(person, "The user drives a van.", (passage(chat, 0), "I drive a van"))
    train = learn(person, "The user takes the train.", (passage(chat, 2), "I take the train now"), replaces=van)
    page = Page.objects.create(person=person, slug="preferences", built_at=at)
    page.lines.create(section="work", position=0, text="Takes the train.").memories.add(train)
    person.time_zone, person.time_zone_memory = "Asia/Tokyo", train
    person.save(update_fields=["time_zone", "time_zone_memory"])
    return train


def _state() -> str:
    """Every row of every table of ours, but for ids that a rolled-back transaction used up."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY 1")
        rows = []
        for (table,) in cursor.fetchall():
            cursor.execute(f'SELECT t::text FROM "{table}" t ORDER BY 1')  # noqa: S608 - names of our own tables
            rows += [f"{table} {row}" for (row,) in cursor.fetchall()]
    return "\n".join(rows)


def _killed_at(step: int, work: Callable[[], Any]) -> bool:
    """Run `work`, dying at its nth statement. False when it ended before that."""
    statements = 0

    def count(execute: Any, sql: Any, params: Any, many: Any, context: Any) -> Any:
        nonlocal statements
        statements += 1
        if statements == step:
            raise Killed
        return execute(sql, params, many, context)

    try:
        with transaction.atomic(), connection.execute_wrapper(count):
            work()
    except Killed:
        return True
    return False


def _dies_everywhere(work: Callable[[], Any]) -> int:
    """Kill `work` at each of its statements in turn. Returns how many there are."""
    before = _state()
    step = 1
    while _killed_at(step, work):
        assert _state() == before, f"half done at statement {step}"
        step += 1
    assert _state() != before
    return step - 1


def test_carrying_out_undoing_and_purging_die_at_each_statement_without_a_trace(alice: Person, now: datetime) -> None:
    train = _life(alice, now)
    plan = forget.plan(alice, memories=[train], now=now)

    assert _dies_everywhere(lambda: forget.carry_out(plan, now=now, via=Via.LIST, erase_words=True)) > 15
    deletion = Deletion.objects.get()
    assert _dies_everywhere(lambda: forget.undo(deletion, now=now)) > 10

    again = forget.carry_out(forget.plan(alice, memories=[train], now=now), now=now, via=Via.LIST, erase_words=True)
    assert _dies_everywhere(lambda: forget.purge(again.pk, now=again.undo_until)) > 10
    assert forget.verify([again], now=again.undo_until) == []


_KILLED = """
import os, signal, sys
import django
django.setup()
from django.db import connection
from django.utils import timezone
from memories import forget
from memories.models import Memory, Via

def kill(execute, sql, params, many, context):
    if sys.argv[2] in str(sql):
        os.kill(os.getpid(), signal.SIGKILL)
    return execute(sql, params, many, context)

memory = Memory.objects.get(pk=int(sys.argv[1]))
plan = forget.plan(memory.person, memories=[memory], now=timezone.now())
with connection.execute_wrapper(kill):
    forget.carry_out(plan, now=timezone.now(), via=Via.COMMAND)
"""


@pytest.mark.slow
@pytest.mark.timeout(300)
@pytest.mark.django_db(transaction=True)
def test_a_process_that_is_killed_while_it_forgets_leaves_nothing_half_done(alice: Person, now: datetime) -> None:
    train = _life(alice, now)
    before = _state()

    for statement in ('INSERT INTO "memories_tombstone"', 'DELETE FROM "memories_line"'):
        ended = subprocess.run(
            [sys.executable, "-c", _KILLED, str(train.pk), statement],
            cwd=ROOT,
            env=environment_of_test() | {"PYTHONPATH": os.fspath(ROOT)},
            check=False,
        )
        assert ended.returncode == -9
        assert _state() == before

    assert not Tombstone.objects.exists()
    forget.carry_out(forget.plan(alice, memories=[train], now=now), now=now, via=Via.LIST)
    assert not Memory.objects.of(alice).kept().exists()
