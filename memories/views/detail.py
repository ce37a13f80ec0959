"""One memory: what it says, why it is remembered, what became of it."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import NoReverseMatch, reverse
from django.views.decorators.http import require_safe

from memories.http import PersonRequest
from memories.models import Memory, Recollection, Status
from memories.quoting import quoted

USES_SHOWN = 20


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
        "lines": memory.lines.select_related("page").order_by("page__slug", "position"),
    }
    return render(request, "memories/detail.html", context)


def _shown(memory: Memory | None) -> Memory | None:
    return memory if memory and memory.status != Status.DELETED else None


def _uses(memory: Memory) -> list[tuple[Recollection, str]]:
    recollections = (
        Recollection.objects.filter(memory=memory, reply__shown=True)
        .select_related("reply__conversation")
        .order_by("-given_at", "-pk")[:USES_SHOWN]
    )
    return [(recollection, _reply_url(recollection)) for recollection in recollections]


def _reply_url(recollection: Recollection) -> str:
    reply = recollection.reply
    try:
        return f"{reverse('chat:conversation', args=[reply.conversation_id])}#message-{reply.pk}"
    except NoReverseMatch:
        return ""
