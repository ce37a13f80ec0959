"""The list of memories."""

from __future__ import annotations

from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from memories.http import PersonRequest
from memories.listing import SORTS, Filters, facets, listed
from memories.models import Memory, OrderedDeletion
from memories.views.block import meter

PER_PAGE = 40


@require_safe
def memory_list(request: PersonRequest) -> HttpResponse:
    filters, now = Filters.read(request.GET), timezone.now()
    page = Paginator(listed(request.user, filters, now=now), PER_PAGE).get_page(request.GET.get("page"))
    context = {
        "filters": filters,
        "facets": facets(request.user, filters, now=now),
        "page": page,
        "sorts": [(_(words), filters.address(sort=name), name == filters.sort) for name, words in SORTS.items()],
        "usual": Filters().address(),
        "meter": meter(request.user, now=now),
        "ordered": OrderedDeletion.objects.of(request.user).unfinished().first(),
        "has_any": page.paginator.count or Memory.objects.of(request.user).kept().exists(),
    }
    template = "memories/list.html#results" if _wants_results(request) else "memories/list.html"
    return render(request, template, context)


def _wants_results(request: PersonRequest) -> bool:
    return bool(request.htmx) and not request.htmx.history_restore_request
