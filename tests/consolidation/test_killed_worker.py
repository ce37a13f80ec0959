"""The process that dreams is really killed, twice in one night: while statements are compared, and while the pages are
written."""

from __future__ import annotations

import signal
import subprocess
from collections import Counter
from collections.abc import Iterator
from datetime import datetime, timedelta
from functools import partial

import pytest
from django.utils import timezone

from claude.models import Call
from consolidation import night, tasks
from consolidation.models import AskedFor, Night, NightState
from memories.models import Person
from tests.config.machine import wait_until
from tests.conftest import start_worker_process
from tests.consolidation.conftest import assert_it_came_out_well
from tests.fakes.batches import shape
from tests.fakes.scripted import ScriptedModel
from tests.fakes.server import MessagesServer
from tests.fakes.wire import Request, Scripted, as_scripted

PURPOSES = {"candidates": "extract", "verdicts": "reconcile", "checks": "reconcile", "lines": "pages"}


class Slow(MessagesServer):
    """Answers as the scripted model does, but thinks for long about the first question of some steps."""

    def __init__(self, model: ScriptedModel, *steps: str) -> None:
        super().__init__()
        self.model, self.steps = model, list(steps)
        self.thinks_about = ""
        self.answered: Counter[str] = Counter()

    def is_thinking_about(self, step: str) -> bool:
        return self.thinks_about == step

    def take(self, request: Request) -> Scripted | None:
        step = shape(request)
        scripted = as_scripted(self.model.answer(request), request)
        if step in self.steps:
            self.steps.remove(step)
            self.thinks_about, scripted.thinks_s = step, 600  # type: ignore[misc]
        else:
            self.answered[PURPOSES[step]] += 1
        return scripted


@pytest.fixture
def now() -> datetime:
    """The worker has a clock of its own."""
    return timezone.now()


@pytest.fixture
def service(eventful: ScriptedModel, monkeypatch: pytest.MonkeyPatch) -> Iterator[Slow]:
    with Slow(eventful, "verdicts", "lines") as service:
        monkeypatch.setenv("REVERIE_TEST_SERVICE", service.url)
        yield service


@pytest.fixture
def workers(service: Slow) -> Iterator[list[subprocess.Popen[bytes]]]:
    started: list[subprocess.Popen[bytes]] = []
    yield started
    for process in started:
        process.kill()
        process.wait()


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.django_db(transaction=True)
def test_the_next_worker_goes_on_where_the_killed_one_stood_and_nothing_is_done_twice(
    service: Slow, workers: list[subprocess.Popen[bytes]], alice: Person
) -> None:
    begun = night.begin(alice, now=timezone.now(), asked_for=AskedFor.PERSON)
    assert begun is not None
    tasks.run_night.delay(night_id=begun.pk)
    for step in list(service.steps):
        workers.append(start_worker_process("nights"))
        wait_until(partial(service.is_thinking_about, step))
        workers[-1].send_signal(signal.SIGKILL)
        workers[-1].wait()
        begun.refresh_from_db()
        assert begun.state == NightState.RUNNING
        # As if the time it had were over: beat finds it.
        Night.objects.filter(pk=begun.pk).update(leased_until=timezone.now() - timedelta(seconds=1))
        tasks.find_due()
    workers.append(start_worker_process("nights"))
    wait_until(lambda: Night.objects.filter(pk=begun.pk, state=NightState.DONE).exists())
    assert_it_came_out_well(alice)
    # What a killed worker had learnt, the next one did not ask again; what was lost with it stands so in the ledger.
    calls = Call.objects.filter(run=begun.run)
    answered = Counter(calls.filter(error="").values_list("purpose", flat=True))
    assert answered == service.answered == {"extract": 1, "reconcile": 3, "pages": 1}
    assert list(calls.exclude(error="").order_by("pk").values_list("purpose", "error")) == [
        ("reconcile", "interrupted"),
        ("pages", "interrupted"),
    ]
