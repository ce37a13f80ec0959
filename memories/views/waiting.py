"""Waiting for you: what is not believed until the person says so."""

from __future__ import annotations

from dataclasses import dataclass

from django.contrib import messages
from django.core.paginator import Paginator
from django.db.models import Prefetch
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from memories import asking
from memories.edit import NotKept, StaleEdit, accept, reject
from memories.forms import StatementForm
from memories.http import PersonRequest
from memories.models import Evidence, Memory, Person, Question, Status, Write
from memories.models.memory import MemoryQuerySet
from memories.quoting import Quoted, quote

PER_PAGE = 20


@dataclass(frozen=True)
class Asked:
    """One memory that waits, with all that is needed to decide."""

    memory: Memory
    quotes: list[Quoted]
    replaces: list[Memory]
    form: StatementForm
    editing: bool


@require_safe
def waiting_list(request: PersonRequest) -> HttpResponse:
    page = Paginator(_waiting(request.user), PER_PAGE).get_page(request.GET.get("page"))
    context = {
        "page": page,
        "asked": [_asked(memory) for memory in page],
        "questions": asking.to_ask(request.user) if page.number == 1 else [],
    }
    return render(request, "memories/waiting.html", context)


@require_POST
def answer_one(request: PersonRequest, pk: int) -> HttpResponse:
    question = get_object_or_404(Question.objects.of(request.user).select_related("memory"), pk=pk)
    said = request.POST.get("answer", "")
    if said not in {asking.YES, asking.NO, asking.BOTH}:
        return HttpResponse(status=422)
    try:
        asking.answer(question, said, now=timezone.now())
    except asking.AlreadyAnswered:
        return _decided(request, question.memory, _("It was decided already."))
    return _decided(request, question.memory, _("Thank you. It is as you say."))


@require_POST
def accept_one(request: PersonRequest, number: int) -> HttpResponse:
    memory = get_object_or_404(Memory.objects.of(request.user).kept(), number=number)
    statement: str | None = None
    if "statement" in request.POST:
        form = StatementForm(request.POST)
        if not form.is_valid():
            return _ask_again(request, memory, form)
        statement = form.cleaned_data["statement"]
    try:
        accept(request.user, number, statement=statement, now=timezone.now())
    except NotKept as error:
        form = StatementForm({"statement": statement or memory.statement})
        form.add_error("statement", str(error.reason.label))
        return _ask_again(request, memory, form)
    except StaleEdit:
        return _decided(request, memory, _("It was decided already."))
    return _decided(request, memory, _("Remembered."))


@require_POST
def reject_one(request: PersonRequest, number: int) -> HttpResponse:
    memory = get_object_or_404(Memory.objects.of(request.user), number=number)
    try:
        reject(request.user, number, now=timezone.now())
    except StaleEdit:
        return _decided(request, memory, _("It was decided already."))
    return _decided(request, memory, _("Rejected. It will not be proposed again from the same words."))


def _waiting(person: Person) -> MemoryQuerySet:
    evidence = Evidence.objects.select_related("passage__message").prefetch_related("passage__tombstones")
    return (
        Memory.objects.of(person)
        .waiting()
        .prefetch_related(
            Prefetch("evidence", evidence.order_by("-said_at", "-pk")),
            Prefetch("writes", Write.objects.exclude(replaced=None).select_related("replaced")),
        )
        .order_by("-said_at", "-number")
    )


def _decided(request: PersonRequest, memory: Memory, words: str) -> HttpResponse:
    """htmx puts the outcome where the question stood; without it the list comes back and says so."""
    if not request.htmx:
        messages.success(request, words)
        return redirect("memories:waiting")
    memory.refresh_from_db()
    context = {"memory": memory, "words": words, "left": Memory.objects.of(request.user).waiting().count()}
    return render(request, "memories/_decided.html", context)


def _ask_again(request: PersonRequest, memory: Memory, form: StatementForm) -> HttpResponse:
    """The words that were refused stand in the box, with what is wrong."""
    asked = _asked(get_object_or_404(_waiting(request.user), pk=memory.pk), form)
    if request.htmx:
        return render(request, "memories/_asked.html", {"asked": asked}, status=422)
    return render(request, "memories/waiting.html", {"asked": [asked], "only": True}, status=422)


def _asked(memory: Memory, form: StatementForm | None = None) -> Asked:
    shown = form or StatementForm(initial={"statement": memory.statement})
    shown.fields["statement"].widget.attrs["id"] = f"statement-{memory.number}"
    meant = [write.replaced for write in memory.writes.all()]
    return Asked(
        memory=memory,
        quotes=[quote(evidence) for evidence in memory.evidence.all()],
        replaces=[old for old in meant if old and old.status != Status.DELETED],
        form=shown,
        editing=form is not None,
    )
