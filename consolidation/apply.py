"""Carry out a staged proposal: one transaction, under the person's lock, with every word and memory looked at again."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from datetime import datetime

from django.conf import settings
from django.db import transaction

from consolidation import guards
from consolidation.models import Candidate, Decision, Did, Guard, Night, NightState, Step, Verdict
from consolidation.reconcile import said
from memories.models import (
    AskedBy,
    Category,
    Confidence,
    Kind,
    Memory,
    Message,
    Origin,
    Person,
    Status,
    WaitingReason,
    Write,
    WriteOutcome,
    lock_person,
)
from memories.remember import Proposal, confirm, remember


def apply(night: Night, *, now: datetime, despite_cap: bool = False) -> None:
    """All of the proposal, or nothing: too many retirements hold the night for the person to look at."""
    with transaction.atomic():
        person = lock_person(night.person_id)
        held = Night.objects.select_for_update().get(pk=night.pk)
        if held.state != NightState.RUNNING or held.step != Step.APPLY or held.leased_until != night.leased_until:
            return  # another worker has it
        proposal = list(
            night.candidates.select_related("passage__message", "memory", "earlier").order_by("said_at", "pk")
        )
        if not despite_cap and _retires_too_many(person, proposal):
            night.count(proposed=len(proposal), retiring=_retiring(proposal))
            night.release(NightState.HELD, now=now)
            return
        applied = _Applied(night, person, now)
        for candidate in proposal:
            applied.take(candidate)
        finish(night, now=now)
        night.count(**_counts(night), read=applied.messages)
        night.reach(Step.CHECK)


def finish(night: Night, *, now: datetime) -> None:
    """What the night read is read, and what it staged is no longer needed."""
    night.candidates.all().delete()
    Message.objects.filter(pk__in=night.windows.values("messages"), read_at=None).update(read_at=now)


def _counts(night: Night) -> dict[str, int]:
    return dict(Counter(night.decisions.values_list("did", flat=True)))


def _retiring(proposal: list[Candidate]) -> int:
    return len({candidate.memory_id for candidate in proposal if candidate.verdict == Verdict.REPLACES} - {None})


def _retires_too_many(person: Person, proposal: list[Candidate]) -> bool:
    active = Memory.objects.of(person).active().count()
    most = max(settings.NIGHT_RETIRED_ALWAYS, math.floor(active * settings.NIGHT_MAX_RETIRED_SHARE))
    return _retiring(proposal) > most


def _doubt(verdict: str, reason: str, contradicts: Memory | None) -> WaitingReason | None:
    if verdict != Verdict.UNCLEAR:
        return None
    if reason == Guard.WRONG_LANGUAGE:
        return WaitingReason.LANGUAGE
    return WaitingReason.CONTRADICTS if contradicts else WaitingReason.UNCLEAR


@dataclass(frozen=True)
class _Came:
    """What came of one candidate, for those that were judged against it."""

    memory: Memory | None


class _Applied:
    def __init__(self, night: Night, person: Person, now: datetime) -> None:
        self.night, self.person, self.now = night, person, now
        self.came: dict[int, _Came] = {}
        self.messages = night.windows.values("messages").exclude(messages=None).distinct().count()

    def take(self, candidate: Candidate) -> None:
        target = self._target(candidate)
        verdict, reason = self._check_again(candidate, target)
        if verdict != Verdict.SAME and candidate.confidence == Confidence.LOW and self._enough_is_asked():
            memory = self._hold_back(candidate, Verdict.NOTHING, Guard.ENOUGH_ASKED, target)
        elif verdict == Verdict.SAME and target is not None:
            memory = self._confirm(candidate, target)
        elif verdict == Verdict.REPLACES and target is not None:
            memory = self._propose(candidate, verdict, reason, replaces=target)
        elif verdict == Verdict.UNCLEAR:
            memory = self._propose(candidate, verdict, reason, contradicts=target)
        elif verdict == Verdict.NEW:
            memory = self._propose(candidate, verdict, reason)
        else:
            memory = self._hold_back(candidate, verdict, reason, target)
        self.came[candidate.pk] = _Came(memory)

    def _enough_is_asked(self) -> bool:
        """What was only inferred is put to the person a few at a time; it can be inferred again."""
        waiting = Memory.objects.of(self.person).waiting().filter(waiting_reason=WaitingReason.INFERRED)
        return waiting.count() >= settings.NIGHT_INFERRED_WAITING

    def _target(self, candidate: Candidate) -> Memory | None:
        """The memory it was compared with, as it is now: itself, or what became of the earlier candidate."""
        if candidate.earlier_id is not None:
            came = self.came.get(candidate.earlier_id)
            found = came.memory if came else None
        else:
            found = candidate.memory
        return Memory.objects.of(self.person).kept().filter(pk=found.pk).first() if found else None

    def _check_again(self, candidate: Candidate, target: Memory | None) -> tuple[str, str]:
        """The verdict as it stands now: between judging and applying the person may have edited or deleted."""
        verdict, reason = candidate.verdict, candidate.reason
        if verdict not in {Verdict.SAME, Verdict.REPLACES}:
            return verdict, reason
        if target is None or target.status in {Status.SUPERSEDED, Status.DELETED}:
            return Verdict.NEW, reason
        if candidate.memory_version is not None and target.version != candidate.memory_version:
            return Verdict.NOTHING, Guard.EDITED
        stands, turned = guards.check(verdict, said(candidate), target)
        if stands == Verdict.SAME and candidate.passage.origin != Origin.TYPED and target.trusted:
            # Pasted words neither confirm nor renew what the person said.
            return Verdict.NOTHING, Guard.UNTRUSTED
        if stands == Verdict.SAME and candidate.passage.origin == Origin.TYPED and not target.trusted:
            # What waited for better words has got them: a memory of its own.
            return Verdict.NEW, reason
        return stands, turned or reason

    def _propose(
        self,
        candidate: Candidate,
        verdict: str,
        reason: str,
        *,
        replaces: Memory | None = None,
        contradicts: Memory | None = None,
    ) -> Memory | None:
        named = replaces or contradicts
        write = remember(
            self.person,
            Proposal(
                statement=candidate.statement,
                quote=candidate.passage.text[candidate.start : candidate.end],
                passage_id=candidate.passage_id,
                kind=Kind(candidate.kind),
                category=Category(candidate.category),
                confidence=Confidence(candidate.confidence),
                plan=candidate.plan,
                lasting=candidate.lasting,
                event_from=candidate.event_from,
                event_until=candidate.event_until,
                replaces=named.number if named else None,
                doubt=_doubt(verdict, reason, contradicts),
            ),
            now=self.now,
            asked_by=AskedBy.NIGHT,
        )
        self._record(candidate, verdict, reason, write, other=write.replaced or contradicts)
        return write.memory

    def _confirm(self, candidate: Candidate, target: Memory) -> Memory | None:
        before = target.evidence.count()
        write = confirm(target, candidate.passage, candidate.start, candidate.end, now=self.now, asked_by=AskedBy.NIGHT)
        if write.outcome != WriteOutcome.REFUSED and target.evidence.count() == before:
            return target  # the very words it rests on already: nothing was done, nothing is told
        self._record(candidate, Verdict.SAME, candidate.reason, write)
        return write.memory or target

    def _hold_back(self, candidate: Candidate, verdict: str, reason: str, target: Memory | None) -> Memory | None:
        self._decide(candidate, Did.HELD_BACK, verdict, reason, memory=target)
        return target

    def _record(
        self, candidate: Candidate, verdict: str, reason: str, write: Write, *, other: Memory | None = None
    ) -> None:
        did = _DID[WriteOutcome(write.outcome)]
        self._decide(candidate, did, verdict, write.reason or reason, memory=write.memory, other=other)

    def _decide(
        self,
        candidate: Candidate,
        did: Did,
        verdict: str,
        reason: str,
        *,
        memory: Memory | None = None,
        other: Memory | None = None,
    ) -> None:
        evidence = None
        if memory is not None:
            evidence = memory.evidence.filter(
                passage_id=candidate.passage_id, start=candidate.start, end=candidate.end
            ).first()
        Decision.objects.create(
            night=self.night,
            did=did,
            verdict=verdict,
            reason=reason,
            memory=memory,
            other=other,
            passage_id=candidate.passage_id,
            start=candidate.start,
            end=candidate.end,
            evidence=evidence,
            decided_at=self.now,
        )


_DID = {
    WriteOutcome.REMEMBERED: Did.ADDED,
    WriteOutcome.UPDATED: Did.REPLACED,
    WriteOutcome.CONFIRMED: Did.CONFIRMED,
    WriteOutcome.WAITING: Did.WAITING,
    WriteOutcome.REFUSED: Did.HELD_BACK,
}
