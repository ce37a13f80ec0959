from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

import httpx2
import pytest

from claude.client import using
from claude.models import Call
from consolidation import night
from consolidation.models import AskedFor, Night, NightState
from memories.models import Memory, Person, Status
from tests.consolidation.conftest import Say
from tests.fakes.scripted import Finds, ScriptedModel
from tests.fakes.wire import FakeWire, as_scripted

pytestmark = pytest.mark.django_db


class BatchWire(httpx2.BaseTransport):
    """The service with batches: they end when they are told to, as they are told to."""

    def __init__(self, model: ScriptedModel) -> None:
        self.model, self.direct = model, FakeWire(otherwise=model.answer)
        self.batches: dict[str, list[dict[str, Any]]] = {}
        self.ended, self.ends_as = False, "succeeded"
        self.without_batches = False

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        path = request.url.path
        if "batches" not in path:
            return self.direct.handle_request(request)
        if self.without_batches:
            return httpx2.Response(404, json={"type": "error", "error": {"type": "not_found_error", "message": "no"}})
        if request.method == "POST" and path.endswith("batches"):
            name = f"msgbatch_{len(self.batches) + 1}"
            self.batches[name] = json.loads(request.read())["requests"]
            return httpx2.Response(200, json=self._told(name))
        name = path.split("/")[4]
        if path.endswith("/results"):
            lines = [{"custom_id": each["custom_id"], "result": self._result(each)} for each in self.batches[name]]
            return httpx2.Response(200, content="\n".join(json.dumps(line) for line in lines).encode())
        return httpx2.Response(200, json=self._told(name))

    def _told(self, name: str) -> dict[str, Any]:
        url = f"/v1/messages/batches/{name}/results"
        return {"id": name, "processing_status": "ended" if self.ended else "in_progress", "results_url": url}

    def _result(self, asked: dict[str, Any]) -> dict[str, Any]:
        if self.ends_as != "succeeded":
            return {"type": self.ends_as}
        answer = as_scripted(self.model.answer, asked["params"])
        return {"type": "succeeded", "message": answer.message(asked["params"])}


@pytest.fixture
def service(model: ScriptedModel, settings: Any, says: Say, alice: Person, now: datetime) -> Iterator[BatchWire]:
    settings.NIGHT_USE_BATCHES = True
    model.finds = [Finds("I keep bees", "The user keeps bees."), Finds("I sold my bees", "The user sold the bees.")]
    model.judges = [("sold", "replaces", "keeps bees")]
    says("I keep bees.", at=now - timedelta(days=2))
    says("I sold my bees.", at=now - timedelta(days=1))
    wire = BatchWire(model)
    with using(wire):
        yield wire


def _begin(alice: Person, now: datetime, asked_for: AskedFor = AskedFor.SCHEDULE) -> Night:
    begun = night.begin(alice, now=now, asked_for=asked_for)
    assert begun is not None
    return begun


def _holds(alice: Person) -> bool:
    return set(Memory.objects.of(alice).values_list("statement", "status")) == {
        ("The user keeps bees.", Status.SUPERSEDED),
        ("The user sold the bees.", Status.ACTIVE),
    }


def test_a_night_sends_its_questions_together_and_later_tasks_take_the_answers(
    service: BatchWire, alice: Person, now: datetime
) -> None:
    begun = _begin(alice, now)
    waiting = night.run(begun.pk, now=now)
    assert (waiting.state, len(service.batches)) == (NightState.RUNNING, 1)
    assert not Memory.objects.exists()
    at = now + timedelta(minutes=10)
    assert list(Night.objects.abandoned(at)) == [begun]
    assert night.run(begun.pk, now=at).state == NightState.RUNNING
    service.ended = True
    # Extracted now; comparing is a batch of its own.
    night.run(begun.pk, now=now + timedelta(minutes=20))
    over = night.run(begun.pk, now=now + timedelta(minutes=40))
    assert (over.state, over.attempts) == (NightState.DONE, 1)
    assert len(service.batches) == 2
    assert _holds(alice)
    assert [call.purpose for call in Call.objects.filter(request_id__startswith="msgbatch").order_by("pk")] == [
        "extract", "extract", "reconcile",
    ]  # fmt: skip


@pytest.mark.parametrize("ends_as", ["expired", "canceled"])
def test_what_a_batch_leaves_open_is_asked_directly(
    ends_as: str, service: BatchWire, alice: Person, now: datetime
) -> None:
    service.ended, service.ends_as = True, ends_as
    begun = _begin(alice, now)
    for minutes in (0, 10, 20, 30):
        night.run(begun.pk, now=now + timedelta(minutes=minutes))
    begun.refresh_from_db()
    assert begun.state == NightState.DONE
    assert service.direct.history
    assert _holds(alice)


def test_a_batch_that_never_ends_is_given_up_after_its_day(service: BatchWire, alice: Person, now: datetime) -> None:
    begun = _begin(alice, now)
    night.run(begun.pk, now=now)
    night.run(begun.pk, now=now + timedelta(hours=26))
    night.run(begun.pk, now=now + timedelta(hours=52))
    begun.refresh_from_db()
    assert begun.state == NightState.DONE
    assert _holds(alice)


def test_a_server_without_batches_is_asked_directly(service: BatchWire, alice: Person, now: datetime) -> None:
    service.without_batches = True
    assert night.run(_begin(alice, now).pk, now=now).state == NightState.DONE
    assert _holds(alice)


def test_who_presses_the_button_does_not_wait(service: BatchWire, alice: Person, now: datetime) -> None:
    assert night.run(_begin(alice, now, AskedFor.PERSON).pk, now=now).state == NightState.DONE
    assert not service.batches
