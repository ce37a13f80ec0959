"""The pages that the night builds: every line with the memories it rests on."""

from __future__ import annotations

from itertools import groupby

from django.db.models import Prefetch
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from memories.http import PersonRequest
from memories.models import PREFERENCES, Category, Line, Memory, Page


@require_safe
def page_list(request: PersonRequest) -> HttpResponse:
    """The preference page stands first, the others are a step away."""
    return _page(request, Page.objects.of(request.user).filter(slug=PREFERENCES).first())


@require_safe
def page_detail(request: PersonRequest, slug: str) -> HttpResponse:
    return _page(request, get_object_or_404(Page.objects.of(request.user), slug=slug))


def _page(request: PersonRequest, page: Page | None) -> HttpResponse:
    context = {
        "page": page,
        "preferences": PREFERENCES,
        "sections": _sections(page) if page else [],
        "pages": Page.objects.of(request.user).exclude(slug=PREFERENCES).order_by("title", "slug"),
    }
    return render(request, "memories/pages.html", context)


def _sections(page: Page) -> list[tuple[str, list[Line]]]:
    memories = Prefetch("memories", queryset=Memory.objects.kept().order_by("number"), to_attr="rests_on")
    order = {category: place for place, category in enumerate(Category.values)}
    lines = sorted(
        page.lines.prefetch_related(memories).order_by("position"), key=lambda line: order.get(line.section, len(order))
    )
    return [(_section_words(section), list(group)) for section, group in groupby(lines, key=lambda line: line.section)]


def _section_words(section: str) -> str:
    return str(Category(section).label) if section in Category.values else section
