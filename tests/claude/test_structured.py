from __future__ import annotations

from enum import StrEnum

import pytest
from pydantic import BaseModel, ConfigDict

from claude import errors
from claude.client import Block, fill, using
from claude.models import Call
from claude.purposes import Purpose
from claude.standin.transport import StandIn
from memories.models import Person
from tests.fakes import wire as fake
from tests.fakes.wire import FakeWire

pytestmark = pytest.mark.django_db
ASKED: list[Block] = [{"role": "user", "content": "說說看"}]


class Verdict(StrEnum):
    NEW = "new"
    SAME = "same"


class Judged(BaseModel):
    model_config = ConfigDict(extra="forbid")
    reasoning: str
    verdict: Verdict


class Judgements(BaseModel):
    model_config = ConfigDict(extra="forbid")
    judged: list[Judged]


GOOD = Judgements(judged=[Judged(reasoning="`quoted` {braces}", verdict=Verdict.NEW)])


def _fill(person: Person) -> Judgements:
    return fill(Purpose.RECONCILE, Judgements, system="S", messages=ASKED, person=person, run="night-1")


def test_an_answer_is_read_into_its_shape(alice: Person) -> None:
    wire = FakeWire(GOOD)
    with using(wire):
        assert _fill(alice) == GOOD

    wanted = wire.history[0]["output_config"]["format"]
    assert wanted["type"] == "json_schema"
    assert wanted["schema"]["additionalProperties"] is False
    assert Call.objects.get().run == "night-1"


def test_one_retry_tells_the_model_what_was_wrong(alice: Person) -> None:
    wire = FakeWire({"judged": [{"reasoning": "r", "verdict": "maybe"}]}, GOOD)
    with using(wire):
        assert _fill(alice) == GOOD

    roles = [message["role"] for message in wire.history[1]["messages"]]
    assert roles == ["user", "assistant", "user"]
    said = wire.history[1]["messages"][-1]["content"][0]["text"]
    assert "judged.0.verdict" in said
    assert Call.objects.count() == 2


def test_what_does_not_fit_twice_is_malformed_and_says_nothing_of_it(alice: Person) -> None:
    with using(FakeWire("阿榛喜歡拿鐵", {"judged": "阿榛"})), pytest.raises(errors.Malformed) as raised:
        _fill(alice)

    assert "阿榛" not in str(raised.value)
    assert raised.value.__context__ is None
    assert Call.objects.count() == 2


def test_an_empty_answer_is_asked_for_again(alice: Person) -> None:
    wire = FakeWire(fake.reply(fake.thinking_block("…")), GOOD)
    with using(wire):
        assert _fill(alice) == GOOD
    assert [message["role"] for message in wire.history[1]["messages"]] == ["user"]


def test_prose_and_fences_around_the_object_and_other_capitals_are_no_matter(alice: Person) -> None:
    dressed = 'Here it is:\n```json\n{"judged": [{"reasoning": "a `b` {c}", "verdict": "SAME"}]}\n```'
    with using(FakeWire(dressed)):
        assert _fill(alice).judged[0].verdict == Verdict.SAME


def test_nul_and_lone_surrogates_do_not_come_in(alice: Person) -> None:
    with using(FakeWire('{"judged": [{"reasoning": "a\\u0000b\\ud800c", "verdict": "new"}]}')):
        assert _fill(alice).judged[0].reasoning == "abc"


def test_a_truncated_or_refused_answer_is_not_retried_and_is_booked(alice: Person) -> None:
    with using(FakeWire(fake.out_of_tokens('{"judged": ['))), pytest.raises(errors.Truncated):
        _fill(alice)
    with using(FakeWire(fake.refusal("I'd rather not"))), pytest.raises(errors.Refused):
        _fill(alice)

    rows = Call.objects.order_by("id").values_list("stop_reason", "error", "tokens_in")
    assert list(rows) == [("max_tokens", "truncated", 100), ("refusal", "refused", 100)]


def test_the_stand_in_fills_a_shape_it_does_not_know(alice: Person) -> None:
    class Unknown(BaseModel):
        model_config = ConfigDict(extra="forbid")
        color: Verdict
        weights: list[float]
        inner: Judged
        maybe: int | None

    with using(StandIn()):
        filled = fill(Purpose.JUDGE, Unknown, system="S", messages=ASKED, person=alice)
    assert filled.inner.verdict == Verdict.NEW
