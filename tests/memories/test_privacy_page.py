from __future__ import annotations

from datetime import datetime
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from claude.models import Call
from claude.purposes import Purpose
from memories.models import Person
from tests.memories.saying import told

PRIVACY = "/memories/privacy/"
ZONE = "/memories/privacy/time-zone/"


def test_settings_are_saved(client: Client, alice: Person) -> None:
    page = client.post(PRIVACY, _settings(time_zone="Asia/Taipei", night_hour="4"), follow=True).content.decode()

    alice.refresh_from_db()
    assert (alice.time_zone, alice.night_hour) == ("Asia/Taipei", 4)
    assert (alice.use_memories, alice.learn_memories, alice.dream_nightly) == (True, False, False)
    assert "Saved." in page


@pytest.mark.parametrize(
    "wrong",
    [
        {"time_zone": "Asia/Nowhere"},
        {"time_zone": "../../etc/passwd"},
        {"time_zone": "x" * 1_000_000},
        {"time_zone": "\0"},
        {"night_hour": "24"},
        {"night_hour": ""},
        {"language": "xx"},
    ],
)
def test_what_cannot_be_is_refused_and_nothing_is_lost(client: Client, alice: Person, wrong: dict[str, str]) -> None:
    response = client.post(PRIVACY, _settings(**wrong))

    assert response.status_code == 422
    assert "errorlist" in response.content.decode()
    alice.refresh_from_db()
    assert (alice.time_zone, alice.learn_memories) == ("", True)


def test_the_language_is_followed_whatever_the_browser_asks(client: Client, alice: Person) -> None:
    client.post(PRIVACY, _settings(language="zh-hant"))
    response = client.get(PRIVACY, headers={"Accept-Language": "en"})

    assert response["Content-Language"] == "zh-hant"
    assert '<html lang="zh-Hant-TW">' in response.content.decode()


def test_the_browsers_language_is_followed_until_the_person_chooses(client: Client) -> None:
    response = client.get(PRIVACY, headers={"Accept-Language": "zh-TW,zh;q=0.9"})

    assert '<html lang="zh-Hant-TW">' in response.content.decode()


def test_the_browser_says_the_time_zone_once(client: Client, alice: Person) -> None:
    assert "data-time-zone" in client.get(PRIVACY).content.decode()
    assert client.post(ZONE, {"time_zone": "Europe/Dublin"}).status_code == 204
    client.post(ZONE, {"time_zone": "Asia/Taipei"})

    alice.refresh_from_db()
    assert alice.time_zone == "Europe/Dublin"
    assert "data-time-zone" not in client.get(PRIVACY).content.decode()


@pytest.mark.parametrize("zone", ["", "Mars/Olympus", "\0", "x" * 100_000])
def test_a_time_zone_that_does_not_exist_is_passed_over(client: Client, alice: Person, zone: str) -> None:
    assert client.post(ZONE, {"time_zone": zone}).status_code == 204
    alice.refresh_from_db()
    assert alice.time_zone == ""


def test_a_time_zone_said_outright_no_longer_comes_from_a_memory(client: Client, alice: Person, now: datetime) -> None:
    memory = told(alice, "I live in Taipei.", "The user lives in Taipei.", now).memory
    Person.objects.filter(pk=alice.pk).update(time_zone="Asia/Taipei", time_zone_memory=memory)

    client.post(PRIVACY, _settings(time_zone="Asia/Taipei"))
    alice.refresh_from_db()
    assert alice.time_zone_memory == memory
    client.post(PRIVACY, _settings(time_zone="Europe/Dublin"))
    alice.refresh_from_db()
    assert alice.time_zone_memory is None


def test_a_broken_zone_in_the_database_still_shows_pages(client: Client, alice: Person) -> None:
    Person.objects.filter(pk=alice.pk).update(time_zone="Mars/Olympus")

    assert client.get(PRIVACY).status_code == 200


def test_the_page_says_what_is_kept_where(client: Client, settings: Any) -> None:
    settings.UNDO_WINDOW_S = 900

    assert "15 minutes" in client.get(PRIVACY).content.decode()


def _settings(**changes: str) -> dict[str, str]:
    return {"time_zone": "", "language": "", "night_hour": "3", "use_memories": "on", **changes}


@pytest.mark.parametrize("standin", [True, False])
def test_what_ones_use_came_to_is_told_by_purpose(client: Client, alice: Person, bob: Person, standin: bool) -> None:
    for person, tokens in ((alice, 1_234), (bob, 99_999)):
        Call.objects.create(
            person=person, purpose=Purpose.CHAT, model="m", standin=standin, tokens_in=tokens, cost="0.021",
            duration_ms=1, called_at=timezone.now(),
        )  # fmt: skip
    page = client.get(PRIVACY).content.decode()

    assert "1,234" in page
    assert ("0.0210" in page) is not standin
    assert "99,999" not in page
