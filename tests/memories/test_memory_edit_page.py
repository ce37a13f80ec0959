from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from django.test import Client
from django.urls import reverse

from memories.models import Memory, Person, Status, Version
from tests.memories.saying import told


@pytest.fixture
def train(alice: Person, now: datetime) -> Memory:
    memory = told(alice, "I take the train to work.", "The user takes the train to work.", now).memory
    assert memory is not None
    return memory


def test_an_edit_is_a_new_version(client: Client, train: Memory) -> None:
    response = client.post(_url(train), {"statement": "The user takes the tram to work.", "version": 1})

    assert response.status_code == 302
    train.refresh_from_db()
    assert (train.statement, train.version) == ("The user takes the tram to work.", 2)
    assert Version.objects.get(memory=train).statement == "The user takes the train to work."


def test_the_form_holds_the_present_words(client: Client, train: Memory) -> None:
    assert train.statement in client.get(_url(train)).content.decode()


def test_the_second_of_two_tabs_is_told_and_loses_nothing(client: Client, train: Memory) -> None:
    client.post(_url(train), {"statement": "The user takes the tram to work.", "version": 1})
    response = client.post(_url(train), {"statement": "The user walks to work.", "version": 1})

    page = response.content.decode()
    assert response.status_code == 422
    assert "changed somewhere else" in page
    assert "The user takes the tram to work." in page
    assert "The user walks to work.</textarea>" in page
    # Saving once more is meant.
    version = response.context["form"]["version"].value()
    client.post(_url(train), {"statement": "The user walks to work.", "version": version})
    train.refresh_from_db()
    assert train.statement == "The user walks to work."


def test_a_stale_tab_cannot_save_to_a_deleted_memory(client: Client, train: Memory) -> None:
    Memory.objects.filter(pk=train.pk).update(status=Status.DELETED, statement="")
    response = client.post(_url(train), {"statement": "The user walks to work.", "version": 1})

    assert response.status_code == 410
    assert "The user walks to work.</textarea>" in response.content.decode()
    train.refresh_from_db()
    assert (train.status, train.statement) == (Status.DELETED, "")


@pytest.mark.parametrize(
    "statement", ["", "   ", "\0", "The user\0 walks.", "x" * 1_000_000, "。。。", "My password is hunter2-Xy9!kk"]
)
def test_what_cannot_be_kept_is_refused_with_a_reason(client: Client, train: Memory, statement: str) -> None:
    response = client.post(_url(train), {"statement": statement, "version": 1})

    assert response.status_code == 422
    assert "errorlist" in response.content.decode()
    train.refresh_from_db()
    assert train.version == 1


@pytest.mark.parametrize(
    "statement",
    ["使用者搭電車上班。🚋", "The user likes `{{ braces }}` {% tags %}.", "The user likes <b>bold</b>."],
)
def test_unusual_words_are_kept_as_they_are(client: Client, train: Memory, statement: str) -> None:
    page = client.post(_url(train), {"statement": statement, "version": 1}, follow=True).content.decode()

    train.refresh_from_db()
    assert train.statement == statement
    assert "<b>bold" not in page


@pytest.mark.parametrize("version", ["", "x", "-1", "99999999999999999999"])
def test_a_broken_version_is_no_crash(client: Client, train: Memory, version: str) -> None:
    assert client.post(_url(train), {"statement": "The user walks.", "version": version}).status_code in {302, 422}


def test_a_lone_surrogate_is_no_crash(client: Client, train: Memory) -> None:
    body = "statement=The+user+%ED%A0%80walks.&version=1"
    response = client.post(_url(train), body, content_type="application/x-www-form-urlencoded")

    assert response.status_code in {302, 422}


def _url(memory: Memory) -> str:
    return reverse("memories:edit", args=[memory.number])


def test_an_edit_is_as_new_as_what_is_said_now(client: Client, train: Memory, now: datetime) -> None:
    client.post(_url(train), {"statement": "The user walks to work.", "version": 1})

    train.refresh_from_db()
    assert train.said_at > now - timedelta(days=1)
