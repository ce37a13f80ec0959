"""What can never be so, the database itself refuses, whoever writes it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime, timedelta

import pytest
from django.db import IntegrityError, transaction

from consolidation.models import Night, NightState
from memories.models import (
    Confidence,
    Conversation,
    Deletion,
    Kind,
    Memory,
    Message,
    OrderedDeletion,
    Person,
    ProposalState,
    ProposedDeletion,
    Role,
    Status,
    Via,
    WaitingReason,
)

pytestmark = pytest.mark.django_db

HOUR = timedelta(hours=1)


def _memory(person: Person, now: datetime, **more: object) -> None:
    Memory.objects.create(
        person=person,
        number=1,
        statement="The user sews.",
        kind=Kind.SEMANTIC,
        confidence=Confidence.HIGH,
        trusted=True,
        said_at=now,
        created_at=now,
        **{"status": Status.ACTIVE} | more,
    )


def _deletion(person: Person, now: datetime, **more: object) -> Deletion:
    return Deletion.objects.create(person=person, via=Via.LIST, carried_out_at=now, **{"undo_until": now + HOUR} | more)


def _proposal(person: Person, now: datetime, **more: object) -> None:
    conversation = Conversation.objects.create(person=person, started_at=now, last_said_at=now)
    reply = Message.objects.create(
        person=person, conversation=conversation, position=0, role=Role.ASSISTANT, said_at=now
    )
    ProposedDeletion.objects.create(person=person, reply=reply, proposed_at=now, **more)


def _night(person: Person, now: datetime, **more: object) -> None:
    Night.objects.create(
        person=person, local_date=now.date(), started_at=now, leased_until=now, reads_until=now, **more
    )


REFUSED: dict[str, Callable[[Person, datetime], object]] = {
    "memory_waits_for_a_reason": lambda person, now: _memory(person, now, status=Status.WAITING),
    "memory_waits_for_a_reason, held": lambda person, now: _memory(person, now, waiting_reason=WaitingReason.ASKED),
    "memory_event_ends_after_it_begins": lambda person, now: _memory(
        person, now, event_from=date(2026, 3, 2), event_until=date(2026, 3, 1)
    ),
    "memory_event_ends_after_it_begins, unbegun": lambda person, now: _memory(
        person, now, event_until=date(2026, 3, 1)
    ),
    "deletion_is_undone_or_purged": lambda person, now: _deletion(person, now, undone_at=now, purged_at=now + HOUR),
    "deletion_times_are_in_order": lambda person, now: _deletion(person, now, undo_until=now - HOUR),
    "deletion_times_are_in_order, undone late": lambda person, now: _deletion(person, now, undone_at=now + HOUR),
    "deletion_times_are_in_order, purged early": lambda person, now: _deletion(person, now, purged_at=now),
    "deletion_ordered_is_finished": lambda person, now: OrderedDeletion.objects.create(
        person=person, via=Via.LIST, ordered_at=now, deletion=_deletion(person, now)
    ),
    "deletion_proposed_is_open_or_answered": lambda person, now: _proposal(person, now, answered_at=now),
    "deletion_proposed_is_open_or_answered, unanswered": lambda person, now: _proposal(
        person, now, state=ProposalState.CANCELLED
    ),
    "night_running_has_not_ended": lambda person, now: _night(person, now, ended_at=now),
    "night_undone_says_when": lambda person, now: _night(person, now, state=NightState.UNDONE),
    "night_undone_says_when, not undone": lambda person, now: _night(person, now, state=NightState.DONE, undone_at=now),
}


@pytest.mark.parametrize("what", REFUSED)
def test_what_can_never_be_so_is_refused(what: str, alice: Person, now: datetime) -> None:
    with pytest.raises(IntegrityError, match=what.split(",")[0]), transaction.atomic():
        REFUSED[what](alice, now)


def test_what_may_be_so_is_kept(alice: Person, now: datetime) -> None:
    day = date(2026, 3, 1)
    _memory(alice, now, event_from=day, event_until=day)
    Memory.objects.update(status=Status.WAITING, waiting_reason=WaitingReason.ASKED)
    Memory.objects.update(event_from=None, event_until=None)
    _deletion(alice, now, undone_at=now)
    _deletion(alice, now, purged_at=now + HOUR)
    _proposal(alice, now)
    _night(alice, now)
