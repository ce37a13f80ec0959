"""A night in plain words: its decisions with the memories and the quoted words, as they may be shown now."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from itertools import groupby
from typing import TYPE_CHECKING

from django.db.models import Prefetch, prefetch_related_objects
from django.utils.translation import gettext_lazy as _

from claude.problems import OTHER_PROBLEM, PROBLEMS
from consolidation.models import Candidate, Decision, Did, Guard, Night, NightState, Verdict
from memories.models import Memory, Passage, Person, RefusalReason, Status, WaitingReason
from memories.reading import readable_text

if TYPE_CHECKING:
    from django.utils.functional import Promise, _StrPromise

_ORDER = [
    Did.ADDED,
    Did.REPLACED,
    Did.CONFIRMED,
    Did.WAITING,
    Did.ASKED,
    Did.SETTLED,
    Did.CHECKED,
    Did.FADED,
    Did.HELD_BACK,
]
_HEADINGS: dict[str, _StrPromise] = {
    Did.ADDED: _("Added"),
    Did.REPLACED: _("Replaced an older one"),
    Did.CONFIRMED: _("Said again: one more source"),
    Did.WAITING: _("Waiting for you"),
    Did.ASKED: _("Asked you: is it still so?"),
    Did.SETTLED: _("Two that say the same, or do not go together: the newer holds"),
    Did.CHECKED: _("Checked, and it still holds"),
    Did.FADED: _("Faded: not confirmed for long"),
    Did.HELD_BACK: _("Held back"),
}
_REASONS: dict[str, str | _StrPromise] = {
    **dict(RefusalReason.choices),
    **dict(WaitingReason.choices),
    **dict(Guard.choices),
}
_ADDS_NOTHING = _("It adds nothing to what is remembered.")


@dataclass(frozen=True)
class Told:
    """One decision."""

    memory: Memory | None
    # What it said when the night decided; the person may have changed it since.
    said: str
    edited: bool
    other: Memory | None
    other_said: str
    words: str
    conversation: int | None
    message: int | None
    passage: Passage | None
    start: int | None
    end: int | None
    reason: str
    deleted: bool


@dataclass(frozen=True)
class Group:
    did: str
    heading: str | _StrPromise
    told: list[Told]


@dataclass(frozen=True)
class ToldNight:
    night: Night
    began: datetime
    groups: list[Group] = field(default_factory=list)
    proposal: list[Candidate] = field(default_factory=list)
    stuck: bool = False
    can_undo: bool = False

    @property
    def problem(self) -> str | Promise:
        return PROBLEMS.get(self.night.error, OTHER_PROBLEM)


def tell(nights: Iterable[Night], person: Person, *, now: datetime) -> list[ToldNight]:
    nights = list(nights)
    decisions = Decision.objects.select_related("memory", "other", "passage__message").prefetch_related(
        "passage__tombstones", "memory__versions", "other__versions"
    )
    candidates = Candidate.objects.select_related("memory", "passage").filter(
        night__state=NightState.HELD, verdict=Verdict.REPLACES
    )
    prefetch_related_objects(
        nights,
        Prefetch("decisions", decisions.order_by("pk")),
        Prefetch("candidates", candidates.order_by("said_at", "pk"), to_attr="proposed"),
    )
    return [_tell(night, person, now) for night in nights]


def _tell(night: Night, person: Person, now: datetime) -> ToldNight:
    decisions = sorted(night.decisions.all(), key=lambda decision: _ORDER.index(Did(decision.did)))
    groups = [
        Group(did, _HEADINGS[did], [_told(decision) for decision in some])
        for did, some in groupby(decisions, key=lambda decision: decision.did)
    ]
    return ToldNight(
        night,
        person.local(night.started_at),
        groups,
        list(getattr(night, "proposed", [])),
        stuck=night.is_stuck(now),
        can_undo=night.state == NightState.DONE
        and bool({group.did for group in groups} - {Did.HELD_BACK, Did.CHECKED}),
    )


def _told(decision: Decision) -> Told:
    memory, other = _visible(decision.memory), _visible(decision.other)
    passage = decision.passage
    return Told(
        memory=memory,
        said=_said_then(memory, decision.decided_at),
        edited=memory is not None and _said_then(memory, decision.decided_at) != memory.statement,
        other=other,
        other_said=_said_then(other, decision.decided_at),
        words=_words(decision),
        conversation=passage.message.conversation_id if passage else None,
        message=passage.message_id if passage else None,
        passage=passage,
        start=decision.start,
        end=decision.end,
        reason=reason_words(decision),
        deleted=decision.memory is not None and memory is None,
    )


def _visible(memory: Memory | None) -> Memory | None:
    return None if memory is None or memory.status == Status.DELETED else memory


def _said_then(memory: Memory | None, at: datetime) -> str:
    """Earlier words stand in the memory's versions, and nowhere else."""
    if memory is None:
        return ""
    later = [version for version in memory.versions.all() if version.replaced_at > at]
    return min(later, key=lambda version: version.number).statement if later else memory.statement


def _words(decision: Decision) -> str:
    """The quoted words, if they may still be read."""
    passage = decision.passage
    if passage is None or decision.start is None or decision.end is None:
        return ""
    start, end = decision.start, decision.end
    gone = [
        (max(mark.start - start, 0), mark.end - start)
        for mark in passage.tombstones.all()
        if mark.end > start and mark.start < end
    ]
    return "" if gone else readable_text(passage.text[start:end], [])


def reason_words(decision: Decision) -> str:
    if decision.reason:
        return str(_REASONS.get(decision.reason, decision.reason))
    return str(_ADDS_NOTHING) if decision.verdict == Verdict.NOTHING else ""
