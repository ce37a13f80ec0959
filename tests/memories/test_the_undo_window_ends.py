"""The end of the undo window as it comes: beat asks, a worker purges, and neither does before its time."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from celery.beat import EmbeddedService, Scheduler
from django.conf import settings
from django.db import transaction
from django.utils import timezone

from config.celery import app
from memories import forget
from memories.models import Deletion, Memory, Person, Via, lock_person
from tests.chat.saying import nothing_queued
from tests.conftest import start_worker_process
from tests.memories.locks import somebody_waits_for_a_lock, until
from tests.memories.telling import converse, learn, passage

ENTRY = "purge-deletions"


class Hurried(Scheduler):
    """Celery's own, with what is scheduled here for the purge, only that its minutes are short."""

    def setup_schedule(self) -> None:
        entry: Any = settings.CELERY_BEAT_SCHEDULE[ENTRY]
        assert entry["schedule"] <= 60
        hurried: Any = {ENTRY: entry | {"schedule": 0.5}}
        self.merge_inplace(hurried)


@pytest.fixture
def beat() -> Iterator[Any]:
    service: Any = EmbeddedService(app, thread=True, max_interval=1, scheduler_cls=f"{__name__}:{Hurried.__name__}")
    yield service
    if service.is_alive():
        service.stop()


@pytest.mark.slow
@pytest.mark.timeout(300)
@pytest.mark.django_db(transaction=True)
def test_beat_and_a_worker_purge_when_the_window_ends_though_the_first_worker_is_killed_over_it(
    request: pytest.FixtureRequest, beat: Any, alice: Person, settings: Any
) -> None:
    settings.UNDO_WINDOW_S = 2
    first = start_worker_process("housekeeping")
    try:
        now = timezone.now()
        chat = converse(alice, "I drive a van.", "Good.", at=now - timedelta(days=2))
        van = learn(alice, "The user drives a van.", (passage(chat, 0), "I drive a van"))
        plan = forget.plan(alice, memories=[van], now=now)
        with nothing_queued():  # naming the conversation anew would wait for the lock too
            deletion = forget.carry_out(plan, now=now, via=Via.LIST, erase_words=True)
        beat.start()
        with transaction.atomic():
            lock_person(alice.pk)
            until(somebody_waits_for_a_lock)
            assert timezone.now() >= deletion.undo_until
            first.kill()
            first.wait()
    finally:
        first.kill()
    deletion.refresh_from_db()
    assert deletion.purged_at is None
    assert Memory.objects.get(pk=van.pk).statement

    # What the first one held is not given out again so soon: beat asks anew, and the next worker finds it due.
    request.getfixturevalue("worker")
    until(lambda: Deletion.objects.get(pk=deletion.pk).purged_at)

    deletion.refresh_from_db()
    assert deletion.purged_at is not None
    assert deletion.purged_at >= deletion.undo_until
    assert Memory.objects.get(pk=van.pk).statement == ""
    assert "van" not in passage(chat, 0).text
