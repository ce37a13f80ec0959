"""The person's own hand on one memory: correct it, bring it back, say that it still holds."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from memories.edit import NotKept, StaleEdit, edit, restore
from memories.forms import StatementForm
from memories.http import PersonRequest
from memories.keeping import CannotConfirm, CannotPause, confirm_still_true, pause
from memories.models import Memory, Status


@require_http_methods(["GET", "HEAD", "POST"])
def memory_edit(request: PersonRequest, number: int) -> HttpResponse:
    memory = get_object_or_404(Memory.objects.of(request.user), number=number)
    if memory.status == Status.DELETED:
        return _deleted_meanwhile(request, memory)
    form = StatementForm(
        request.POST if request.method == "POST" else None,
        initial={"statement": memory.statement, "version": memory.version},
    )
    if request.method != "POST" or not form.is_valid():
        return _form(request, memory, form)
    return _save(request, memory, form)


@require_POST
def confirm(request: PersonRequest, number: int) -> HttpResponse:
    memory = get_object_or_404(Memory.objects.of(request.user).kept(), number=number)
    try:
        confirm_still_true(request.user, memory.number, now=timezone.now())
    except CannotConfirm:
        messages.warning(request, _("It changed meanwhile; this is how it stands now."))
    else:
        messages.success(request, _("Still true, as of today."))
    return redirect("memories:detail", number=number)


@require_POST
def set_aside(request: PersonRequest, number: int) -> HttpResponse:
    memory = get_object_or_404(Memory.objects.of(request.user).kept(), number=number)
    try:
        pause(request.user, memory.number)
    except CannotPause:
        messages.warning(request, _("It changed meanwhile; this is how it stands now."))
    else:
        messages.success(request, _("Paused. New conversations begin without it."))
    return redirect("memories:detail", number=number)


@require_POST
def bring_back(request: PersonRequest, number: int) -> HttpResponse:
    memory = get_object_or_404(Memory.objects.of(request.user).kept(), number=number)
    try:
        restore(request.user, memory.number, now=timezone.now())
    except StaleEdit:
        messages.warning(request, _("It changed meanwhile; this is how it stands now."))
    else:
        messages.success(request, _("It is current again."))
    return redirect("memories:detail", number=number)


def _save(request: PersonRequest, memory: Memory, form: StatementForm) -> HttpResponse:
    seen = form.cleaned_data["version"] or memory.version
    try:
        edit(request.user, memory.number, form.cleaned_data["statement"], version=seen, now=timezone.now())
    except NotKept as error:
        form.add_error("statement", str(error.reason.label))
        return _form(request, memory, form)
    except StaleEdit:
        return _changed_meanwhile(request, memory, form)
    messages.success(request, _("Saved. What it said before is kept as an earlier version."))
    return redirect("memories:detail", number=memory.number)


def _changed_meanwhile(request: PersonRequest, memory: Memory, form: StatementForm) -> HttpResponse:
    """Another tab was faster: both wordings are shown, and saving again overwrites knowingly."""
    memory.refresh_from_db()
    if memory.status == Status.DELETED:
        return _deleted_meanwhile(request, memory)
    again = StatementForm({"statement": form.cleaned_data["statement"], "version": memory.version})
    return _form(request, memory, again, changed_meanwhile=True)


def _form(
    request: PersonRequest, memory: Memory, form: StatementForm, *, changed_meanwhile: bool = False
) -> HttpResponse:
    status = 422 if form.is_bound else 200
    context = {"memory": memory, "form": form, "changed_meanwhile": changed_meanwhile}
    return render(request, "memories/edit.html", context, status=status)


def _deleted_meanwhile(request: PersonRequest, memory: Memory) -> HttpResponse:
    """What the person typed is not lost, and not saved: the memory is gone."""
    typed = request.POST.get("statement", "").replace("\0", "")
    return render(request, "memories/gone.html", {"memory": memory, "typed": typed}, status=410)
