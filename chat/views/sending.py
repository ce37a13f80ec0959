"""Sending a message, with or without a script in the page."""

from __future__ import annotations

from uuid import uuid4

from django.conf import settings
from django.db import IntegrityError
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_POST
from django_htmx.http import (
    HttpResponseClientRedirect,
    HttpResponseClientRefresh,
    reswap,
    retarget,
    trigger_client_event,
)

from chat.parts import MOST, NotText, TooManyParts, parts_of
from chat.revise import NotTheLastMessage, typed_text
from chat.revise import revise as say_anew
from chat.rows import just_sent, rows
from chat.send import NothingSaid, SaidTooMuch, SentAndDeleted, StillAnswering, TooManyAtOnce
from chat.send import send as keep
from chat.views.conversations import page_context, window_context
from memories.http import PersonRequest
from memories.models import Conversation, MemoryMode, Message, Role


@require_POST
def send(request: PersonRequest, pk: int | None = None) -> HttpResponse:
    conversation = None if pk is None else get_object_or_404(Conversation.objects.of(request.user), pk=pk)
    try:
        reply = keep(
            request.user,
            conversation=conversation,
            parts=parts_of(request),
            key=request.POST.get("key", ""),
            now=timezone.now(),
            memory_mode=_mode(request),
        )
    except (NothingSaid, SaidTooMuch, SentAndDeleted, StillAnswering, TooManyAtOnce, TooManyParts, NotText) as problem:
        return _not_sent(request, conversation, _words(problem))
    return _sent(request, conversation, reply)


@require_http_methods(["GET", "POST"])
def revise(request: PersonRequest, pk: int) -> HttpResponse:
    """Say one's last message anew: the form, and its sending."""
    mine = Message.objects.of(request.user).filter(role=Role.USER, replaced_at=None)
    said = get_object_or_404(mine.select_related("conversation"), pk=pk)
    problem, text = "", typed_text(said)
    if request.method == "POST":
        text = request.POST.get("text", "")
        try:
            reply = say_anew(said, text, key=request.POST.get("key", ""), now=timezone.now())
        except NotTheLastMessage:
            return _go(request, said)
        except IntegrityError:
            # Sent twice: it stands there already.
            return _go(request, said)
        except (NothingSaid, SaidTooMuch, StillAnswering, TooManyAtOnce) as raised:
            problem = _words(raised)
        else:
            return _go(request, reply)
    context = {"message": said, "text": text, "problem": problem, "key": uuid4().hex}
    template = "chat/revise.html#form" if request.htmx else "chat/revise.html"
    return render(request, template, context, status=422 if problem else 200)


def _go(request: PersonRequest, message: Message) -> HttpResponse:
    url = f"{reverse('chat:conversation', args=[message.conversation_id])}#message-{message.pk}"
    return HttpResponseClientRefresh() if request.htmx else redirect(url)


def _mode(request: PersonRequest) -> MemoryMode:
    mode = request.POST.get("mode", "")
    return MemoryMode(mode) if mode in MemoryMode.values else MemoryMode.ON


def _sent(request: PersonRequest, conversation: Conversation | None, reply: Message) -> HttpResponse:
    url = reverse("chat:conversation", args=[reply.conversation_id])
    if not request.htmx:
        return redirect(f"{url}#message-{reply.pk}")
    response: HttpResponse
    if conversation is None:
        response = HttpResponseClientRedirect(url)
    else:
        said = Message.objects.shown().get(conversation_id=reply.conversation_id, position=reply.position - 1)
        made = just_sent(said, reply) if not reply.is_finished else rows([said, reply])
        response = render(request, "chat/_sent.html", {"rows": made, "key": uuid4().hex, "conversation": conversation})
    return trigger_client_event(response, "chat:sent", {"key": request.POST.get("key", "")})


def _not_sent(request: PersonRequest, conversation: Conversation | None, problem: str) -> HttpResponse:
    """Nothing was kept; the words stay in the composer."""
    if request.htmx:
        response = render(request, "chat/_problem.html", {"problem": problem}, status=422)
        return reswap(retarget(response, "#send-problem"), "innerHTML")
    context = page_context(request, conversation) | {
        "problem": problem,
        "text": request.POST.get("text", ""),
        "pasted": request.POST.getlist("pasted"),
        "key": request.POST.get("key", ""),
        "mode": conversation.memory_mode if conversation else _mode(request),
    }
    if conversation is None:
        return render(request, "chat/home.html", context, status=422)
    return render(request, "chat/conversation.html", context | window_context(request, conversation), status=422)


def too_many_at_once() -> str:
    """In words; also where another answer is asked for."""
    limit = settings.REPLIES_AT_ONCE
    return ngettext(
        "%(limit)d answer is being written for you, as many as may be at once. Wait for it, or stop it.",
        "%(limit)d answers are being written for you, as many as may be at once. Wait for one, or stop one.",
        limit,
    ) % {"limit": limit}


def _words(problem: Exception) -> str:
    match problem:
        case NothingSaid():
            return _("There is nothing to send yet.")
        case SaidTooMuch():
            limit = settings.MESSAGE_MAX_CHARACTERS
            return ngettext(
                "This is too long: a message may have %(limit)d character.",
                "This is too long: a message may have %(limit)d characters.",
                limit,
            ) % {"limit": limit}
        case StillAnswering():
            return _("The last answer is still being written. Wait for it, or stop it.")
        case TooManyAtOnce():
            return too_many_at_once()
        case SentAndDeleted():
            return _("This was sent before, in a conversation that you deleted. It was not sent again.")
        case TooManyParts():
            return _("That is too much at once: a message may have %(most)d attachments.") % {"most": MOST}
        case NotText(name=name):
            return _("“%(name)s” is not a text file, or is too large.") % {"name": name}
        case _:
            raise problem
