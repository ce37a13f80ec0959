from __future__ import annotations

import pytest

from claude.client import Block, complete, stream, using
from claude.errors import Interrupted, Overloaded, Refused
from claude.models import Call
from claude.purposes import Purpose
from claude.standin.transport import StandIn
from memories.models import Person
from tests.fakes import wire as fake
from tests.fakes.wire import FakeWire

pytestmark = pytest.mark.django_db
HELLO: list[Block] = [{"role": "user", "content": "你好 🙂"}]


def test_a_reply_arrives_in_small_pieces_that_make_the_whole(alice: Person) -> None:
    words = "你好，我是助理 🙂。Nice to meet you, " * 3
    with (
        using(FakeWire(fake.text(words))),
        stream(Purpose.CHAT, system="Be kind.", messages=HELLO, person=alice) as call,
    ):
        pieces = list(call)

    assert "".join(pieces) == words == call.response.text
    assert len(pieces) > 5
    row = Call.objects.get()
    assert (row.person, row.purpose, row.stop_reason, row.error) == (alice, "chat", "end_turn", "")
    assert (row.tokens_in, row.tokens_out, row.standin) == (100, 20, False)
    assert row.request_id == "req_0001"


def test_the_stand_in_streams_through_the_real_sdk_and_costs_nothing(alice: Person) -> None:
    with using(StandIn()), stream(Purpose.CHAT, system="Be kind.", messages=HELLO, person=alice) as call:
        assert "".join(call).strip()

    row = Call.objects.get()
    assert row.standin
    assert row.cost == 0
    assert row.tokens_in > 0


def test_a_tool_use_arrives_whole_with_its_arguments(alice: Person) -> None:
    wire = FakeWire(fake.tool_use("recall", {"query": "哪裡的「咖啡」?", "include_past": False}, before="One moment."))
    tools: list[Block] = [{"name": "recall", "description": "Look.", "input_schema": {"type": "object"}}]
    with using(wire), stream(Purpose.CHAT, system="S", messages=HELLO, tools=tools, person=alice) as call:
        assert "".join(call) == "One moment."

    assert call.response.stop_reason == "tool_use"
    assert call.response.tool_uses[0]["input"] == {"query": "哪裡的「咖啡」?", "include_past": False}
    assert wire.history[0]["tools"][-1]["cache_control"] == {"type": "ephemeral"}
    assert wire.history[0]["system"][0]["cache_control"] == {"type": "ephemeral"}


@pytest.mark.parametrize(
    ("scripted", "error"),
    [
        (fake.truncated("Half an ans"), Interrupted),
        (fake.broken("Half an ans"), Interrupted),
        (fake.stream_error("overloaded_error", "Half an ans"), Overloaded),
        (fake.refusal("Half an ans"), Refused),
    ],
)
def test_what_breaks_off_in_mid_stream_is_named_and_booked(
    alice: Person, scripted: fake.Scripted, error: type[Exception]
) -> None:
    with using(FakeWire(scripted)), stream(Purpose.CHAT, system="S", messages=HELLO, person=alice) as call:
        with pytest.raises(error) as raised:
            list(call)
        assert raised.value.__context__ is None
        assert call.text == "Half an ans"

    row = Call.objects.get()
    assert row.error == error.code  # type: ignore[attr-defined]
    assert row.tokens_in == 100


def test_leaving_early_books_an_abort_with_what_was_read(alice: Person) -> None:
    with (
        using(FakeWire(fake.text("word " * 40))),
        stream(Purpose.CHAT, system="S", messages=HELLO, person=alice) as call,
    ):
        for _ in call:
            break

    assert call.aborted
    row = Call.objects.get()
    assert (row.error, row.tokens_in) == ("aborted", 100)


def test_a_failure_before_the_first_word_is_tried_again_and_each_attempt_is_booked(alice: Person) -> None:
    wire = FakeWire(fake.rate_limited("0"), fake.text("Hello."))
    with using(wire, retries=1), stream(Purpose.CHAT, system="S", messages=HELLO, person=alice) as call:
        assert "".join(call) == "Hello."

    assert list(Call.objects.order_by("id").values_list("error", flat=True)) == ["rate_limited", ""]


def test_a_plain_answer_is_complete(alice: Person) -> None:
    with using(FakeWire("A title")):
        assert complete(Purpose.TITLE, system="S", messages=HELLO, person=alice).text == "A title"
    assert Call.objects.get().purpose == "title"
