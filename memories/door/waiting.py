"""Why a proposal waits for the person, if it does."""

from __future__ import annotations

from datetime import datetime

from memories import policy, support
from memories.borrowed import is_borrowed
from memories.door.proposal import Proposal
from memories.door.source import Source
from memories.forgetting.blocking import deleted_before
from memories.models import AskedBy, Confidence, Memory, Origin, Passage, Person, Status, WaitingReason
from memories.reading import readable


def why_it_waits(
    person: Person, proposal: Proposal, statement: str, source: Source, *, asked_by: AskedBy
) -> WaitingReason | None:
    if asked_by == AskedBy.PAGE:
        return None  # the person is here and decides
    if asked_by == AskedBy.IMPORT and deleted_before(person, statement):
        return WaitingReason.DELETED_BEFORE
    if not source.trusted or (source.passage is not None and is_borrowed(statement, source.passage)):
        return WaitingReason.UNTRUSTED
    if source.passage and source.span and policy.is_spoken_by_another(source.passage.text, source.span):
        return WaitingReason.UNTRUSTED
    if policy.is_outward(statement, proposal.kind) or policy.is_outward(proposal.quote, proposal.kind):
        return WaitingReason.OUTWARD
    if policy.is_sensitive(statement, proposal.category) and not _asked_outright(source):
        return WaitingReason.SENSITIVE
    if proposal.confidence == Confidence.LOW:
        return WaitingReason.INFERRED
    if proposal.doubt is not None:
        return proposal.doubt
    if source.passage is not None and _says_more(person, proposal, statement, source.passage, source.said_at):
        return WaitingReason.INFERRED
    if person.ask_before_saving:
        return WaitingReason.ASKED
    return None


# What the person typed before the quoted words explains them: "she", "that one".
EARLIER_MESSAGES = 12
CONTEXT_CHARACTERS = 20_000


def _says_more(person: Person, proposal: Proposal, statement: str, passage: Passage, said_at: datetime) -> bool:
    """A true quote does not make its statement true: what it adds must stand in the person's own words too."""
    days = [day for day in (person.local(said_at).date(), proposal.event_from, proposal.event_until) if day]
    own, known = _typed_before(passage), _known(person, statement)
    return not support.is_supported(statement, quote=proposal.quote, own=own, known=known, days=days)


def _typed_before(passage: Passage) -> str:
    """What the person typed in this message and before it, the newest first."""
    message = passage.message
    near = (
        Passage.objects.filter(message__conversation=message.conversation_id, message__shown=True, origin=Origin.TYPED)
        .filter(message__position__lte=message.position, message__position__gt=message.position - EARLIER_MESSAGES)
        .prefetch_related("tombstones")
        .order_by("-message__position", "position")
    )
    return "\n".join(readable(one) for one in near)[:CONTEXT_CHARACTERS]


def _known(person: Person, statement: str) -> list[str]:
    """What is remembered from the person's own words about the names that the statement has."""
    trusted = Memory.objects.of(person).filter(trusted=True, status__in=[Status.ACTIVE, Status.SUPERSEDED])
    found = [
        trusted.filter(statement__icontains=name).values_list("statement", flat=True).first()
        for name in support.names(statement)
    ]
    return [one for one in found if one]


def _asked_outright(source: Source) -> bool:
    """The person's own words around the quote ask for it to be kept; the model's word for it is not enough."""
    if source.passage is None or source.span is None:
        return True
    start, end = source.span
    return policy.asks_outright(source.passage.text[max(0, start - 120) : end + 120])
