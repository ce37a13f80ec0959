"""What the assistant was asked to forget, as a card in the conversation. It only proposes: the person confirms."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from django.db import transaction

from memories.forgetting.carry import carry_out
from memories.forgetting.gather import gather
from memories.forgetting.plan import NothingToForget, Plan
from memories.forgetting.receipt import layer_labels
from memories.forgetting.request import is_about_subject, resolve
from memories.models import Memory, Message, Person, ProposalState, ProposedDeletion, Via, lock_person

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise


@dataclass(frozen=True)
class Group:
    """One of the things that a request may mean."""

    number: int
    memories: tuple[Memory, ...]


def propose(person: Person, request: str, *, reply: Message, now: datetime) -> ProposedDeletion | None:
    """A card for what `request` may mean; None when nothing that is remembered fits. Deletes nothing."""
    groups = resolve(person, request, now=now)
    if not groups:
        return None
    about = is_about_subject(request)
    plan = gather(person, groups[0], about=about, now=now) if len(groups) == 1 else None
    return ProposedDeletion.objects.create(
        person=person,
        reply=reply,
        groups=[[memory.pk for memory in group] for group in groups],
        about=about,
        counts=plan.counts if plan else {},
        proposed_at=now,
    )


def groups_of(proposal: ProposedDeletion) -> list[Group]:
    """The groups with the memories that are still there."""
    keys = [pk for group in proposal.groups for pk in group]
    there = Memory.objects.filter(person=proposal.person_id, pk__in=keys).kept().in_bulk()
    groups = [tuple(there[pk] for pk in group if pk in there) for group in proposal.groups]
    return [Group(number, memories) for number, memories in enumerate(groups) if memories]


@dataclass(frozen=True)
class Card:
    """A proposal as its card in the conversation shows it."""

    pk: int
    state: str
    deletion_id: int | None
    choices: list[Group]
    goes: list[tuple[str | _StrPromise, int]]


def card_of(proposal: ProposedDeletion) -> Card:
    open_ = proposal.state == ProposalState.OPEN
    return Card(
        pk=proposal.pk,
        state=proposal.state,
        deletion_id=proposal.deletion_id,
        choices=groups_of(proposal) if open_ else [],
        goes=layer_labels(proposal.counts) if open_ else [],
    )


def plan_of(proposal: ProposedDeletion, *, now: datetime, group: int | None = None) -> Plan:
    """The plan as things stand now: what was said since the card appeared is looked at too."""
    groups = groups_of(proposal)
    if group is not None:
        groups = [found for found in groups if found.number == group]
    if len(groups) > 1:
        choices = tuple(found.memories for found in groups)
        return Plan(person=proposal.person, made_at=now, groups=choices, about=proposal.about)
    if not groups:
        return Plan(person=proposal.person, made_at=now)
    return gather(proposal.person, groups[0].memories, about=proposal.about, now=now)


def answer(
    proposal: ProposedDeletion, *, confirmed: bool, now: datetime, erase_words: bool = False, group: int | None = None
) -> ProposedDeletion:
    """Carry the card's plan out, or close it. A card that was answered stays as it was answered."""
    plan = plan_of(proposal, now=now, group=group) if confirmed else None
    with transaction.atomic():
        lock_person(proposal.person_id)
        proposal = ProposedDeletion.objects.select_for_update().get(pk=proposal.pk)
        if proposal.state != ProposalState.OPEN:
            return proposal
        if plan is not None:
            if plan.is_empty:
                raise NothingToForget
            proposal.deletion = carry_out(plan, now=now, via=Via.CHAT, erase_words=erase_words, keep=plan.undecided)
        proposal.state = ProposalState.CONFIRMED if confirmed else ProposalState.CANCELLED
        proposal.answered_at = now
        proposal.save(update_fields=["deletion", "state", "answered_at"])
    return proposal
