"""A deletion is carried out while a night of the same person is at work, each on its own connection, by real locks."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import connection, connections

from claude.client import using
from consolidation import night
from consolidation.models import AskedFor, NightState
from memories import forget
from memories.models import Conversation, Deletion, Line, Memory, Message, Passage, Person, Status, Via
from tests.consolidation.conftest import Dream, Say
from tests.fakes import wire
from tests.fakes.scripted import Finds, ScriptedModel
from tests.memories.telling import learn

pytestmark = pytest.mark.django_db(transaction=True)
WAIT_S = 100


@pytest.fixture
def bees(model: ScriptedModel, says: Say, alice: Person, now: datetime) -> Memory:
    """Remembered in a chat; the night reads the same words, and a paraphrase of them, and would learn from both."""
    model.finds = [
        Finds("I keep bees", "The user is a beekeeper who keeps bees.", category="people"),
        Finds("my bees are asleep", "The user keeps bees that are asleep.", category="people"),
    ]
    said = says("I keep bees.", at=now - timedelta(days=2), answer="Bees, lovely.")
    says("In winter my bees are asleep.", at=now - timedelta(days=1))
    return learn(alice, "The user keeps bees.", (said.passages.get(), "I keep bees"))


def _forget(person: Person, memory: Memory, *, now: datetime) -> Deletion:
    plan = forget.plan(person, memories=[memory], about=True, now=now, ask_model=False)
    return forget.carry_out(plan, now=now, via=Via.LIST)


@contextmanager
def elsewhere() -> Iterator[Callable[..., Any]]:
    """Runs things on another thread with a connection of its own."""
    with ThreadPoolExecutor(1) as pool:
        yield pool.submit
        pool.submit(connections.close_all).result()


@pytest.mark.parametrize("step", ["candidates", "lines"])
def test_a_deletion_while_the_model_answers_a_night_leaves_nothing_for_it(
    step: str, bees: Memory, model: ScriptedModel, dream: Dream, alice: Person, now: datetime
) -> None:
    asked, forgotten = threading.Event(), threading.Event()

    def slow(request: wire.Request) -> wire.Answer:
        answer = model.answer(request)
        if step in request["output_config"]["format"]["schema"]["properties"]:
            asked.set()
            assert forgotten.wait(WAIT_S)
        return answer

    def dreams() -> str:
        with using(wire.FakeWire(otherwise=slow)):
            begun = night.begin(alice, now=now, asked_for=AskedFor.PERSON)
            assert begun is not None
            return night.run(begun.pk, now=now).state

    with elsewhere() as do:
        over = do(dreams)
        assert asked.wait(WAIT_S)
        deletion = _forget(alice, bees, now=now + timedelta(seconds=1))
        forgotten.set()
        assert over.result(WAIT_S) == NightState.DONE

    _is_gone_for_good(alice, deletion, dream, now=now)


@pytest.mark.parametrize("undone", ["after the night", "during the night"])
def test_what_a_night_could_not_read_is_read_by_the_next_when_it_was_undone(
    undone: str, model: ScriptedModel, says: Say, dream: Dream, alice: Person, now: datetime
) -> None:
    model.finds = [Finds("I keep bees", "The user keeps bees."), Finds("I sing alto", "The user sings alto.")]
    says("I keep bees. I sing alto.", at=now - timedelta(days=1))
    said = Passage.objects.typed().get()
    memory = learn(alice, "The user has bees.", (said, "I keep bees. I sing alto."))
    if undone == "after the night":
        deletion = _forget(alice, memory, now=now)
        dream(at=now + timedelta(minutes=1))
        assert not Memory.objects.kept().exists()
        forget.undo(deletion, now=now + timedelta(minutes=2))
    else:
        begun = night.begin(alice, now=now, asked_for=AskedFor.PERSON)
        assert begun is not None
        run = night.Run(begun, now)
        run.hold_lease()
        run.extract()
        assert begun.candidates.count() == 2
        deletion = _forget(alice, memory, now=now)
        assert not begun.candidates.exists()
        forget.undo(deletion, now=now)
        run.steps()
    assert [*Memory.objects.kept()] == [memory]

    dream(at=now + timedelta(days=1))

    assert Memory.objects.kept().filter(statement="The user sings alto.").exists()


def test_a_deletion_waits_for_a_night_that_applies_and_takes_what_it_has_just_learned(
    bees: Memory, model: ScriptedModel, dream: Dream, alice: Person, now: datetime
) -> None:
    plan = forget.plan(alice, memories=[bees], about=True, now=now, ask_model=False)
    applying, deleting = threading.Event(), threading.Event()

    def pause(execute: Any, sql: Any, *more: Any) -> Any:
        done = execute(sql, *more)
        if "INSERT INTO memories_memory (" in str(sql):
            applying.set()
            assert deleting.wait(WAIT_S)
        return done

    def dreams() -> str:
        begun = night.begin(alice, now=now, asked_for=AskedFor.PERSON)
        assert begun is not None
        with using(model.wire()), connection.execute_wrapper(pause):
            return night.run(begun.pk, now=now).state

    with elsewhere() as do:
        over = do(dreams)
        assert applying.wait(WAIT_S)
        # The night holds the person's lock in the middle of its transaction; this one asks for it and waits.
        threading.Timer(0.5, deleting.set).start()
        deletion = forget.carry_out(plan, now=now + timedelta(seconds=1), via=Via.LIST)
        assert deleting.is_set()
        assert over.result(WAIT_S) == NightState.DONE

    assert deletion.counts["memories"] > 1
    _is_gone_for_good(alice, deletion, dream, now=now)


def test_two_tabs_that_forget_the_same_at_one_moment_forget_it_once(bees: Memory, alice: Person, now: datetime) -> None:
    plans = [forget.plan(alice, memories=[bees], now=now, ask_model=False) for _ in range(2)]
    together = threading.Barrier(2)

    def tab(plan: forget.Plan) -> str:
        together.wait(WAIT_S)
        try:
            forget.carry_out(plan, now=now, via=Via.LIST)
        except forget.NothingToForget:
            return "nothing left"
        finally:
            connections.close_all()
        return "forgotten"

    with ThreadPoolExecutor(2) as pool:
        assert sorted(pool.map(tab, plans)) == ["forgotten", "nothing left"]
    assert Deletion.objects.count() == 1


def test_undoing_and_purging_at_one_moment_is_one_of_them(bees: Memory, alice: Person, now: datetime) -> None:
    deletion = _forget(alice, bees, now=now)
    together = threading.Barrier(2)

    def undo() -> bool:
        together.wait(WAIT_S)
        try:
            forget.undo(deletion, now=deletion.undo_until - timedelta(seconds=1))
        except forget.TooLate:
            return False
        finally:
            connections.close_all()
        return True

    def purge() -> bool:
        together.wait(WAIT_S)
        try:
            return forget.purge(deletion.pk, now=deletion.undo_until)
        finally:
            connections.close_all()

    with ThreadPoolExecutor(2) as pool:
        undone, purged = (one.result(WAIT_S) for one in (pool.submit(undo), pool.submit(purge)))
    assert undone != purged
    bees.refresh_from_db()
    assert (bees.status, bees.statement) == (
        (Status.ACTIVE, "The user keeps bees.") if undone else (Status.DELETED, "")
    )


def _is_gone_for_good(person: Person, deletion: Deletion, dream: Dream, *, now: datetime) -> None:
    assert not Memory.objects.of(person).kept().exists()
    assert not Line.objects.filter(page__person=person).exists()
    forget.purge(deletion.pk, now=deletion.undo_until)
    for day in (1, 2):
        Message.objects.update(read_at=None)
        dream(at=now + timedelta(days=day))
    assert not Memory.objects.of(person).kept().exists()
    assert Passage.objects.filter(text__icontains="bees").count() == 3
    assert Conversation.objects.of(person).count() == 2
    deletion.refresh_from_db()
    assert forget.verify([deletion], now=deletion.undo_until) == []
