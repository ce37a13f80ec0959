from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from memories.models import Memory, Origin, Person, Status
from tests.memories.saying import told

WAITING = "/memories/waiting/"
HTMX = {"HX-Request": "true"}


@pytest.fixture
def pasted(alice: Person, now: datetime) -> Memory:
    return _pasted(alice, "The team meets every Monday at nine.", "The user's team meets every Monday.", now)


def test_what_waits_is_listed_with_its_words_and_the_reason(client: Client, pasted: Memory) -> None:
    page = client.get(WAITING).content.decode()

    assert "The user&#x27;s team meets every Monday." in page
    assert "<mark>The team meets every Monday at nine.</mark>" in page
    assert "not from your own words" in page
    assert 'id="waiting-count"' in page


def test_accepting_makes_it_believed(client: Client, pasted: Memory) -> None:
    page = client.post(_url("accept", pasted), follow=True).content.decode()

    pasted.refresh_from_db()
    assert (pasted.status, pasted.trusted) == (Status.ACTIVE, True)
    assert "Remembered." in page
    assert "Nothing waits" in page


def test_accepting_by_htmx_answers_with_the_outcome_and_the_count(client: Client, pasted: Memory) -> None:
    part = client.post(_url("accept", pasted), headers=HTMX).content.decode()

    assert "<html" not in part
    assert "Remembered." in part
    assert 'hx-swap-oob="true" hidden' in " ".join(part.split())


def test_accepting_in_other_words(client: Client, pasted: Memory) -> None:
    client.post(_url("accept", pasted), {"statement": "The user meets the team on Mondays."})

    pasted.refresh_from_db()
    assert (pasted.status, pasted.statement) == (Status.ACTIVE, "The user meets the team on Mondays.")


@pytest.mark.parametrize("headers", [{}, HTMX])
@pytest.mark.parametrize("statement", ["", "\0", "x" * 1_000_000, "!!!"])
def test_words_that_cannot_be_kept_leave_it_waiting(
    client: Client, pasted: Memory, statement: str, headers: dict[str, str]
) -> None:
    response = client.post(_url("accept", pasted), {"statement": statement}, headers=headers)

    assert response.status_code == 422
    assert "errorlist" in response.content.decode()
    pasted.refresh_from_db()
    assert pasted.status == Status.WAITING


def test_rejecting_leaves_no_word_of_it(client: Client, pasted: Memory) -> None:
    client.post(_url("reject", pasted))

    pasted.refresh_from_db()
    assert (pasted.status, pasted.statement) == (Status.DELETED, "")
    assert "team meets" not in client.get(WAITING).content.decode()


@pytest.mark.parametrize("verb", ["accept", "reject"])
def test_deciding_twice_is_said_and_changes_nothing(client: Client, pasted: Memory, verb: str) -> None:
    client.post(_url("accept", pasted))
    page = client.post(_url(verb, pasted), headers=HTMX).content.decode()

    pasted.refresh_from_db()
    assert pasted.status == Status.ACTIVE
    assert "decided already" in page


def test_nothing_waiting_says_what_would(client: Client) -> None:
    assert "Nothing waits" in client.get(WAITING).content.decode()


def test_nobody_sees_what_waits_for_another(bobs_client: Client, pasted: Memory) -> None:
    assert "team meets" not in bobs_client.get(WAITING).content.decode()


def test_the_number_of_queries_does_not_grow_with_what_waits(
    client: Client, alice: Person, now: datetime, django_assert_max_num_queries: Any
) -> None:
    for number in range(15):
        _pasted(
            alice, f"Room {number} is for meetings.", f"The user meets in room {number}.", now + timedelta(days=number)
        )

    with django_assert_max_num_queries(13):
        client.get(WAITING)


def _pasted(person: Person, text: str, statement: str, now: datetime) -> Memory:
    memory = told(person, text, statement, now, origin=Origin.PASTED).memory
    assert memory is not None
    assert memory.status == Status.WAITING
    return memory


def _url(verb: str, memory: Memory) -> str:
    return reverse(f"memories:{verb}", args=[memory.number])
