from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest

from consolidation import night
from consolidation.due import due
from consolidation.models import Night, NightState
from memories.models import Person
from tests.consolidation.conftest import Say
from tests.fakes.scripted import ScriptedModel

pytestmark = pytest.mark.django_db


@pytest.fixture
def in_taipei(alice: Person) -> Person:
    alice.time_zone, alice.night_hour = "Asia/Taipei", 3
    alice.save()
    return alice


def _at(hour: int, minute: int = 59) -> datetime:
    """On the 18th of March in Taipei."""
    return datetime(2026, 3, 18, hour, minute, tzinfo=UTC) - timedelta(hours=8)


def test_the_night_comes_at_the_persons_own_hour(in_taipei: Person, says: Say) -> None:
    says("I keep bees.", at=_at(1))
    assert list(due(_at(2))) == []
    assert list(due(_at(3))) == [in_taipei.pk]


def test_a_night_that_was_missed_comes_later_the_same_day(in_taipei: Person, says: Say) -> None:
    says("I keep bees.", at=_at(1))
    assert list(due(_at(14))) == [in_taipei.pk]


def test_what_is_said_after_the_night_hour_waits_for_the_next_night(in_taipei: Person, says: Say) -> None:
    says("I keep bees.", at=_at(9))
    assert list(due(_at(14))) == []


@pytest.mark.parametrize("switch", [{"dream_nightly": False}, {"is_active": False}])
def test_who_switched_it_off_is_left_alone(switch: dict[str, bool], in_taipei: Person, says: Say) -> None:
    says("I keep bees.", at=_at(1))
    Person.objects.update(**switch)
    assert list(due(_at(3))) == []


def test_who_said_nothing_is_not_woken(in_taipei: Person) -> None:
    assert list(due(_at(3))) == []


def test_once_dreamt_nobody_dreams_again_that_day(in_taipei: Person, says: Say, model: ScriptedModel) -> None:
    says("I keep bees.", at=_at(1))
    begun = night.begin(in_taipei, now=_at(3))
    assert begun is not None
    night.run(begun.pk, now=_at(3))
    says("And hens.", at=_at(1))
    assert list(due(_at(5))) == []
    assert list(due(_at(3) + timedelta(days=1))) == [in_taipei.pk]


def test_a_failed_night_is_due_again_after_a_rest(in_taipei: Person, says: Say) -> None:
    says("I keep bees.", at=_at(1))
    Night.objects.create(
        person=in_taipei, local_date=_at(3).astimezone(in_taipei.zone).date(), state=NightState.FAILED, attempts=1,
        started_at=_at(3), ended_at=_at(3), leased_until=_at(3), reads_until=_at(3),
    )  # fmt: skip
    assert list(due(_at(4, 5))) == []
    assert list(due(_at(5))) == [in_taipei.pk]


def test_nights_are_spread_over_the_hour_and_found_in_slices(
    says: Say, settings: object, django_assert_max_num_queries: object
) -> None:
    settings.NIGHT_SLICE = 10  # type: ignore[attr-defined]
    people = [
        Person(username=f"person{n}", time_zone="Asia/Taipei", night_hour=3, email=f"{n}@example.org")
        for n in range(60)
    ]
    for person in Person.objects.bulk_create(people):
        says("I keep bees.", at=_at(1), person=person)
    early = set(due(_at(3, 10)))
    assert 5 <= len(early) <= 20
    found: Iterator[int] = due(_at(3, 59))
    assert len(set(found)) == 60
