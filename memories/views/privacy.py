"""Privacy: the person's clock, language and switches, and what is kept where."""

from __future__ import annotations

from datetime import timedelta
from zoneinfo import available_timezones

from django.conf import settings
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST

from claude.client import is_standin
from claude.spending import spent_by_purpose
from memories.forms import PrivacyForm
from memories.http import PersonRequest
from memories.models import Deletion, Person, StaffRead

SPENT_DAYS = 30


@require_http_methods(["GET", "HEAD", "POST"])
def privacy(request: PersonRequest) -> HttpResponse:
    # A copy, so that what was refused does not stand in the header of the page that says so.
    person = Person.objects.get(pk=request.user.pk)
    form = PrivacyForm(request.POST or None, instance=person)
    if request.method == "POST" and form.is_valid():
        form.save()
        with translation.override(person.language or translation.get_language()):
            messages.success(request, _("Saved."))
        return redirect("memories:privacy")
    context = {
        "form": form,
        "zones": sorted(available_timezones()),
        "kept": _kept(),
        "spent": spent_by_purpose(person, since=timezone.now() - timedelta(days=SPENT_DAYS)),
        "spent_days": SPENT_DAYS,
        "staff_reads": StaffRead.objects.of(person).select_related("staff").order_by("-read_at")[:20],
        "deletions": Deletion.objects.of(person).order_by("-pk")[:10],
    }
    return render(request, "memories/privacy.html", context, status=422 if form.is_bound else 200)


@require_POST
def time_zone(request: PersonRequest) -> HttpResponse:
    """The browser's own time zone, on the first visit. What the person chose stands."""
    zone = request.POST.get("time_zone", "")
    if zone in available_timezones():
        Person.objects.filter(pk=request.user.pk, time_zone="").update(time_zone=zone)
    return HttpResponse(status=204)


def _kept() -> list[tuple[str, str, str]]:
    """What, what it holds, and until when."""
    minutes, hours = settings.UNDO_WINDOW_S // 60, settings.REPLY_STREAM_EXPIRES_S // 3600
    return [
        (
            _("Conversations"),
            _("What you and the assistant said, word for word. Memories point into it and copy nothing."),
            _("you delete it; a temporary one goes after a day"),
        ),
        (
            _("Memories"),
            _("One statement each, with its versions, and where and when you said it."),
            _("you delete it"),
        ),
        (
            _("Pages, summaries, titles"),
            _("Written from your memories and conversations. They say what they were written from."),
            _("what they were written from is deleted"),
        ),
        (
            _("Search index"),
            _("Numbers made from your words, to find them again. Nobody else's search reaches them."),
            _("the words are deleted"),
        ),
        (
            _("Answers being written"),
            _("The parts of an answer on their way to your browser."),
            ngettext("%(n)d hour has passed", "%(n)d hours have passed", hours) % {"n": hours},
        ),
        (
            _("What you deleted"),
            _("Kept apart and read by nothing, so that you can undo. Then counts and scrambled marks are left."),
            ngettext("%(n)d minute has passed", "%(n)d minutes have passed", minutes) % {"n": minutes},
        ),
        (
            _("Usage"),
            _("Counts of tokens, times and cost for every call of the model. No words."),
            _("you delete the account"),
        ),
        (_("The model"), _model_gets(), _("its provider's terms say")),
    ]


def _model_gets() -> str:
    if is_standin():
        return _("Nothing leaves this server: the offline stand-in answers.")
    return _("Each answer sends the conversation and the memories that fit it; each night sends what it reads.")
