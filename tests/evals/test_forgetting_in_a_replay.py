"""A replay lives by the clock of its file: what is deleted in it is purged and checked by that clock too."""

from __future__ import annotations

from datetime import datetime, timedelta

from consolidation.models import NightState
from evals.replay import dream
from memories import forget
from memories.models import Deletion, Memory, Person, Via
from tests.memories.telling import converse, learn, passage


def test_the_night_after_a_replayed_deletion_has_purged_it_and_finds_nothing(alice: Person, now: datetime) -> None:
    # Far from today on either side, so that nothing but the clock of the file can have said it is due.
    for years in (-30, 30):
        at = now + timedelta(days=365 * years)
        chat = converse(alice, "I drive a van.", "Good.", at=at)
        van = learn(alice, "The user drives a van.", (passage(chat, 0), "I drive a van"))
        later = at + timedelta(hours=2)
        plan = forget.plan(alice, memories=[van], now=later)
        deletion = forget.carry_out(plan, now=later, via=Via.COMMAND, erase_words=True)

        early = deletion.undo_until - timedelta(seconds=1)
        assert dream(alice, at=early).state == NightState.DONE
        assert Deletion.objects.get(pk=deletion.pk).purged_at is None
        assert Memory.objects.get(pk=van.pk).statement

        night = dream(alice, at=later + timedelta(hours=8))
        assert night.state == NightState.DONE
        deletion.refresh_from_db()
        assert deletion.purged_at == night.started_at
        assert deletion.check_findings == 0
        assert deletion.checked_at is not None
        assert night.started_at <= deletion.checked_at < night.started_at + timedelta(hours=1)
        assert Memory.objects.get(pk=van.pk).statement == ""
