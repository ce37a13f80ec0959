"""What the other tests stand on."""

from __future__ import annotations

import socket
import subprocess
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest
from celery.app.task import Task
from django.conf import settings
from django.db import connection

from config.celery import app
from memories.models import MemorySearch
from memories.tasks import embed_pending
from tests.chat.saying import nothing_queued
from tests.config.machine import wait_until
from tests.memories.telling import converse, learn, passage
from tests.network import NetworkIsOff

if TYPE_CHECKING:
    from datetime import datetime

    from celery.worker import WorkController

    from memories.models import Person
    from tests.conftest import Live


def test_the_database_is_postgresql_with_a_pool(alice: Person) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT version(), default_version FROM pg_available_extensions WHERE name = 'vector'")
        version, vector = cursor.fetchone()
    assert version.startswith("PostgreSQL 18")
    assert vector
    assert connection.settings_dict["NAME"].startswith("test_reverie")


def test_no_test_reaches_another_machine() -> None:
    with pytest.raises(NetworkIsOff):
        socket.create_connection(("192.0.2.1", 80), timeout=1)
    with pytest.raises(NetworkIsOff):
        socket.getaddrinfo("example.org", 80)


def test_the_model_is_the_standin() -> None:
    assert settings.CLAUDE_STANDIN


def test_a_worker_takes_tasks_from_the_real_broker(worker: WorkController) -> None:
    wait_until(lambda: app.control.inspect(timeout=2).ping())


@pytest.mark.slow
def test_a_worker_process_takes_tasks_from_the_real_broker(
    worker_process: subprocess.Popen[bytes], alice: Person, now: datetime
) -> None:
    conversation = converse(alice, "I keep bees.", at=now)
    memory = learn(alice, "The user keeps bees.", (passage(conversation, 0), "I keep bees."))
    embed_pending.apply_async(kwargs={"person_id": alice.pk})
    wait_until(MemorySearch.objects.filter(memory=memory, vector__isnull=False).exists)


def test_a_live_server_answers(live: Live, alice: Person) -> None:
    with urllib.request.urlopen(f"{live}/healthz", timeout=100) as answer:
        assert answer.read() == b"ok"


def test_database_connections_stay_flat_however_many_requests_come(live: Live, alice: Person) -> None:
    def ask(_: int) -> bytes:
        with urllib.request.urlopen(f"{live}/healthz", timeout=100) as answer:
            return bytes(answer.read())

    with ThreadPoolExecutor(40) as at_once:
        assert set(at_once.map(ask, range(200))) == {b"ok"}
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()")
        assert cursor.fetchone()[0] <= connection.settings_dict["OPTIONS"]["pool"]["max_size"] + 1


def test_threads_that_take_queueing_away_at_once_give_it_back() -> None:
    as_it_was = Task.apply_async
    first, second = nothing_queued(), nothing_queued()
    first.__enter__()
    second.__enter__()
    first.__exit__(None, None, None)
    assert Task.apply_async is not as_it_was
    second.__exit__(None, None, None)
    assert Task.apply_async is as_it_was
