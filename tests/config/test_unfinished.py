"""A task that a killed worker had taken."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest

from config.celery import app
from config.unfinished import give_back, transport_options
from tests.conftest import ROOT, environment_of_test

TAKE_AND_DIE = """
import os, signal
from config.celery import app
with app.connection_for_write() as connection:
    queue = connection.SimpleQueue("replies")
    queue.get(timeout=60)
    os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.fixture
def replies(db: None) -> Any:
    with app.connection_for_write() as connection:
        queue = connection.SimpleQueue("replies")
        yield queue


def waiting() -> int:
    with app.connection_for_read() as connection:
        channel: Any = connection.default_channel
        return int(channel.client.llen("replies"))


def killed_worker(name: str) -> None:
    died = subprocess.run(
        [sys.executable, "-c", TAKE_AND_DIE],
        cwd=ROOT,
        env={**environment_of_test(), "REVERIE_WORKER": name},
        timeout=100,
    )
    assert died.returncode == -9


def test_goes_back_on_its_queue(replies: Any) -> None:
    replies.put({"reply_id": 7})
    killed_worker("replies")
    assert waiting() == 0
    give_back("replies")
    assert waiting() == 1
    assert replies.get(timeout=60).payload == {"reply_id": 7}


def test_stays_with_a_worker_of_another_name(replies: Any) -> None:
    replies.put({"reply_id": 7})
    killed_worker("nights")
    give_back("replies")
    assert waiting() == 0


def test_an_unnamed_worker_shares_its_keys_with_all() -> None:
    assert "unacked_key" not in transport_options()
