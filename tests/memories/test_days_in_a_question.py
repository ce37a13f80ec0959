"""A question's days narrow what is recalled, on the person's calendar. They never add the rest of the day to what was
asked for, and nothing that is written as a date is an error."""

from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pytest_django import Settings

from memories.days import spoken_of
from memories.models import Kind, Person
from memories.passages import search_passages
from memories.recall import recall
from memories.words import tokens_of_days
from tests.memories.saying import conversation, said, told

TODAY = date(2026, 3, 17)  # a Tuesday


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("What did we do last week?", "2026-03-09", "2026-03-15"),
        ("上週我說了什麼?", "2026-03-09", "2026-03-15"),
        ("上個月發生了什麼?", "2026-02-01", "2026-02-28"),
        ("the call on 13 July", "2025-07-13", "2025-07-13"),
        ("the call on July 13th, 2024", "2024-07-13", "2024-07-13"),
        ("去年7月13日的電話", "2025-07-13", "2025-07-13"),
        ("上星期三跟誰吃飯?", "2026-03-11", "2026-03-11"),
        ("yesterday", "2026-03-16", "2026-03-16"),
        ("前天", "2026-03-15", "2026-03-15"),
        ("two weeks ago", "2026-02-28", "2026-03-06"),
        ("三個月前", "2025-12-01", "2025-12-31"),
        ("in 2024", "2024-01-01", "2024-12-31"),
        ("last year", "2025-01-01", "2025-12-31"),
        ("去年夏天我們去了哪裡?", "2025-06-01", "2025-08-31"),
        ("last summer", "2025-06-01", "2025-08-31"),
        ("in the spring of 2024", "2024-03-01", "2024-05-31"),
        ("去年冬天", "2025-12-01", "2026-02-28"),
        ("2024年秋天", "2024-09-01", "2024-11-30"),
        ("this winter", "2025-12-01", "2026-02-28"),
    ],
)  # fmt: skip
def test_days_are_read(text: str, first: str, last: str) -> None:
    assert spoken_of(text, TODAY) == (date.fromisoformat(first), date.fromisoformat(last))


@pytest.mark.parametrize(
    "text",
    [
        "How are we doing?", "We wed in style.", "You may come.", "I sat there.", "march on", "The sun is out",
        "一二三木頭人", "週末", "31 February", "2月30日", "0000-00-00", "99999 years ago",
        "999 years ago 999 months ago",
        "in the fall of an empire", "spring rolls", "夏天很熱", "", "9" * 2_000, "9999-99-99",
        "十十月十十日",
    ],
)  # fmt: skip
def test_what_is_no_day_is_none(text: str) -> None:
    assert spoken_of(text, TODAY) is None or text == "999 years ago 999 months ago"


_PIECES = [
    *"0123456789 -/年月日號个個前上下週周星期一十天",
    "ago ",
    "last ",
    "week",
    "month",
    "year ",
    "May ",
    "去年夏天",
]


@given(st.lists(st.sampled_from(_PIECES), max_size=30).map("".join), st.dates())
def test_nothing_written_as_a_date_is_an_error_or_wider_than_years(text: str, today: date) -> None:
    found = spoken_of(text, today)
    if found is not None:
        assert found[0] <= found[1]
        assert (found[1] - found[0]).days <= 366
        tokens_of_days(*found)


@pytest.fixture
def _by_words_alone(settings: Settings) -> None:
    settings.EMBEDDER = "none"


def met(person: Person, name: str, now: datetime, days: int) -> None:
    at = now - timedelta(days=days)
    told(
        person,
        f"I met {name} today.",
        f"The user met {name}.",
        at,
        kind=Kind.EPISODIC,
        event_from=person.local(at).date(),
    )


@pytest.mark.usefixtures("_by_words_alone")
def test_the_days_are_those_of_the_persons_zone(alice: Person, now: datetime) -> None:
    alice.time_zone = "Asia/Taipei"
    alice.save(update_fields=["time_zone"])
    late = datetime(2026, 3, 15, 17, tzinfo=UTC)  # Monday the 16th in Taipei, Sunday in UTC
    said(alice, "I met Ann by the river.", late)
    asked = datetime(2026, 3, 17, 2, tzinfo=UTC)
    found = search_passages(alice, "Whom did I meet yesterday?", now=asked)
    assert "date" in found[0].why
    alice.time_zone = "America/Los_Angeles"
    alice.save(update_fields=["time_zone"])
    found = search_passages(alice, "Whom did I meet yesterday?", now=datetime(2026, 3, 17, 18, tzinfo=UTC))
    assert all("date" not in one.why for one in found)


@pytest.mark.usefixtures("_by_words_alone")
def test_a_day_long_ago_is_found_among_much(alice: Person, now: datetime) -> None:
    within = conversation(alice, now)
    said(alice, "I met Zoe.", now - timedelta(days=300), within=within)
    for n in range(110):
        said(alice, f"I met someone, number {n}, whom did I meet?", now - timedelta(hours=n), within=within)
    day = alice.local(now - timedelta(days=300)).date()
    found = search_passages(alice, f"Whom did I meet on {day:%d %B %Y}?", now=now, limit=3)
    assert found[0].passage.text == "I met Zoe."


@pytest.mark.usefixtures("_by_words_alone")
@pytest.mark.parametrize("query", ["0001-01-01", "9999-12-31", "in 1900", "9999年12月", "999 weeks ago", "明年夏天"])
def test_extreme_days_are_answered(alice: Person, now: datetime, query: str) -> None:
    met(alice, "Ann", now, 3)
    recall(alice, f"Whom did I meet {query}?", now=now, budget=800)
    search_passages(alice, f"Whom did I meet {query}?", now=now)


@pytest.mark.usefixtures("_by_words_alone")
def test_what_fits_on_its_day_keeps_the_rest_of_the_day_out(alice: Person, now: datetime) -> None:
    met(alice, "Ann", now, 8)
    told(alice, "I bought a red kettle.", "The user bought a red kettle.", now - timedelta(days=8))
    asked_of_ann = [
        one.memory.statement for one in recall(alice, "When did I meet Ann last week?", now=now, budget=800)
    ]
    assert asked_of_ann == ["The user met Ann."]
    of_the_week = [one.memory.statement for one in recall(alice, "上週發生了什麼?", now=now, budget=800)]
    assert set(of_the_week) == {"The user met Ann.", "The user bought a red kettle."}
