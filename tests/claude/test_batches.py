from __future__ import annotations

import json
from decimal import Decimal
from typing import Any

import httpx2
import pytest
from pydantic import BaseModel, ConfigDict

from claude import batches, errors
from claude.batches import Asked, Expected
from claude.client import Block, using
from claude.models import Call
from claude.purposes import Purpose
from claude.standin.transport import StandIn
from memories.models import Person
from tests.fakes import wire as fake

pytestmark = pytest.mark.django_db
ASKED: list[Block] = [{"role": "user", "content": "說說看"}]


class Shape(BaseModel):
    model_config = ConfigDict(extra="forbid")
    text: str


def _expected(person: Person, name: str) -> Expected:
    return Expected(name, Purpose.EXTRACT, Shape, person, run="night-1")


def test_a_batch_goes_out_and_comes_back_through_the_real_sdk(alice: Person) -> None:
    expected = [_expected(alice, name) for name in ("a", "b")]
    with using(StandIn()):
        name = batches.submit([Asked(each, "S", ASKED) for each in expected])
        assert batches.has_ended(name)
        assert batches.collect(name, expected) == {"a": Shape(text=""), "b": Shape(text="")}
    assert Call.objects.count() == 2


def test_each_answer_is_read_and_booked_by_itself_at_half_the_price_and_once(alice: Person) -> None:
    whole = fake.filled({"text": "好"})
    wire = _Results(
        {"a": whole, "b": fake.refusal("no"), "c": fake.filled({"other": 1}), "d": fake.out_of_tokens("{")},
        {"e": {"type": "expired"}, "f": {"type": "errored", "error": fake.overloaded().error_body()}},
    )
    with using(wire):
        for _ in range(2):
            got = batches.collect("msgbatch_1", [_expected(alice, name) for name in "abcdefg"])

    assert got["a"] == Shape(text="好")
    assert [type(got[name]) for name in "bcdefg"] == [
        errors.Refused,
        errors.Malformed,
        errors.Truncated,
        errors.TimedOut,
        errors.Overloaded,
        errors.Interrupted,
    ]
    assert Call.objects.count() == 4
    assert Call.objects.get(request_id="msgbatch_1/a").cost == Decimal("0.0002")


def test_a_batch_that_is_not_there_is_a_bad_request(alice: Person) -> None:
    with using(StandIn()), pytest.raises(errors.BadRequest):
        batches.has_ended("msgbatch_9")


class _Results(httpx2.BaseTransport):
    """The service with one finished batch."""

    def __init__(self, succeeded: dict[str, fake.Scripted], others: dict[str, Any]) -> None:
        sent = {"model": "claude-sonnet-5-5"}
        lines = {name: {"type": "succeeded", "message": each.message(sent)} for name, each in succeeded.items()}
        self._lines = [{"custom_id": name, "result": result} for name, result in {**lines, **others}.items()]

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        if request.url.path.endswith("/results"):
            return httpx2.Response(200, content="\n".join(json.dumps(line) for line in self._lines).encode())
        url = "/v1/messages/batches/msgbatch_1/results"
        return httpx2.Response(200, json={"id": "msgbatch_1", "processing_status": "ended", "results_url": url})
