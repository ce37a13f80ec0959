"""Why a proposal waits for the person, if it does."""

from __future__ import annotations

from functools import partial

from memories import policy, support
from memories.borrowed import is_borrowed
from memories.door.proposal import Proposal
from memories.door.said import Said, typed_before
from memories.door.source import Source
from memories.forgetting.blocking import deleted_before
from memories.models import AskedBy, Confidence, Memory, Person, Status, WaitingReason


def why_it_waits(
    person: Person, proposal: Proposal, statement: str, source: Source, *, asked_by: AskedBy
) -> WaitingReason | None:
    if asked_by == AskedBy.PAGE:
        return None  # the person is here and decides
    if asked_by == AskedBy.IMPORT and deleted_before(person, statement):
        return WaitingReason.DELETED_BEFORE
    if not source.trusted or (source.said is not None and is_borrowed(statement, source.said)):
        return WaitingReason.UNTRUSTED
    if source.said and source.span and policy.is_spoken_by_another(source.said.text, source.span):
        return WaitingReason.UNTRUSTED
    if policy.is_outward(statement, proposal.kind) or policy.is_outward(proposal.quote, proposal.kind):
        return WaitingReason.OUTWARD
    if policy.is_sensitive(statement, proposal.category) and not _asked_outright(source):
        return WaitingReason.SENSITIVE
    if proposal.confidence == Confidence.LOW:
        return WaitingReason.INFERRED
    if proposal.doubt is not None:
        return proposal.doubt
    if source.said is not None and _says_more(person, proposal, statement, source.said):
        return WaitingReason.INFERRED
    if person.ask_before_saving:
        return WaitingReason.ASKED
    return None


def _says_more(person: Person, proposal: Proposal, statement: str, said: Said) -> bool:
    """A true quote does not make its statement true: what it adds must stand in the person's own words too."""
    days = [day for day in (person.local(said.said_at).date(), proposal.event_from, proposal.event_until) if day]
    supported = partial(support.is_supported, statement, quote=proposal.quote, own=typed_before(said), days=days)
    # What was said long before is only looked for where what was said now is not enough.
    return not (supported() or supported(known=_known(person, statement)))


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
    if source.said is None or source.span is None:
        return True
    start, end = source.span
    return policy.asks_outright(source.said.text[max(0, start - 120) : end + 120])
