from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from claude.client import complete, using
from claude.models import Call
from claude.purposes import Purpose
from memories.models import Person
from tests.fakes import wire as fake
from tests.fakes.wire import FakeWire

if TYPE_CHECKING:
    from django.test import Client


@pytest.fixture
def calls(alice: Person, settings: object) -> None:
    with using(FakeWire(fake.text("geheim"), fake.text("geheim"))):
        for purpose in (Purpose.CHAT, Purpose.TITLE):
            complete(purpose, system="S", messages=[{"role": "user", "content": "geheim"}], person=alice, run="reply-7")


@pytest.mark.usefixtures("calls")
def test_staff_see_usage_by_purpose_and_day_and_no_text(staff_client: Client) -> None:
    page = staff_client.get("/admin/claude/call/").content.decode()
    assert "Replies" in page
    assert "Titles of conversations" in page
    assert "0.0004" in page
    assert "geheim" not in page


@pytest.mark.usefixtures("calls")
def test_the_ledger_cannot_be_written_by_hand(staff_client: Client) -> None:
    row = Call.objects.first()
    assert row is not None
    assert staff_client.get("/admin/claude/call/add/").status_code == 403
    assert staff_client.get(f"/admin/claude/call/{row.pk}/delete/").status_code == 403
    assert staff_client.get(f"/admin/claude/call/{row.pk}/change/").status_code == 200
    assert staff_client.post(f"/admin/claude/call/{row.pk}/change/", {"model": "x"}).status_code == 403


@pytest.mark.usefixtures("calls")
def test_the_ledger_asks_few_questions_of_the_database(
    staff_client: Client, django_assert_max_num_queries: pytest.FixtureRequest
) -> None:
    with django_assert_max_num_queries(10):  # type: ignore[operator]
        staff_client.get("/admin/claude/call/")


def test_an_unknown_cost_is_said_to_be_unknown(staff_client: Client, alice: Person) -> None:
    with using(FakeWire(fake.timeout())), pytest.raises(Exception, match="too long"):
        complete(Purpose.CHAT, system="S", messages=[{"role": "user", "content": "x"}], person=alice)
    assert "unknown" in staff_client.get("/admin/claude/call/").content.decode()


def test_what_the_stand_in_answered_names_no_model_and_no_price(staff_client: Client, alice: Person) -> None:
    complete(Purpose.CHAT, system="S", messages=[{"role": "user", "content": "x"}], person=alice)
    page = staff_client.get("/admin/claude/call/").content.decode()
    rows = page[page.index('id="result_list"') :]

    assert "stand-in" in rows
    assert Call.objects.get().model not in rows
