"""`{% when memory.said_at %}`: a moment as a `<time>`, short, the whole in its title. The filters are for sentences."""

from __future__ import annotations

from datetime import date, datetime

from django import template
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.safestring import SafeString

from memories import dates

register = template.Library()


@register.simple_tag
def when(at: datetime | None) -> SafeString | str:
    return _time(at, dates.moment_words(at, now=timezone.now())) if at else ""


@register.simple_tag
def when_day(at: datetime | None) -> SafeString | str:
    """Only the day of it."""
    return _time(at, dates.day_words(timezone.localdate(at), today=timezone.localdate())) if at else ""


@register.filter
def moment(at: datetime | None) -> str:
    return dates.moment_within(at, now=timezone.now()) if at else ""


@register.filter
def day(at: datetime | date | None) -> str:
    if at is None:
        return ""
    found = timezone.localdate(at) if isinstance(at, datetime) else at
    return dates.day_within(found, today=timezone.localdate())


def _time(at: datetime, words: str) -> SafeString:
    local = timezone.localtime(at)
    return format_html(
        '<time datetime="{}" title="{} {}">{}</time>',
        local.isoformat(timespec="seconds"),
        date_format(local, "l"),
        date_format(local, "DATETIME_FORMAT"),
        words,
    )
