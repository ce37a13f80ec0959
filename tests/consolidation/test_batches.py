"""A night whose questions go out together for half the price: sent, waited for, collected by a later task."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from typing import Any

import httpx2
import pytest

from claude.client import using
from claude.models import Call
from consolidation import night
from consolidation.models import AskedFor, Batch, Night, NightState
from memories import asking
from memories.models import Memory, Person, Question
from tests.consolidation.conftest import assert_it_came_out_well
from tests.fakes import wire
from tests.fakes.batches import BatchWire, Kept, shape
from tests.fakes.scripted import ScriptedModel

pytestmark = pytest.mark.django_db
EVERY_STEP = ["candidates", "verdicts", "checks verdicts", "lines"]
MINUTES = 10


@pytest.fixture
def service(eventful: ScriptedModel, settings: Any, now: datetime) -> Iterator[BatchWire]:
    settings.NIGHT_USE_BATCHES = True
    service = BatchWire(eventful.answer, now=now)
    with using(service):
        yield service


def _begin(alice: Person, now: datetime, asked_for: AskedFor = AskedFor.SCHEDULE) -> Night:
    begun = night.begin(alice, now=now, asked_for=asked_for)
    assert begun is not None
    return begun


def _run_on(begun: Night, now: datetime) -> Night:
    """As beat does: whenever nobody holds the night, it is run."""
    for turn in range(1, 9):
        begun = night.run(begun.pk, now=now + timedelta(minutes=turn * MINUTES))
    return begun


def test_every_step_sends_its_questions_together_and_later_tasks_take_the_answers(
    service: BatchWire, alice: Person, now: datetime
) -> None:
    begun = _begin(alice, now)
    waiting = night.run(begun.pk, now=now)
    assert (waiting.state, service.shapes) == (NightState.RUNNING, ["candidates"])
    later = now + timedelta(minutes=MINUTES)
    assert list(Night.objects.abandoned(later)) == [begun]
    assert night.run(begun.pk, now=later).state == NightState.RUNNING
    service.ended = True
    over = _run_on(begun, later)
    assert (over.state, over.attempts) == (NightState.DONE, 1)
    assert service.shapes == EVERY_STEP
    assert not service.direct.history
    assert_it_came_out_well(alice)
    booked = Call.objects.filter(run=begun.run)
    assert {call.request_id.split("_")[0] for call in booked} == {"msgbatch"}
    assert booked.count() == sum(len(kept.requests) for kept in service.batches.values())


@pytest.mark.parametrize("ends_as", ["expired", "canceled", "errored"])
def test_what_a_batch_leaves_open_is_asked_directly(
    ends_as: str, service: BatchWire, alice: Person, now: datetime
) -> None:
    service.ended, service.ends_as = True, ends_as
    assert _run_on(_begin(alice, now), now).state == NightState.DONE
    assert {shape(request) for request in service.direct.history} == {"candidates", "verdicts", "checks", "lines"}
    assert_it_came_out_well(alice)


@pytest.mark.parametrize(
    "answer", [wire.refusal, lambda: wire.out_of_tokens("{"), lambda: wire.text("I would rather not.")]
)
def test_an_answer_of_a_batch_that_cannot_be_used_is_asked_for_directly(
    answer: Callable[[], wire.Answer], service: BatchWire, alice: Person, now: datetime
) -> None:
    service.ended, service.answer = True, lambda request: answer()
    assert _run_on(_begin(alice, now), now).state == NightState.DONE
    assert_it_came_out_well(alice)


def test_a_batch_that_never_ends_is_given_up_after_its_day(service: BatchWire, alice: Person, now: datetime) -> None:
    begun = _begin(alice, now)
    for day in range(6):
        night.run(begun.pk, now=now + timedelta(days=1.1) * day)
    begun.refresh_from_db()
    assert begun.state == NightState.DONE
    assert_it_came_out_well(alice)


def test_a_server_without_batches_is_asked_directly(service: BatchWire, alice: Person, now: datetime) -> None:
    service.without_batches = True
    assert night.run(_begin(alice, now).pk, now=now).state == NightState.DONE
    assert_it_came_out_well(alice)


def test_who_presses_the_button_does_not_wait(service: BatchWire, alice: Person, now: datetime) -> None:
    assert night.run(_begin(alice, now, AskedFor.PERSON).pk, now=now).state == NightState.DONE
    assert not service.batches


class Killed(BaseException):
    """As a worker that is killed: nothing of ours runs after it."""


def _dies() -> httpx2.Response:
    raise Killed


def test_a_worker_that_dies_before_it_has_a_batchs_id_pays_for_no_second_one(
    service: BatchWire, alice: Person, now: datetime
) -> None:
    begun, deaths = _begin(alice, now), 0
    service.on_arrival = _dies
    for turn in range(12):
        # In between the batch is there and tells nothing yet.
        service.now, service.ended = now + timedelta(minutes=turn * MINUTES), turn % 3 == 2
        try:
            night.run(begun.pk, now=service.now)
        except Killed:
            deaths += 1
    begun.refresh_from_db()
    assert (begun.state, deaths, service.shapes) == (NightState.DONE, 4, EVERY_STEP)
    assert not service.direct.history
    assert_it_came_out_well(alice)


def test_a_batch_whose_answer_was_lost_is_found_again_among_others(
    service: BatchWire, alice: Person, now: datetime
) -> None:
    def slow() -> httpx2.Response:
        raise httpx2.ReadTimeout("slow")

    service.on_arrival = slow
    failed = night.run(_begin(alice, now).pk, now=now)
    assert (failed.state, failed.error) == (NightState.FAILED, "timed_out")
    own = service.batches["msgbatch_1"]
    somebodys = [{**each, "custom_id": f"other-{at}"} for at, each in enumerate(own.requests)]
    service.batches["msgbatch_2"] = Kept(somebodys, now)
    service.on_arrival, service.ended = lambda: None, True
    later = now + timedelta(hours=1)
    assert _run_on(_begin(alice, later), later).state == NightState.DONE
    first = Batch.objects.order_by("pk").first()
    assert first is not None
    assert first.batch_id == "msgbatch_1"
    assert_it_came_out_well(alice)


@pytest.mark.parametrize("answer", [wire.rate_limited(), wire.overloaded(), wire.unreachable()])
def test_what_never_arrived_is_sent_again(
    answer: wire.Scripted, service: BatchWire, alice: Person, now: datetime
) -> None:
    def turned_away() -> httpx2.Response:
        service.batches.clear()
        if answer.raises:
            raise answer.raises
        return httpx2.Response(answer.status, json=answer.error_body())

    service.on_arrival = turned_away
    assert night.run(_begin(alice, now).pk, now=now).state == NightState.FAILED
    service.on_arrival, service.ended = lambda: None, True
    later = now + timedelta(hours=1)
    assert _run_on(_begin(alice, later), later).state == NightState.DONE
    assert service.shapes == EVERY_STEP
    assert_it_came_out_well(alice)


def test_where_the_service_lists_no_batches_and_nobody_can_say_it_is_asked_directly(
    service: BatchWire, alice: Person, now: datetime
) -> None:
    service.on_arrival, service.without_list, service.ended = _dies, True, True
    begun = _begin(alice, now)
    with pytest.raises(Killed):
        night.run(begun.pk, now=now)
    service.on_arrival = lambda: None
    assert _run_on(begun, now).state == NightState.DONE
    assert {shape(request) for request in service.direct.history} == {"candidates"}
    assert_it_came_out_well(alice)


def test_what_changed_while_a_batch_was_out_is_not_settled_by_its_answer(
    service: BatchWire, model: ScriptedModel, alice: Person, now: datetime
) -> None:
    begun = _begin(alice, now)
    service.ended, model.holds = True, []
    while "checks verdicts" not in service.shapes:
        begun = night.run(begun.pk, now=now)
        now += timedelta(minutes=MINUTES)
    # The person answers before the service does.
    hens = Memory.objects.get(statement__contains="hens")
    asking.hold(hens, now=now)
    assert _run_on(begun, now).state == NightState.DONE
    assert not begun.decisions.filter(memory=hens).exists()
    assert not Question.objects.exists()
