"""What the person takes along, and what they bring."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST, require_safe

from memories.export import exported
from memories.http import PersonRequest
from memories.taking_in import MOST, MOST_BYTES, NothingToTakeIn, TakenIn, TooMuchToTakeIn, take_in


@require_safe
def export(request: PersonRequest) -> HttpResponse:
    """Everything: as JSON, or as one page to read."""
    now = timezone.now()
    told = exported(request.user, now=now)
    response: HttpResponse
    if request.GET.get("as") == "page":
        response = render(request, "memories/export.html", {"told": told})
    else:
        response = JsonResponse(told, json_dumps_params={"ensure_ascii": False, "indent": 1})
    kind = "html" if request.GET.get("as") == "page" else "json"
    response["Content-Disposition"] = f'attachment; filename="reverie-{timezone.localdate(now):%Y-%m-%d}.{kind}"'
    return response


@require_POST
def bring(request: PersonRequest) -> HttpResponse:
    """A file of statements, which then wait to be accepted one by one."""
    file = request.FILES.get("file")
    if file is None:
        messages.error(request, _("Choose a file first."))
        return redirect("memories:privacy")
    try:
        taken = take_in(request.user, file.read(MOST_BYTES + 1), now=timezone.now())
    except NothingToTakeIn:
        messages.error(request, _("No statement was found in the file. Nothing was taken in."))
        return redirect("memories:privacy")
    except TooMuchToTakeIn:
        too_much = _("That is too much at once: a file may have %(most)d statements. Nothing was taken in.")
        messages.error(request, too_much % {"most": MOST})
        return redirect("memories:privacy")
    messages.success(request, _words(taken))
    return redirect("memories:waiting" if taken.waiting else "memories:privacy")


def _words(taken: TakenIn) -> str:
    waiting = ngettext("%(n)d statement waits for you.", "%(n)d statements wait for you.", taken.waiting)
    known = ngettext("%(n)d was known already.", "%(n)d were known already.", taken.known)
    refused = ngettext("%(n)d could not be kept.", "%(n)d could not be kept.", taken.refused)
    counted = [(waiting, taken.waiting), (known, taken.known), (refused, taken.refused)]
    return " ".join(words % {"n": n} for words, n in counted if n)
