"""How a day or a moment is said to the person: on their clock, with no more of it than they need."""

from __future__ import annotations

from datetime import date, datetime, timedelta

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _


def day_words(day: date, *, today: date) -> str:
    """`Today`, `Yesterday`, `24 November`, and the year only where it is another one."""
    if day == today:
        return _("Today")
    if day == today - timedelta(days=1):
        return _("Yesterday")
    return _dated(day, today)


def day_within(day: date, *, today: date) -> str:
    """The same inside of a sentence."""
    if day == today:
        return _("today")
    if day == today - timedelta(days=1):
        return _("yesterday")
    return _dated(day, today)


def moment_words(at: datetime, *, now: datetime) -> str:
    """`Today, 14:05`. Both are taken on the clock that the request has activated."""
    local = timezone.localtime(at)
    day = day_words(local.date(), today=timezone.localdate(now))
    return _("%(day)s, %(time)s") % {"day": day, "time": date_format(local, "TIME_FORMAT")}


def moment_within(at: datetime, *, now: datetime) -> str:
    local = timezone.localtime(at)
    day = day_within(local.date(), today=timezone.localdate(now))
    return _("%(day)s, %(time)s") % {"day": day, "time": date_format(local, "TIME_FORMAT")}


def group_words(day: date, *, today: date) -> str:
    """What stands above the things of a day in a list that reaches far back: the further, the coarser."""
    if day >= today - timedelta(days=1):
        return day_words(min(day, today), today=today)
    if day > today - timedelta(days=7):
        return date_format(day, "l")
    if today - day < timedelta(days=31):
        return _dated(day, today)
    return date_format(day, "F" if day.year == today.year else "YEAR_MONTH_FORMAT")


def _dated(day: date, today: date) -> str:
    return date_format(day, "MONTH_DAY_FORMAT" if day.year == today.year else "DATE_FORMAT")
