"""What a reply did to the memories, taken back and brought back where it is shown."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from chat.rows import row_of
from chat.taking_back import take_back
from memories import forget
from memories.http import PersonRequest
from memories.models import Deletion, Message, Write


@require_POST
def undo(request: PersonRequest, pk: int) -> HttpResponse:
    write = _write(request, pk)
    try:
        take_back(write, now=timezone.now())
    except forget.NothingToForget:
        messages.info(request, _("There was nothing left to forget."))
    return _answer(request, write)


@require_POST
def bring_back(request: PersonRequest, pk: int) -> HttpResponse:
    write = _write(request, pk)
    deletion = get_object_or_404(Deletion.objects.of(request.user).standing(), taken__memory=write.memory_id)
    try:
        forget.undo(deletion, now=timezone.now())
    except forget.TooLate:
        messages.error(request, _("It is too late to undo this; nothing was changed."))
    return _answer(request, write)


def _write(request: PersonRequest, pk: int) -> Write:
    """Of a reply only: what a night or the person's own hand wrote is undone where it is shown."""
    mine = Write.objects.filter(person=request.user, reply__conversation__deletion=None, memory__isnull=False)
    return get_object_or_404(mine.exclude(reply=None).select_related("person", "memory", "reply"), pk=pk)


def _answer(request: PersonRequest, write: Write) -> HttpResponse:
    reply = write.reply
    assert reply is not None
    if request.htmx:
        # The attempt that is shown carries the chips of the others.
        shown = reply if reply.shown else _shown_at(reply)
        return render(request, "chat/_message.html", {"row": row_of(shown)})
    response = redirect("chat:conversation", pk=reply.conversation_id)
    response["Location"] += f"#message-{reply.pk}"
    return response


def _shown_at(reply: Message) -> Message:
    return Message.objects.shown().get(conversation_id=reply.conversation_id, position=reply.position)
