"""A reply's own addresses: its stream, its stop, another attempt at it, and which attempt is shown."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator

from asgiref.sync import sync_to_async
from django.contrib import messages
from django.http import HttpResponse, StreamingHttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone, translation
from django.views.decorators.http import require_GET, require_POST
from django_htmx.http import HttpResponseClientRedirect

from chat import attempts
from chat.at_once import TooManyAtOnce
from chat.connections import release_connection
from chat.rows import WITH, row_of, rows
from chat.stream import Part, follow
from chat.views.sending import too_many_at_once
from memories.http import PersonRequest
from memories.models import Message, Role


@require_GET
def stream(request: PersonRequest, pk: int) -> StreamingHttpResponse:
    """The parts of a reply as server-sent events, then its finished row; of a finished one, only that."""
    frames = _frames(request, pk, finished=_look(request, pk))
    response = StreamingHttpResponse(frames, content_type="text/event-stream")
    response["Cache-Control"] = "private, no-store, no-transform"
    response["X-Accel-Buffering"] = "no"
    # Said outright, so that no middleware or proxy compresses and so buffers it.
    response["Content-Encoding"] = "identity"
    return response


@require_POST
def stop(request: PersonRequest, pk: int) -> HttpResponse:
    reply = _reply(request, pk)
    attempts.stop(reply, now=timezone.now())
    return _answer(request, reply)


@require_POST
def retry(request: PersonRequest, pk: int) -> HttpResponse:
    """Another attempt: after a failure, or because the person would like another answer."""
    reply = _reply(request, pk)
    attempts.fail_if_lost(reply, now=timezone.now())
    try:
        reply = attempts.again(reply, now=timezone.now())
    except (attempts.NotTheLastReply, attempts.StillAnswering):
        return _as_it_stands(request, reply)
    except TooManyAtOnce:
        messages.error(request, too_many_at_once())
        return _as_it_stands(request, reply)
    return _answer(request, reply)


@require_POST
def show(request: PersonRequest, pk: int) -> HttpResponse:
    reply = _reply(request, pk)
    try:
        attempts.show(reply)
    except (attempts.NotTheLastReply, attempts.StillAnswering):
        return _as_it_stands(request, reply)
    return _answer(request, reply)


def _reply(request: PersonRequest, pk: int) -> Message:
    return get_object_or_404(Message.objects.of(request.user).filter(role=Role.ASSISTANT), pk=pk)


def _answer(request: PersonRequest, reply: Message) -> HttpResponse:
    if request.htmx:
        return render(request, "chat/_message.html", {"row": row_of(reply)})
    response = redirect("chat:conversation", pk=reply.conversation_id)
    response["Location"] += f"#message-{reply.pk}"
    return response


def _as_it_stands(request: PersonRequest, reply: Message) -> HttpResponse:
    """The page was behind: it is loaded whole, never into the place of one row."""
    url = reverse("chat:conversation", args=[reply.conversation_id])
    return HttpResponseClientRedirect(url) if request.htmx else redirect(url)


async def _frames(request: PersonRequest, pk: int, *, finished: bool) -> AsyncIterator[str]:
    if not finished:
        yield ": here\n\n"
        async for part in follow(pk):
            if part is not None:
                yield _part(part)
                continue
            yield ": still here\n\n"
            if await sync_to_async(_is_finished)(pk):
                break
    yield await sync_to_async(_end)(request, pk)


def _part(part: Part) -> str:
    return f"event: part\nid: {part.number}\ndata: {json.dumps({'kept': part.kept, 'html': part.html})}\n\n"


def _look(request: PersonRequest, pk: int) -> bool:
    """Whether there is nothing to wait for. The connection goes back before the waiting begins."""
    try:
        reply = get_object_or_404(Message.objects.of(request.user).filter(role=Role.ASSISTANT), pk=pk)
        return reply.is_finished or attempts.fail_if_lost(reply, now=timezone.now())
    finally:
        release_connection()


def _is_finished(pk: int) -> bool:
    try:
        reply = Message.objects.filter(pk=pk).first()
        return reply is None or reply.is_finished or attempts.fail_if_lost(reply, now=timezone.now())
    finally:
        release_connection()


def _end(request: PersonRequest, pk: int) -> str:
    """The closing event, with the row as the page itself would show it."""
    try:
        found = list(Message.objects.of(request.user).prefetch_related(*WITH).filter(pk=pk))
        with translation.override(getattr(request, "LANGUAGE_CODE", None)):
            html = "".join(render_to_string("chat/_message.html", {"row": row}, request) for row in rows(found))
    finally:
        release_connection()
    return f"event: end\ndata: {json.dumps({'html': html})}\n\n"
