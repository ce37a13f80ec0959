"""One memory: what it says, why it is remembered, what became of it."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Q, QuerySet
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.views.decorators.http import require_safe

from memories.http import PersonRequest
from memories.models import How, Memory, Recollection, Status
from memories.quoting import quoted

USES_SHOWN = 12


@dataclass
class Use:
    """One answer that was given the memory."""

    recollection: Recollection
    url: str
    cited: bool


@require_safe
def memory_detail(request: PersonRequest, number: int) -> HttpResponse:
    memory = get_object_or_404(Memory.objects.of(request.user).kept().select_related("superseded_by"), number=number)
    context = {
        "memory": memory,
        "quotes": quoted(memory),
        "versions": memory.versions.order_by("-number"),
        "replaced": memory.replaced.kept().order_by("-said_at"),
        "replaced_by": _shown(memory.superseded_by),
        "uses": _uses(memory),
        "always": _given(memory).filter(how=How.INJECTED).count(),
        "lines": memory.lines.select_related("page").order_by("page__slug", "position"),
    }
    return render(request, "memories/detail.html", context)


def _shown(memory: Memory | None) -> Memory | None:
    return memory if memory and memory.status != Status.DELETED else None


def _uses(memory: Memory) -> list[Use]:
    """The answers that it was found for or that quote it, each once, the newest first."""
    found: dict[int, Use] = {}
    told = _given(memory).filter(Q(cited=True) | ~Q(how=How.INJECTED)).select_related("reply__conversation")
    for recollection in told.order_by("-given_at", "-pk")[: 2 * USES_SHOWN]:
        before = found.get(recollection.reply_id)
        if before is None:
            found[recollection.reply_id] = Use(recollection, _reply_url(recollection), recollection.cited)
        else:
            before.cited = before.cited or recollection.cited
    return list(found.values())[:USES_SHOWN]


def _given(memory: Memory) -> QuerySet[Recollection]:
    return Recollection.objects.filter(memory=memory, reply__shown=True)


def _reply_url(recollection: Recollection) -> str:
    reply = recollection.reply
    return f"{reverse('chat:conversation', args=[reply.conversation_id])}#message-{reply.pk}"
