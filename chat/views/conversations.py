"""The pages of the chat: a new conversation, one that goes on, and the list beside them."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

from django.conf import settings
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_http_methods, require_POST

from chat import attempts, sidebar, temporary
from chat.rows import Quotation, rows, shown
from memories.http import PersonRequest
from memories.models import Conversation, MemoryMode, Message, MessageState, Passage
from memories.transcript import clean

# How many messages a page shows at once.
WINDOW = 60
TITLE_CHARACTERS = 200


@require_GET
def home(request: PersonRequest) -> HttpResponse:
    mode = MemoryMode.TEMPORARY if "temporary" in request.GET else MemoryMode.ON
    return render(request, "chat/home.html", page_context(request, None) | {"mode": mode})


@require_GET
def conversation(request: PersonRequest, pk: int) -> HttpResponse:
    found = get_object_or_404(Conversation.objects.of(request.user), pk=pk)
    _fail_lost(found)
    context = page_context(request, found) | window_context(request, found)
    template = "chat/_rows.html" if request.htmx and "before" in request.GET else "chat/conversation.html"
    return render(request, template, context)


@require_GET
def listing(request: PersonRequest) -> HttpResponse:
    """The list on its own: for htmx the part of the sidebar, else a page."""
    found = sidebar.conversations(
        request.user, query=request.GET.get("q", ""), limit=_limit(request), now=timezone.now()
    )
    template = "chat/_listing.html" if request.htmx else "chat/listing.html"
    current = _whole(request.GET.get("current"))
    context: dict[str, Any] = {"listing": found, "current_pk": current}
    if request.htmx:
        # It may have got its title meanwhile.
        context["current"] = Conversation.objects.of(request.user).filter(pk=current or 0).first()
    return render(request, template, context)


@require_http_methods(["GET", "POST"])
def rename(request: PersonRequest, pk: int) -> HttpResponse:
    found = get_object_or_404(Conversation.objects.of(request.user), pk=pk)
    if request.method == "POST":
        title = " ".join(clean(request.POST.get("title", "")).split())[:TITLE_CHARACTERS]
        if title:
            Conversation.objects.filter(pk=found.pk).update(title=title, title_is_mine=True)
            return redirect("chat:conversation", pk=found.pk)
        return render(request, "chat/rename.html", {"conversation": found, "blank": True}, status=422)
    return render(request, "chat/rename.html", {"conversation": found})


@require_POST
def memory_mode(request: PersonRequest, pk: int) -> HttpResponse:
    """Memory on or read-only. A temporary conversation stays one, and no other becomes one."""
    found = get_object_or_404(Conversation.objects.of(request.user).exclude(memory_mode=MemoryMode.TEMPORARY), pk=pk)
    if request.POST.get("mode") in {MemoryMode.ON, MemoryMode.READ_ONLY}:
        Conversation.objects.filter(pk=found.pk).update(memory_mode=MemoryMode(request.POST["mode"]))
    return redirect("chat:conversation", pk=found.pk)


@require_POST
def close(request: PersonRequest, pk: int) -> HttpResponse:
    """End a temporary conversation: nothing of it is left."""
    found = get_object_or_404(Conversation.objects.of(request.user).filter(memory_mode=MemoryMode.TEMPORARY), pk=pk)
    temporary.close(found)
    messages.success(request, _("The temporary conversation is gone."))
    return redirect("chat:home")


def page_context(request: PersonRequest, current: Conversation | None) -> dict[str, Any]:
    """What every page of the chat shows around its messages."""
    return {
        "conversation": current,
        "current_pk": current.pk if current else None,
        "listing": sidebar.conversations(request.user, limit=_limit(request), now=timezone.now()),
        "mode": current.memory_mode if current else MemoryMode.ON,
        "key": uuid4().hex,
        "pasted_lines": settings.PASTED_LINES,
        "pasted_size": settings.PASTED_SIZE,
        "longest": settings.MESSAGE_MAX_CHARACTERS,
    }


def window_context(request: PersonRequest, found: Conversation) -> dict[str, Any]:
    """The newest messages; those before a position; or those around a quoted passage."""
    quotation = _quotation(request, found)
    all_shown = shown(found)
    if quotation is not None:
        place = Message.objects.filter(passages=quotation.passage_id).values_list("position", flat=True).get()
        chosen = list(all_shown.filter(position__gte=place - 10).order_by("position")[:WINDOW])
    else:
        before = _whole(request.GET.get("before"))
        newest = all_shown if before is None else all_shown.filter(position__lt=before)
        chosen = list(newest.order_by("-position")[:WINDOW])[::-1]
    first, last = (chosen[0].position, chosen[-1].position) if chosen else (0, 0)
    made = rows(chosen, quotation)
    return {
        "rows": made,
        "earlier": first if all_shown.filter(position__lt=first).exists() else None,
        "later": all_shown.filter(position__gt=last).exists(),
        "quotation": quotation,
        "answering": bool(made) and made[-1].is_reply and made[-1].is_answering,
    }


def _quotation(request: PersonRequest, found: Conversation) -> Quotation | None:
    passage, start, end = (_whole(request.GET.get(name)) for name in ("passage", "from", "to"))
    if passage is None or not Passage.objects.of(request.user).filter(pk=passage, message__conversation=found).exists():
        return None
    return Quotation(passage, start or 0, end or 0)


def _fail_lost(found: Conversation) -> None:
    for reply in found.messages.filter(state=MessageState.STREAMING):
        attempts.fail_if_lost(reply, now=timezone.now())


def _limit(request: PersonRequest) -> int:
    return min(_whole(request.GET.get("conversations")) or sidebar.SHOWN, 1_000)


def _whole(text: str | None) -> int | None:
    return int(text) if text and text.isascii() and text.isdigit() and len(text) < 16 else None
