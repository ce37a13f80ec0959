"""The write door: every memory is born here, whoever asks. The model proposes; these rules decide."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Any

from django.db import connection, transaction

from memories import index, policy
from memories.door.birth import bear
from memories.door.proposal import Proposal, Refused
from memories.door.source import Source, check_language, check_not_deleted, passage_source, source_of
from memories.door.waiting import why_it_waits
from memories.edit import StaleEdit, accept, edit, reject, restore
from memories.models import (
    AskedBy,
    Category,
    Confidence,
    Evidence,
    Kind,
    Memory,
    Message,
    Passage,
    Person,
    RefusalReason,
    Status,
    WaitingReason,
    Write,
    WriteOutcome,
    lock_person,
)
from memories.statements import LONGEST, alike, is_storable, tidy
from memories.supersede import CannotSupersede, OlderThanWhatItReplaces, PlanOverPresent, check, supersede

__all__ = ["Proposal", "StaleEdit", "accept", "confirm", "edit", "reject", "remember", "restore", "supersede"]


QUOTE_LONGEST = 2_000  # characters; who quotes a whole page points at nothing
# Nothing that a person does lies outside of these, and counting days near the ends of the calendar fails.
EVENT_YEARS = range(1_500, 2_501)
_ALIVE = [Status.ACTIVE.value, Status.WAITING.value, Status.FADED.value]
_ALL_WORDS = """
SELECT memory.id, memory.statement
FROM memories_memorysearch words JOIN memories_memory memory ON memory.id = words.memory_id
WHERE words.person_id = %(person)s AND words.terms @> %(terms)s::bigint[]
  AND memory.person_id = %(person)s AND memory.status = ANY(%(alive)s) AND memory.plan = %(plan)s
ORDER BY memory.status, memory.number
"""


def remember(
    person: Person, proposal: Proposal, *, now: datetime, asked_by: AskedBy, reply: Message | None = None
) -> Write:
    """The door's answer as a committed row: remembered, updated, said again, waiting or refused, with the reason."""
    with transaction.atomic():
        locked = lock_person(person.pk)
        try:
            return _write(locked, proposal, now=now, asked_by=asked_by, reply=reply)
        except Refused as refusal:
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
                raise Refused(RefusalReason.UNKNOWN_MEMORY)
            source = passage_source(person, passage.pk, span=(start, end), asked_by=asked_by)
            if not source.trusted:
                raise Refused(RefusalReason.NOT_THEIR_WORDS)
            _add_evidence(kept, source)
            return _answer(person, WriteOutcome.CONFIRMED, "", memory=kept, now=now, asked_by=asked_by, reply=reply)
        except Refused as refusal:
            return _answer(person, WriteOutcome.REFUSED, refusal.reason, now=now, asked_by=asked_by, reply=reply)


def _write(person: Person, proposal: Proposal, *, now: datetime, asked_by: AskedBy, reply: Message | None) -> Write:
    statement = _statement(proposal)
    if asked_by in {AskedBy.CHAT, AskedBy.NIGHT} and not person.learn_memories:
        raise Refused(RefusalReason.LEARNING_OFF)
    if policy.is_credential(statement) or policy.is_credential(proposal.quote):
        raise Refused(RefusalReason.CREDENTIAL)
    source = source_of(person, proposal, now=now, asked_by=asked_by)
    if proposal.doubt != WaitingReason.LANGUAGE:
        check_language(person, statement, proposal.quote, source)
    check_not_deleted(person, statement, source)
    replaced = _to_replace(person, proposal.replaces)
    reason = why_it_waits(person, proposal, statement, source, asked_by=asked_by)

    if same := _same(person, statement, proposal):
        return _said_again(person, same, source, reason, now=now, asked_by=asked_by, reply=reply)
    if replaced is not None:
        try:
            check(replaced, said_at=source.said_at, trusted=True, plan=proposal.plan)
        except OlderThanWhatItReplaces:
            raise Refused(RefusalReason.OLDER) from None
        except PlanOverPresent:
            replaced = None
        except CannotSupersede:
            raise Refused(RefusalReason.UNKNOWN_MEMORY) from None

    outcome = WriteOutcome.REMEMBERED if replaced is None else WriteOutcome.UPDATED
    if reason:
        # What it would replace is kept on the write; accepting it replaces.
        outcome = WriteOutcome.WAITING
    memory = _unborn(person, proposal, statement, source, reason, now=now, reply=reply)
    start, end = source.span or (None, None)
    evidence = Evidence(passage_id=source.passage_id, start=start, end=end, said_at=source.said_at)
    write = _unwritten(person, outcome, reason, replaced=replaced, now=now, asked_by=asked_by, reply=reply)
    bear(memory, evidence, write)
    if replaced is not None and not reason:
        supersede(replaced, memory, now=now)
    return write


def _statement(proposal: Proposal) -> str:
    if not is_storable(proposal.statement) or not is_storable(proposal.quote):
        raise Refused(RefusalReason.MALFORMED)
    if len(proposal.quote) > QUOTE_LONGEST:
        raise Refused(RefusalReason.MALFORMED)
    statement = tidy(proposal.statement)
    if not re.search(r"\w", statement):
        raise Refused(RefusalReason.BLANK)
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
        raise Refused(RefusalReason.MALFORMED)
    return statement


def _to_replace(person: Person, number: int | None) -> Memory | None:
    """The memory that a proposal names; where that one was replaced meanwhile, what replaced it."""
    if number is None:
        return None
    memory = Memory.objects.of(person).kept().filter(number=number).first()
    while memory is not None and memory.status == Status.SUPERSEDED and memory.superseded_by_id is not None:
        memory = Memory.objects.of(person).kept().filter(pk=memory.superseded_by_id).first()
    if memory is None:
        raise Refused(RefusalReason.UNKNOWN_MEMORY)
    return memory


def _same(person: Person, statement: str, proposal: Proposal) -> Memory | None:
    """A memory that says this already. Its search row holds every word of the statement."""
    wanted = index.terms(person.pk, statement)
    if not wanted:
        return None
    with connection.cursor() as cursor:
        cursor.execute(_ALL_WORDS, {"person": person.pk, "terms": wanted, "plan": proposal.plan, "alive": _ALIVE})
        same = next((pk for pk, said in cursor.fetchall() if alike(said, statement)), None)
    return None if same is None else Memory.objects.of(person).get(pk=same)


def _said_again(
    person: Person,
    same: Memory,
    source: Source,
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


def _unborn(
    person: Person,
    proposal: Proposal,
    statement: str,
    source: Source,
    reason: WaitingReason | None,
    *,
    now: datetime,
    reply: Message | None,
) -> Memory:
    return Memory(
        person=person,
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


def _add_evidence(memory: Memory, source: Source) -> None:
    """One more place where it was said, unless it is known."""
    start, end = source.span or (None, None)
    known = list(Evidence.objects.filter(memory=memory).values_list("passage_id", "start", "end"))
    if (source.passage_id, start, end) in known:
        return
    Evidence.objects.create(memory=memory, passage_id=source.passage_id, start=start, end=end, said_at=source.said_at)
    if known:
        memory.said_at = max(memory.said_at, source.said_at)
        memory.confirmed_at = max(memory.confirmed_at or source.said_at, source.said_at)
        if memory.status == Status.FADED:
            memory.status = Status.ACTIVE
        memory.save(update_fields=["said_at", "confirmed_at", "status"])


def _answer(person: Person, outcome: WriteOutcome, reason: str, **told: Any) -> Write:
    write = _unwritten(person, outcome, reason, **told)
    write.save(force_insert=True)
    return write


def _unwritten(
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
    return Write(
        person=person,
        asked_by=asked_by,
        outcome=outcome,
        reason=reason or "",
        memory=memory,
        replaced=replaced,
        reply=reply,
        written_at=now,
    )
