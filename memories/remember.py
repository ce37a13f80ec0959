"""The write door: every memory is born here, whoever asks. The model proposes; these rules decide."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, datetime

from django.db import transaction

from memories import index, language, policy, quotes, support
from memories.borrowed import is_borrowed
from memories.edit import StaleEdit, accept, edit, reject, restore
from memories.forgetting.blocking import blocked, deleted_before
from memories.models import (
    AskedBy,
    Category,
    Confidence,
    Evidence,
    Kind,
    Language,
    Memory,
    Message,
    Origin,
    Passage,
    Person,
    RefusalReason,
    Status,
    WaitingReason,
    Write,
    WriteOutcome,
    lock_person,
)
from memories.reading import readable
from memories.spans import Span, overlaps_any
from memories.statements import LONGEST, alike, is_storable, tidy
from memories.supersede import CannotSupersede, OlderThanWhatItReplaces, PlanOverPresent, check, supersede

__all__ = ["Proposal", "StaleEdit", "accept", "confirm", "edit", "reject", "remember", "restore", "supersede"]


QUOTE_LONGEST = 2_000  # characters; who quotes a whole page points at nothing
# Nothing that a person does lies outside of these, and counting days near the ends of the calendar fails.
EVENT_YEARS = range(1_500, 2_501)


@dataclass(frozen=True)
class Proposal:
    statement: str
    quote: str
    passage_id: int | None
    kind: Kind
    category: Category
    confidence: Confidence = Confidence.HIGH
    plan: bool = False
    lasting: bool = True
    event_from: date | None = None
    event_until: date | None = None
    asked_outright: bool = False
    replaces: int | None = None  # a memory's number
    # The caller's own doubt: kept for the person to decide, where nothing else would make it wait.
    doubt: WaitingReason | None = None


@dataclass(frozen=True)
class _Source:
    """What a proposal rests on: a span of a passage, or the person's own entry."""

    passage: Passage | None
    span: Span | None
    said_at: datetime
    trusted: bool


class _Refused(Exception):
    def __init__(self, reason: RefusalReason) -> None:
        self.reason = reason


def remember(
    person: Person, proposal: Proposal, *, now: datetime, asked_by: AskedBy, reply: Message | None = None
) -> Write:
    """The door's answer as a committed row: remembered, updated, said again, waiting or refused, with the reason."""
    with transaction.atomic():
        locked = lock_person(person.pk)
        try:
            return _write(locked, proposal, now=now, asked_by=asked_by, reply=reply)
        except _Refused as refusal:
            return _answer(locked, WriteOutcome.REFUSED, refusal.reason, now=now, asked_by=asked_by, reply=reply)


def confirm(
    memory: Memory,
    passage: Passage,
    start: int,
    end: int,
    *,
    now: datetime,
    asked_by: AskedBy,
    reply: Message | None = None,
) -> Write:
    """The same was said again: one more piece of evidence, and the memory is as new as that saying."""
    with transaction.atomic():
        person = lock_person(memory.person_id)
        try:
            kept = Memory.objects.of(person).kept().filter(pk=memory.pk).first()
            if kept is None:
                raise _Refused(RefusalReason.UNKNOWN_MEMORY)
            source = _passage_source(person, passage.pk, span=(start, end), asked_by=asked_by)
            if not source.trusted:
                raise _Refused(RefusalReason.NOT_THEIR_WORDS)
            _add_evidence(kept, source)
            return _answer(person, WriteOutcome.CONFIRMED, "", memory=kept, now=now, asked_by=asked_by, reply=reply)
        except _Refused as refusal:
            return _answer(person, WriteOutcome.REFUSED, refusal.reason, now=now, asked_by=asked_by, reply=reply)


def _write(person: Person, proposal: Proposal, *, now: datetime, asked_by: AskedBy, reply: Message | None) -> Write:
    statement = _statement(proposal)
    if asked_by in {AskedBy.CHAT, AskedBy.NIGHT} and not person.learn_memories:
        raise _Refused(RefusalReason.LEARNING_OFF)
    if policy.is_credential(statement) or policy.is_credential(proposal.quote):
        raise _Refused(RefusalReason.CREDENTIAL)
    source = _source(person, proposal, now=now, asked_by=asked_by)
    if proposal.doubt != WaitingReason.LANGUAGE:
        _check_language(person, statement, proposal.quote, source)
    _check_not_deleted(person, statement, source)
    replaced = _to_replace(person, proposal.replaces)
    reason = _why_it_waits(person, proposal, statement, source, asked_by=asked_by)

    if same := _same(person, statement, proposal):
        return _said_again(person, same, source, reason, now=now, asked_by=asked_by, reply=reply)
    if replaced is not None:
        try:
            check(replaced, said_at=source.said_at, trusted=True, plan=proposal.plan)
        except OlderThanWhatItReplaces:
            raise _Refused(RefusalReason.OLDER) from None
        except PlanOverPresent:
            replaced = None
        except CannotSupersede:
            raise _Refused(RefusalReason.UNKNOWN_MEMORY) from None

    memory = _create(person, proposal, statement, source, reason, now=now, reply=reply)
    if reason:
        # What it would replace is kept on the write; accepting it replaces.
        outcome = WriteOutcome.WAITING
    elif replaced is not None:
        supersede(replaced, memory, now=now)
        outcome = WriteOutcome.UPDATED
    else:
        outcome = WriteOutcome.REMEMBERED
    return _answer(person, outcome, reason, memory=memory, replaced=replaced, now=now, asked_by=asked_by, reply=reply)


def _statement(proposal: Proposal) -> str:
    if not is_storable(proposal.statement) or not is_storable(proposal.quote):
        raise _Refused(RefusalReason.MALFORMED)
    if len(proposal.quote) > QUOTE_LONGEST:
        raise _Refused(RefusalReason.MALFORMED)
    statement = tidy(proposal.statement)
    if not re.search(r"\w", statement):
        raise _Refused(RefusalReason.BLANK)
    well_formed = (
        len(statement) <= LONGEST
        and proposal.kind in Kind.values
        and proposal.category in Category.values
        and proposal.confidence in Confidence.values
        and (proposal.event_until is None or proposal.event_from is not None)
        and all(day.year in EVENT_YEARS for day in (proposal.event_from, proposal.event_until) if day)
        and not (proposal.event_from and proposal.event_until and proposal.event_until < proposal.event_from)
    )
    if not well_formed:
        raise _Refused(RefusalReason.MALFORMED)
    return statement


def _source(person: Person, proposal: Proposal, *, now: datetime, asked_by: AskedBy) -> _Source:
    if proposal.passage_id is None:
        if asked_by == AskedBy.PAGE:
            return _Source(passage=None, span=None, said_at=now, trusted=True)
        if asked_by == AskedBy.IMPORT:
            return _Source(passage=None, span=None, said_at=now, trusted=False)
        raise _Refused(RefusalReason.QUOTE_NOT_FOUND)
    return _passage_source(person, proposal.passage_id, quote=proposal.quote, asked_by=asked_by)


def _passage_source(
    person: Person, passage_id: int, *, asked_by: AskedBy, quote: str = "", span: Span | None = None
) -> _Source:
    passage = (
        Passage.objects.of(person)
        .select_related("message__conversation")
        .prefetch_related("tombstones")
        .filter(pk=passage_id)
        .first()
    )
    if passage is None:
        raise _Refused(RefusalReason.QUOTE_NOT_FOUND)
    if not passage.message.conversation.learns:
        raise _Refused(RefusalReason.LEARNING_OFF)
    if passage.origin == Origin.ASSISTANT:
        raise _Refused(RefusalReason.NOT_THEIR_WORDS)
    gone = [(tombstone.start, tombstone.end) for tombstone in passage.tombstones.all()]
    if span is None:
        span = quotes.locate(quote, passage.text, gone)
        if span is None and quotes.stands_in_forgotten(quote, passage.text, gone):
            raise _Refused(RefusalReason.DELETED)
    elif overlaps_any(span, gone):
        raise _Refused(RefusalReason.DELETED)
    if span is None or not 0 <= span[0] < span[1] <= len(passage.text):
        raise _Refused(RefusalReason.QUOTE_NOT_FOUND)
    return _Source(passage=passage, span=span, said_at=passage.message.said_at, trusted=passage.origin == Origin.TYPED)


def _check_language(person: Person, statement: str, quote: str, source: _Source) -> None:
    if source.passage is None:
        return
    traditional = person.language == Language.CHINESE
    around = readable(source.passage)[:2_000]
    if not language.same_language(statement, quote, around=around, traditional=traditional):
        raise _Refused(RefusalReason.WRONG_LANGUAGE)


def _check_not_deleted(person: Person, statement: str, source: _Source) -> None:
    """What is older than a deletion that covers it is blocked for good; what is said anew is new."""
    if source.passage is None:
        return
    assert source.span is not None
    start, end = source.span
    covered = blocked(person, statement=statement, said_at=source.said_at, passage=source.passage, start=start, end=end)
    # A rejected proposal is not proposed again from the same words.
    rejected = Evidence.objects.filter(
        memory__person=person,
        memory__status=Status.DELETED,
        memory__statement="",
        passage=source.passage,
        start=start,
        end=end,
    )
    if covered or rejected.exists():
        raise _Refused(RefusalReason.DELETED)


def _to_replace(person: Person, number: int | None) -> Memory | None:
    """The memory that a proposal names; where that one was replaced meanwhile, what replaced it."""
    if number is None:
        return None
    memory = Memory.objects.of(person).kept().filter(number=number).first()
    while memory is not None and memory.status == Status.SUPERSEDED and memory.superseded_by_id is not None:
        memory = Memory.objects.of(person).kept().filter(pk=memory.superseded_by_id).first()
    if memory is None:
        raise _Refused(RefusalReason.UNKNOWN_MEMORY)
    return memory


def _why_it_waits(
    person: Person, proposal: Proposal, statement: str, source: _Source, *, asked_by: AskedBy
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


def _asked_outright(source: _Source) -> bool:
    """The person's own words around the quote ask for it to be kept; the model's word for it is not enough."""
    if source.passage is None or source.span is None:
        return True
    start, end = source.span
    return policy.asks_outright(source.passage.text[max(0, start - 120) : end + 120])


def _same(person: Person, statement: str, proposal: Proposal) -> Memory | None:
    """A memory that says this already. Its search row holds every word of the statement."""
    wanted = index.terms(person.pk, statement)
    if not wanted:
        return None
    near = (
        Memory.objects.of(person)
        .filter(status__in=[Status.ACTIVE, Status.WAITING, Status.FADED], plan=proposal.plan)
        .filter(search_row__person=person, search_row__terms__contains=wanted)
        .order_by("status", "number")
    )
    return next((memory for memory in near if alike(memory.statement, statement)), None)


def _said_again(
    person: Person,
    same: Memory,
    source: _Source,
    reason: WaitingReason | None,
    *,
    now: datetime,
    asked_by: AskedBy,
    reply: Message | None,
) -> Write:
    """A memory that says this is there already: it gains the evidence, and stops waiting if nothing speaks against."""
    waits = same.status == Status.WAITING
    if not source.trusted and not waits:
        # Someone else's text agrees with the person: nothing to add, and nothing to ask.
        return _answer(person, WriteOutcome.CONFIRMED, "", memory=same, now=now, asked_by=asked_by, reply=reply)
    _add_evidence(same, source)
    if waits and reason is None:
        same.status, same.waiting_reason, same.trusted = Status.ACTIVE, "", True
        same.confidence = Confidence.HIGH
        same.save(update_fields=["status", "waiting_reason", "trusted", "confidence"])
        return _answer(person, WriteOutcome.REMEMBERED, "", memory=same, now=now, asked_by=asked_by, reply=reply)
    outcome = WriteOutcome.WAITING if waits else WriteOutcome.CONFIRMED
    return _answer(
        person, outcome, same.waiting_reason if waits else "", memory=same, now=now, asked_by=asked_by, reply=reply
    )


def _create(
    person: Person,
    proposal: Proposal,
    statement: str,
    source: _Source,
    reason: WaitingReason | None,
    *,
    now: datetime,
    reply: Message | None,
) -> Memory:
    memory = Memory.objects.create(
        person=person,
        number=person.take_memory_number(),
        statement=statement,
        kind=proposal.kind,
        category=proposal.category,
        status=Status.WAITING if reason else Status.ACTIVE,
        waiting_reason=reason or "",
        confidence=proposal.confidence,
        trusted=source.trusted,
        plan=proposal.plan,
        lasting=proposal.lasting,
        event_from=proposal.event_from,
        event_until=proposal.event_until or proposal.event_from,
        said_at=source.said_at,
        reply=reply,
        created_at=now,
    )
    _add_evidence(memory, source)
    index.add_memory(memory)
    return memory


def _add_evidence(memory: Memory, source: _Source) -> None:
    start, end = source.span or (None, None)
    _, is_new = Evidence.objects.get_or_create(
        memory=memory, passage=source.passage, start=start, end=end, defaults={"said_at": source.said_at}
    )
    if is_new and memory.evidence.count() > 1:
        memory.said_at = max(memory.said_at, source.said_at)
        memory.confirmed_at = max(memory.confirmed_at or source.said_at, source.said_at)
        if memory.status == Status.FADED:
            memory.status = Status.ACTIVE
        memory.save(update_fields=["said_at", "confirmed_at", "status"])


def _answer(
    person: Person,
    outcome: WriteOutcome,
    reason: RefusalReason | WaitingReason | str | None,
    *,
    now: datetime,
    asked_by: AskedBy,
    reply: Message | None,
    memory: Memory | None = None,
    replaced: Memory | None = None,
) -> Write:
    return Write.objects.create(
        person=person,
        asked_by=asked_by,
        outcome=outcome,
        reason=reason or "",
        memory=memory,
        replaced=replaced,
        reply=reply,
        written_at=now,
    )
