"""A new saying replaces an old one; both are kept. The guards hold whoever asks."""

from __future__ import annotations

from datetime import datetime

from memories import index, lines
from memories.models import Memory, Status


class CannotSupersede(Exception):
    """Raised by a guard; each has its own class."""


class ReplacesItself(CannotSupersede):
    pass


class NotCurrent(CannotSupersede):
    """What should be replaced is not current: it was replaced, deleted, or never accepted."""


class OlderThanWhatItReplaces(CannotSupersede):
    """An older statement never supersedes a newer one."""


class Untrusted(CannotSupersede):
    """What is not the person's own, accepted word replaces nothing."""


class PlanOverPresent(CannotSupersede):
    """A plan does not change the present."""


def check(old: Memory, *, said_at: datetime, trusted: bool, plan: bool) -> None:
    """Whether something said then, so, may replace `old`. Raises the guard's exception."""
    if old.status not in {Status.ACTIVE, Status.FADED}:
        raise NotCurrent
    if not trusted:
        raise Untrusted
    if said_at < old.said_at:
        raise OlderThanWhatItReplaces
    if plan and not old.plan:
        raise PlanOverPresent


def supersede(old: Memory, new: Memory, *, now: datetime) -> None:
    """The caller holds the person's lock and has read both memories under it."""
    if old.pk == new.pk or old.person_id != new.person_id:
        raise ReplacesItself
    if new.status != Status.ACTIVE:
        raise Untrusted
    check(old, said_at=new.said_at, trusted=new.trusted, plan=new.plan)
    old.status = Status.SUPERSEDED
    old.superseded_by = new
    old.superseded_at = now
    old.save(update_fields=["status", "superseded_by", "superseded_at"])
    lines.restate(old, instead=new)


def restore(old: Memory, *, now: datetime) -> None:
    """Make a replaced or faded memory current again: the person asked, or a night is undone. Under the lock."""
    if old.status not in {Status.SUPERSEDED, Status.FADED}:
        raise NotCurrent
    old.status = Status.ACTIVE
    old.superseded_by = None
    old.superseded_at = None
    old.confirmed_at = now
    old.save(update_fields=["status", "superseded_by", "superseded_at", "confirmed_at"])
    index.add_memory(old)
