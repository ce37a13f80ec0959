"""How days and moments are said on the pages."""

from __future__ import annotations

from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

import pytest
from django.utils import timezone, translation

from memories.dates import day_words, group_words, moment_words

TODAY = date(2026, 3, 17)


@pytest.mark.parametrize(
    ("day", "words"),
    [
        (date(2026, 3, 17), "Today"),
        (date(2026, 3, 16), "Yesterday"),
        (date(2026, 3, 3), "3 March"),
        (date(2025, 11, 24), "24 November 2025"),
        (date(2026, 9, 1), "1 September"),
    ],
)
def test_a_day_has_no_more_than_is_needed(day: date, words: str) -> None:
    assert day_words(day, today=TODAY) == words


def test_a_moment_is_on_the_persons_clock_and_has_24_hours() -> None:
    at, now = datetime(2026, 3, 16, 17, 30, tzinfo=UTC), datetime(2026, 3, 16, 20, 0, tzinfo=UTC)
    with timezone.override(ZoneInfo("Asia/Taipei")):
        assert moment_words(at, now=now) == "Today, 01:30"
    with timezone.override(ZoneInfo("America/Los_Angeles")):
        assert moment_words(at, now=datetime(2026, 3, 17, 20, 0, tzinfo=UTC)) == "Yesterday, 10:30"


def test_chinese_has_its_own_order() -> None:
    with translation.override("zh-hant"):
        assert day_words(date(2026, 3, 3), today=TODAY) == "3月3日"
        assert day_words(date(2025, 11, 24), today=TODAY) == "2025年11月24日"


@pytest.mark.parametrize(
    ("day", "words"),
    [
        (date(2026, 3, 18), "Today"),
        (date(2026, 3, 16), "Yesterday"),
        (date(2026, 3, 12), "Thursday"),
        (date(2026, 3, 1), "1 March"),
        (date(2026, 1, 12), "January"),
        (date(2025, 11, 24), "November 2025"),
    ],
)
def test_a_list_is_grouped_the_coarser_the_further(day: date, words: str) -> None:
    assert group_words(day, today=TODAY) == words
