"""The deletion dialog, the receipt with its undo, and the answer to what the assistant proposed to forget."""

from __future__ import annotations

from django.conf import settings
from django.contrib import messages
from django.core import signing
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from django_htmx.http import HttpResponseClientRedirect

from memories import forget
from memories.forgetting.judge import can_judge
from memories.forgetting.proposing import answer, card_of, plan_of
from memories.forgetting.receipt import receipt_of
from memories.http import PersonRequest
from memories.models import Conversation, Deletion, Memory, OrderedDeletion, ProposalState, ProposedDeletion, Via
from memories.often import HOUR_S, is_too_often

PLAN_MAX_AGE_S = 3_600


@require_http_methods(["GET", "HEAD", "POST"])
def forget_view(request: PersonRequest) -> HttpResponse:
    if request.method == "POST":
        return _carry_out(request)
    if can_judge() and is_too_often(request.user, "forget", most=settings.FORGET_LOOKS_AN_HOUR):
        response = render(request, "429.html", status=429)
        response["Retry-After"] = str(HOUR_S)
        return response
    plan = _plan(request)
    if plan.is_empty and not plan.ambiguous:
        return render(request, _template(request), {"plan": plan, "nothing": True})
    context = {
        "plan": plan,
        "signed": plan.sign(),
        "via": request.GET.get("via", Via.LIST),
        "proposal": request.GET.get("proposal", ""),
        "window_minutes": max(1, settings.UNDO_WINDOW_S // 60),
        "labels": forget.layer_labels(plan.derived),
        "back": _where_it_was_asked(request, plan),
    }
    if plan.conversation:
        without = forget.plan_conversation(request.user, plan.conversation, with_memories=False, now=timezone.now())
        context |= {"signed_without": without.sign(), "via": Via.CONVERSATION}
    return render(request, _template(request), context)


@require_safe
def receipt(request: PersonRequest, pk: int) -> HttpResponse:
    deletion = get_object_or_404(Deletion.objects.of(request.user), pk=pk)
    return render(request, "memories/receipt.html", {"receipt": receipt_of(deletion, now=timezone.now())})


@require_safe
def ordered(request: PersonRequest, pk: int) -> HttpResponse:
    """How far a deletion of everything is: the page looks again until there is a receipt."""
    order = get_object_or_404(OrderedDeletion.objects.of(request.user), pk=pk)
    if order.deletion_id:
        return redirect("memories:receipt", order.deletion_id)
    return render(request, "memories/ordered.html", {"order": order})


@require_POST
def undo(request: PersonRequest, pk: int) -> HttpResponse:
    deletion = get_object_or_404(Deletion.objects.of(request.user), pk=pk)
    try:
        forget.undo(deletion, now=timezone.now())
    except forget.TooLate:
        messages.error(request, _("It is too late to undo this; nothing was changed."))
        return _go(request, "memories:receipt", pk)
    messages.success(request, _("Undone. What this deletion took is back."))
    return _go(request, "memories:receipt", pk)


@require_POST
def answer_proposal(request: PersonRequest, pk: int) -> HttpResponse:
    """Confirm or cancel on the card in a conversation."""
    proposal = get_object_or_404(ProposedDeletion.objects.of(request.user), pk=pk)
    try:
        proposal = answer(
            proposal,
            confirmed=request.POST.get("answer") == "confirm",
            group=_number(request.POST.get("group", "")),
            erase_words=request.POST.get("words") == "erase",
            now=timezone.now(),
        )
    except forget.NothingToForget:
        messages.info(request, _("There was nothing left to forget."))
    if request.htmx:
        return render(request, "memories/_forget_card.html", {"card": card_of(proposal)})
    if proposal.deletion_id:
        return redirect("memories:receipt", proposal.deletion_id)
    return redirect("chat:conversation", proposal.reply.conversation_id)


def _plan(request: PersonRequest) -> forget.Plan:
    now, person, asked = timezone.now(), request.user, request.GET
    if asked.get("proposal"):
        proposal = get_object_or_404(ProposedDeletion.objects.of(person), pk=_number(asked["proposal"]))
        return plan_of(proposal, now=now, group=_number(asked.get("group", "")))
    if asked.get("conversation"):
        conversation = get_object_or_404(Conversation.objects.of(person), pk=_number(asked["conversation"]))
        return forget.plan_conversation(person, conversation, with_memories=True, now=now)
    if asked.get("all"):
        return forget.plan_everything(person, now=now)
    numbers = [number for said in asked.getlist("m") if (number := _number(said)) is not None]
    memories = Memory.objects.of(person).kept().filter(number__in=numbers)
    query = asked.get("q", "").replace("\x00", "")[:500]
    return forget.plan(person, memories=memories, query=query, about=bool(asked.get("about")), now=now)


def _carry_out(request: PersonRequest) -> HttpResponse:
    kept_memories = request.POST.get("memories") == "keep"
    signed = request.POST.get("plan_without" if kept_memories else "plan", "")
    try:
        plan = forget.read(request.user, signed, max_age_s=PLAN_MAX_AGE_S)
    except signing.BadSignature:
        messages.error(request, _("The page had grown old. Nothing was deleted; please look again."))
        return _go(request, "memories:list")
    ticked = plan.ticked(
        memories=[pk for said in request.POST.getlist("tick_memory") if (pk := _number(said)) is not None],
        spans=request.POST.getlist("tick_span"),
    )
    said = request.POST.get("via", "")
    via, erase_words = Via(said) if said in Via.values else Via.LIST, request.POST.get("words") == "erase"
    if plan.everything:
        order = forget.order_everything(request.user, via=via, erase_words=erase_words, now=timezone.now())
        return _go(request, "memories:ordered", order.pk)
    try:
        deletion = forget.carry_out(
            ticked,
            now=timezone.now(),
            via=via,
            erase_words=erase_words,
            keep=_chosen(request, plan, "past") | _unanswered(request, plan),
            revive=_chosen(request, plan, "holds"),
        )
    except forget.NothingToForget:
        messages.info(request, _("There was nothing left to forget."))
        return _go(request, "memories:list")
    if (proposal := _number(request.POST.get("proposal", ""))) is not None:
        ProposedDeletion.objects.of(request.user).filter(pk=proposal, state=ProposalState.OPEN).update(
            state=ProposalState.CONFIRMED, deletion=deletion, answered_at=timezone.now()
        )
    return _go(request, "memories:receipt", deletion.pk)


def _chosen(request: PersonRequest, plan: forget.Plan, choice: str) -> set[int]:
    """What the person said of the memories that were replaced or did replace."""
    return {part.memory.pk for part in plan.chain if request.POST.get(f"chain-{part.memory.pk}") == choice}


def _unanswered(request: PersonRequest, plan: forget.Plan) -> set[int]:
    """What the person was asked about, and did not say."""
    return {pk for pk in plan.undecided if not request.POST.get(f"chain-{pk}")}


def _where_it_was_asked(request: PersonRequest, plan: forget.Plan) -> str:
    """Where Cancel leads without a script."""
    if plan.conversation is not None:
        return reverse("chat:conversation", args=[plan.conversation.pk])
    if plan.everything:
        return reverse("memories:privacy")
    asked = _number(request.GET.get("proposal", "")) or 0
    if proposal := ProposedDeletion.objects.of(request.user).filter(pk=asked).select_related("reply").first():
        return reverse("chat:conversation", args=[proposal.reply.conversation_id])
    if request.GET.get("via") == Via.DETAIL and len(plan.asked) == 1:
        return reverse("memories:detail", args=[plan.asked[0].number])
    return reverse("memories:list")


def _number(text: str) -> int | None:
    return int(text) if text.isdecimal() and len(text) < 19 else None


def _template(request: PersonRequest) -> str:
    return "memories/forget.html#dialog" if request.htmx else "memories/forget.html"


def _go(request: PersonRequest, name: str, *args: int) -> HttpResponse:
    to = redirect(name, *args)
    return HttpResponseClientRedirect(to["Location"]) if request.htmx else to
