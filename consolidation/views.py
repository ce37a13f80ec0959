"""A person's own nights: what each did with their memory, and the few things they can do about it."""

from __future__ import annotations

from django.contrib import messages
from django.core.paginator import Paginator
from django.db import transaction
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from consolidation import held, night, tasks, telling
from consolidation import undo as undoing
from consolidation.models import AskedFor, Night
from memories.http import PersonRequest
from memories.models import Message

NIGHTS_ON_A_PAGE = 10


@require_GET
def nights(request: PersonRequest) -> HttpResponse:
    person, now = request.user, timezone.now()
    page = Paginator(Night.objects.of(person).newest_first(), NIGHTS_ON_A_PAGE).get_page(request.GET.get("page"))
    context = {
        "page": page,
        "nights": telling.tell(page.object_list, person, now=now),
        "running": Night.objects.of(person).running().exists(),
        "unread": Message.objects.of(person).unread_by_night().shown().exists(),
    }
    template = "nights/list.html#nights" if request.htmx and not request.htmx.boosted else "nights/list.html"
    return render(request, template, context)


@require_POST
def begin(request: PersonRequest) -> HttpResponse:
    with transaction.atomic():
        begun = night.begin(request.user, now=timezone.now(), asked_for=AskedFor.PERSON)
        if begun is not None:
            pk = begun.pk
            transaction.on_commit(lambda: tasks.run_night.delay(night_id=pk))
    if begun is None:
        messages.info(request, _("A night is running already, or one waits for your look."))
    return redirect("nights:list")


@require_POST
def approve(request: PersonRequest, pk: int) -> HttpResponse:
    waiting = get_object_or_404(Night.objects.of(request.user), pk=pk)
    if held.approve(waiting, now=timezone.now()):
        tasks.run_night.delay(night_id=waiting.pk)
        messages.success(request, _("The night's changes are made."))
    return redirect("nights:list")


@require_POST
def dismiss(request: PersonRequest, pk: int) -> HttpResponse:
    waiting = get_object_or_404(Night.objects.of(request.user), pk=pk)
    if held.dismiss(waiting, now=timezone.now()):
        messages.success(request, _("Nothing was changed. What that night read is not read again."))
    return redirect("nights:list")


@require_POST
def undo(request: PersonRequest, pk: int) -> HttpResponse:
    over = get_object_or_404(Night.objects.of(request.user), pk=pk)
    if undoing.undo(over, now=timezone.now()):
        messages.success(request, _("That night is undone. What it added waits for you; what it replaced is back."))
    else:
        messages.warning(request, _("That night cannot be undone."))
    return redirect("nights:list")
