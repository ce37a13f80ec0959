"""The database, the broker or another worker goes away in the middle of a night."""

from __future__ import annotations

import threading
from collections.abc import Callable
from datetime import datetime, timedelta

import psycopg
import pytest
from django.core.cache import cache
from django.db import connection, connections
from django.db.utils import InterfaceError, OperationalError
from django.utils import timezone
from redis.exceptions import ConnectionError as ValkeyGone

from claude.client import using
from consolidation import night, tasks
from consolidation.models import AskedFor, Night, NightState
from memories.models import Memory, Person
from tests.conftest import environment_of_test
from tests.consolidation.conftest import Say
from tests.fakes import wire
from tests.fakes.scripted import Finds, ScriptedModel


@pytest.fixture
def told(model: ScriptedModel, says: Say, now: datetime) -> ScriptedModel:
    model.finds = [
        Finds("I keep bees", "The user keeps bees.", category="people"),
        Finds("I sold my bees", "The user sold the bees they kept.", category="people"),
    ]
    model.judges = [("sold", "replaces", "keeps bees")]
    says("I keep bees.", at=now - timedelta(days=2))
    says("I sold my bees.", at=now - timedelta(days=1))
    return model


def _begin(alice: Person, now: datetime) -> Night:
    begun = night.begin(alice, now=now, asked_for=AskedFor.PERSON)
    assert begun is not None
    return begun


def _holds(alice: Person) -> None:
    found = set(Memory.objects.of(alice).values_list("statement", "status"))
    assert found == {("The user keeps bees.", "superseded"), ("The user sold the bees they kept.", "active")}


def _every_connection_breaks() -> None:
    with psycopg.connect(environment_of_test()["DATABASE_URL"], autocommit=True) as other:
        other.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'"
        )


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("step", ["candidates", "verdicts", "lines"])
def test_the_database_restarts_and_the_next_run_completes(
    step: str, told: ScriptedModel, alice: Person, now: datetime
) -> None:
    begun = _begin(alice, now)

    def breaks(request: wire.Request) -> wire.Answer:
        if step in request["output_config"]["format"]["schema"]["properties"]:
            _every_connection_breaks()
        return told.answer(request)

    with using(wire.FakeWire(otherwise=breaks)), pytest.raises((OperationalError, InterfaceError)):
        night.run(begun.pk, now=now)
    connection.close()
    connection.close_pool()  # type: ignore[attr-defined]
    later = now + timedelta(hours=1)
    begun.refresh_from_db()
    # Nobody could write down that it failed: it stands as running, and as stuck once its lease is over.
    if begun.state == NightState.RUNNING:
        assert begun.is_stuck(later)
        assert night.run(begun.pk, now=later).state == NightState.DONE
    else:
        assert night.run(_begin(alice, later).pk, now=later).state == NightState.DONE
    _holds(alice)


@pytest.mark.django_db(transaction=True)
def test_two_workers_never_dream_for_one_person_at_once(told: ScriptedModel, alice: Person, now: datetime) -> None:
    begun = _begin(alice, now)
    answering, most, lock = [0], [0], threading.Lock()

    def slow(request: wire.Request) -> wire.Answer:
        with lock:
            answering[0] += 1
            most[0] = max(most[0], answering[0])
        threading.Event().wait(0.05)
        with lock:
            answering[0] -= 1
        return told.answer(request)

    def work() -> None:
        try:
            with using(wire.FakeWire(otherwise=slow)):
                night.run(begun.pk, now=now)
        finally:
            connections.close_all()

    _together(work, 4)
    assert most == [1]
    begun.refresh_from_db()
    assert (begun.state, begun.attempts) == (NightState.DONE, 1)
    _holds(alice)


@pytest.mark.django_db(transaction=True)
def test_of_many_who_would_begin_a_night_one_does(alice: Person, now: datetime) -> None:
    begun: list[Night | None] = []

    def work() -> None:
        try:
            begun.append(night.begin(alice, now=now, asked_for=AskedFor.PERSON))
        finally:
            connections.close_all()

    _together(work, 6)
    assert sum(each is not None for each in begun) == 1


@pytest.mark.django_db
def test_a_broker_that_lost_its_tasks_is_given_them_again(
    told: ScriptedModel, alice: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = timezone.now()
    begun = _begin(alice, now - timedelta(hours=1))
    enqueued: list[int] = []
    monkeypatch.setattr(tasks.run_night, "delay", lambda *, night_id: enqueued.append(night_id))
    tasks.find_due()
    assert enqueued == [begun.pk]
    with monkeypatch.context() as gone:
        gone.setattr(cache, "get", _raise)
        with pytest.raises(ValkeyGone):
            tasks.run_night(night_id=begun.pk)
    tasks.find_due()
    assert enqueued == [begun.pk, begun.pk]
    tasks.run_night(night_id=begun.pk)
    _holds(alice)


@pytest.mark.django_db
def test_one_night_that_is_told_to_slow_down_slows_all(
    told: ScriptedModel, alice: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun = _begin(alice, timezone.now())
    with using(wire.FakeWire(otherwise=wire.rate_limited())):
        tasks.run_night(night_id=begun.pk)
    begun.refresh_from_db()
    assert (begun.state, begun.error) == (NightState.FAILED, "rate_limited")
    put_off: list[float] = []
    monkeypatch.setattr(tasks.run_night, "apply_async", lambda *, kwargs, countdown: put_off.append(countdown))
    tasks.run_night(night_id=begun.pk)
    assert len(put_off) == 1
    assert put_off[0] > 0


def _raise(*_: object) -> None:
    raise ValkeyGone


def _together(work: Callable[[], None], count: int) -> None:
    threads = [threading.Thread(target=work) for _ in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(100)
