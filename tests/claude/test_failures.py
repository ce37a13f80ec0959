"""Every way to fail has its name, says whether to try again, leaves a row, and keeps everyone's text to itself."""

from __future__ import annotations

import logging
import pickle
import traceback
from decimal import Decimal

import httpx2
import pytest

from claude import errors
from claude.client import Block, complete, stream, using
from claude.errors import ClaudeError
from claude.models import Call
from claude.purposes import Purpose
from memories.models import Person
from tests.fakes import wire as fake
from tests.fakes.wire import FakeWire, Scripted

pytestmark = pytest.mark.django_db
SECRET = "我的小名是阿榛 hazel-secret"
ASKED: list[Block] = [{"role": "user", "content": SECRET}]


def _error(status: int, kind: str) -> Scripted:
    """A server that quotes the request in its message, as some do."""
    return fake.error(status, kind, f"cannot read: {SECRET}")


BEFORE = [
    (_error(400, "invalid_request_error"), errors.BadRequest, False),
    (fake.error(400, "invalid_request_error", "prompt is too long: 300000 tokens"), errors.TooLong, False),
    (_error(400, "billing_error"), errors.NoCredit, False),
    (_error(401, "authentication_error"), errors.BadKey, False),
    (_error(402, "billing_error"), errors.NoCredit, False),
    (_error(403, "permission_error"), errors.BadKey, False),
    (_error(404, "not_found_error"), errors.BadRequest, False),
    (_error(408, "timeout_error"), errors.TimedOut, True),
    (_error(409, "conflict_error"), errors.Overloaded, True),
    (_error(413, "request_too_large"), errors.TooLong, False),
    (_error(422, "invalid_request_error"), errors.BadRequest, False),
    (_error(429, "rate_limit_error"), errors.RateLimited, True),
    (_error(500, "api_error"), errors.Overloaded, True),
    (_error(503, ""), errors.Overloaded, True),
    (_error(504, ""), errors.TimedOut, True),
    (_error(529, "overloaded_error"), errors.Overloaded, True),
    (fake.timeout(), errors.TimedOut, True),
    (fake.unreachable(), errors.Unreachable, True),
    (Scripted(raises=httpx2.ConnectTimeout(SECRET)), errors.Unreachable, True),
    (Scripted(raises=httpx2.RemoteProtocolError(SECRET)), errors.Interrupted, True),
    (Scripted(raises=httpx2.ReadError(SECRET)), errors.Interrupted, True),
    (fake.refusal(SECRET), errors.Refused, False),
    (fake.reply(fake.text_block(SECRET), stop_reason="model_context_window_exceeded"), errors.TooLong, False),
]
IN_MID_STREAM = [
    (fake.stream_error("overloaded_error", SECRET, SECRET), errors.Overloaded, True),
    (fake.stream_error("api_error", SECRET, SECRET), errors.Overloaded, True),
    (fake.stream_error("rate_limit_error", SECRET, SECRET), errors.RateLimited, True),
    (fake.stream_error("authentication_error", SECRET, SECRET), errors.BadKey, False),
    (fake.stream_error("invalid_request_error", SECRET, SECRET), errors.Overloaded, True),
    (fake.stream_error("something_new", SECRET, SECRET), errors.Overloaded, True),
    (fake.broken(SECRET), errors.Interrupted, True),
    (Scripted((fake.text_block(SECRET),), then=httpx2.ReadTimeout(SECRET)), errors.TimedOut, True),
    (fake.truncated(SECRET), errors.Interrupted, True),
    (Scripted(raw=b""), errors.Interrupted, True),
]


@pytest.mark.parametrize(("scripted", "error", "retryable"), BEFORE)
@pytest.mark.parametrize("streamed", [False, True])
def test_a_failure_is_named_and_booked_and_silent(
    alice: Person,
    caplog: pytest.LogCaptureFixture,
    scripted: Scripted,
    error: type[ClaudeError],
    retryable: bool,
    streamed: bool,
) -> None:
    caplog.set_level(logging.DEBUG)
    with using(FakeWire(scripted)), pytest.raises(ClaudeError) as raised:
        _ask(alice, streamed=streamed)

    _expect(raised.value, error, retryable)
    assert SECRET not in caplog.text


@pytest.mark.parametrize(("scripted", "error", "retryable"), IN_MID_STREAM)
def test_a_failure_in_mid_stream_is_named_and_booked_and_silent(
    alice: Person, scripted: Scripted, error: type[ClaudeError], retryable: bool
) -> None:
    with using(FakeWire(scripted), retries=0), pytest.raises(ClaudeError) as raised:
        _ask(alice, streamed=True)
    _expect(raised.value, error, retryable)


@pytest.mark.parametrize(
    "scripted",
    [fake.malformed(), Scripted(raw=b"<html>sign in to the wifi</html>"), Scripted(raw=b"null"), Scripted(raw=b"[]")],
)
def test_an_answer_that_is_no_message_is_a_failure(alice: Person, scripted: Scripted) -> None:
    with using(FakeWire(scripted)), pytest.raises((errors.Interrupted, errors.Malformed)):
        complete(Purpose.TITLE, system="S", messages=ASKED, person=alice)
    assert Call.objects.get().error in {"interrupted", "malformed"}


def test_a_refused_or_truncated_answer_is_booked_with_its_tokens(alice: Person) -> None:
    with using(FakeWire(fake.refusal("I"))), pytest.raises(errors.Refused):
        complete(Purpose.CHAT, system="S", messages=ASKED, person=alice)
    row = Call.objects.get()
    assert (row.stop_reason, row.error, row.tokens_in, row.tokens_out) == ("refusal", "refused", 100, 20)
    assert row.cost == Decimal("0.0004")


def test_an_answered_error_costs_nothing_and_a_lost_one_nobody_knows(alice: Person) -> None:
    for scripted in (fake.overloaded(), fake.timeout()):
        with using(FakeWire(scripted)), pytest.raises(ClaudeError):
            complete(Purpose.CHAT, system="S", messages=ASKED, person=alice)
    assert list(Call.objects.order_by("id").values_list("cost", flat=True)) == [Decimal(0), None]


def test_what_may_pass_is_tried_again_and_what_may_not_is_told_at_once(alice: Person) -> None:
    wire = FakeWire(fake.rate_limited("0"), fake.overloaded(), "Hello.")
    with using(wire, retries=2):
        assert complete(Purpose.TITLE, system="S", messages=ASKED, person=alice).text == "Hello."

    wire = FakeWire(fake.bad_key(), "Hello.")
    with using(wire, retries=2), pytest.raises(errors.BadKey):
        complete(Purpose.TITLE, system="S", messages=ASKED, person=alice)
    assert wire.left == 1


def test_nobody_waits_for_a_server_that_says_to_come_back_in_an_hour(alice: Person) -> None:
    with using(FakeWire(fake.rate_limited("3600")), retries=2), pytest.raises(errors.RateLimited) as raised:
        complete(Purpose.TITLE, system="S", messages=ASKED, person=alice)
    assert raised.value.retry_after == 3600


def test_a_stream_that_broke_off_is_not_sent_again(alice: Person) -> None:
    wire = FakeWire(fake.broken("Half an ans"), "Hello.")
    with using(wire, retries=2), pytest.raises(errors.Interrupted):
        _ask(alice, streamed=True)
    assert wire.left == 1


def test_the_callers_own_exception_is_left_alone_and_the_call_booked(alice: Person) -> None:
    with pytest.raises(ZeroDivisionError), using(FakeWire(fake.text("word " * 20))):
        _fail_while_reading(alice)
    assert Call.objects.get().error == "aborted"


def test_a_tool_call_of_broken_json_is_malformed_and_silent(alice: Person) -> None:
    def spoilt(request: fake.Request) -> Scripted:
        block = {"type": "tool_use", "id": "toolu_1", "name": "remember", "input": {}}
        return _SpoiltTool((block,), stop_reason="tool_use")

    with using(FakeWire(spoilt)), pytest.raises(errors.Malformed) as raised:
        _ask(alice, streamed=True)
    _expect(raised.value, errors.Malformed, False)


def test_errors_survive_a_journey() -> None:
    there = pickle.loads(pickle.dumps(errors.RateLimited(retry_after=3, status=429)))  # noqa: S301
    assert (type(there), there.retry_after, str(there)) == (errors.RateLimited, 3, errors.RateLimited.says)


class _SpoiltTool(Scripted):
    def events(self, request: fake.Request):  # type: ignore[no-untyped-def]
        for framed in super().events(request):
            yield framed.replace(b'"partial_json": "{}"', f'"partial_json": "{{]{SECRET}"'.encode())


def _ask(person: Person, *, streamed: bool) -> None:
    if not streamed:
        complete(Purpose.CHAT, system="S", messages=ASKED, person=person)
        return
    with stream(Purpose.CHAT, system="S", messages=ASKED, person=person) as call:
        list(call)


def _fail_while_reading(person: Person) -> None:
    with stream(Purpose.CHAT, system="S", messages=ASKED, person=person) as call:
        for _ in call:
            raise ZeroDivisionError


def _expect(raised: ClaudeError, error: type[ClaudeError], retryable: bool) -> None:
    assert type(raised) is error
    assert raised.retryable is retryable
    row = Call.objects.get()
    assert row.error == error.code
    told = "".join(traceback.format_exception(raised)) + repr(vars(raised))
    assert SECRET not in told
    assert raised.__cause__ is None
    assert raised.__context__ is None
