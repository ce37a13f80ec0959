"""The pages that the night builds: every line with the memories it rests on, and what is planned."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from itertools import groupby

from django.db.models import F, Prefetch, Q
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.views.decorators.http import require_safe

from memories.http import PersonRequest
from memories.models import PREFERENCES, Category, Line, Memory, Page

PLANS_SHOWN = 40


@dataclass(frozen=True)
class Section:
    name: str
    words: str
    lines: list[Line]


@require_safe
def page_list(request: PersonRequest) -> HttpResponse:
    """The preference page stands first, the others are a step away."""
    return _page(request, Page.objects.of(request.user).filter(slug=PREFERENCES).first())


@require_safe
def page_detail(request: PersonRequest, slug: str) -> HttpResponse:
    return _page(request, get_object_or_404(Page.objects.of(request.user), slug=slug))


def _page(request: PersonRequest, page: Page | None) -> HttpResponse:
    today = request.user.local(timezone.now()).date()
    is_about_you = page is None or page.slug == PREFERENCES
    context = {
        "page": page,
        "is_about_you": is_about_you,
        "sections": _sections(page, today) if page else [],
        "plans": _plans(request, today) if is_about_you else [],
        "pages": Page.objects.of(request.user).exclude(slug=PREFERENCES).order_by("title", "slug"),
    }
    return render(request, "memories/pages.html", context)


def _plans(request: PersonRequest, today: date) -> list[Memory]:
    """What is meant to happen and has not passed, the nearest first, as it was said: no night rewrites it."""
    ahead = Q(event_until=None) | Q(event_until__gte=today)
    plans = Memory.objects.of(request.user).active().filter(ahead, plan=True)
    return list(plans.order_by(F("event_from").asc(nulls_last=True), "number")[:PLANS_SHOWN])


def _sections(page: Page, today: date) -> list[Section]:
    memories = Prefetch("memories", queryset=Memory.objects.kept().order_by("number"), to_attr="rests_on")
    order = {category: place for place, category in enumerate(Category.values)}
    lines = sorted(
        page.lines.prefetch_related(memories).order_by("position"), key=lambda line: order.get(line.section, len(order))
    )
    if page.slug == PREFERENCES:
        lines = [line for line in lines if not _is_ahead(line, today)]
    grouped = groupby(lines, key=lambda line: line.section)
    return [Section(name, _section_words(name), list(group)) for name, group in grouped]


def _is_ahead(line: Line, today: date) -> bool:
    """Nothing but plans stands behind it: those have a section of their own."""
    rests_on: list[Memory] = line.rests_on  # type: ignore[attr-defined]
    return bool(rests_on) and all(
        memory.plan and (memory.event_until is None or memory.event_until >= today) for memory in rests_on
    )


def _section_words(section: str) -> str:
    return str(Category(section).label) if section in Category.values else section
