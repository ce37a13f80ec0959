from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest

from consolidation.models import Did, NightState
from consolidation.undo import undo
from memories.models import Confidence, Line, Memory, Message, Person, Status
from tests.consolidation.conftest import Dream, Say
from tests.fakes.scripted import Finds, ScriptedModel

pytestmark = pytest.mark.django_db


def test_a_night_past_its_budget_ends_cleanly_and_the_next_one_goes_on(
    model: ScriptedModel, says: Say, dream: Dream, alice: Person, now: datetime, settings: Any
) -> None:
    settings.NIGHT_MAX_TOKENS, settings.NIGHT_WINDOW_MAX_TOKENS = 1, 100
    model.finds = [Finds("I keep bees", "The user keeps bees."), Finds("I bake", "The user bakes bread.")]
    says("I keep bees.")
    says("I bake.")
    first = dream()
    assert (first.state, first.counts["left"]) == (NightState.DONE, 2)
    assert Memory.objects.of(alice).count() == 1
    assert Message.objects.unread_by_night().shown().count() == 2
    dream(at=now + timedelta(days=1))
    assert Memory.objects.of(alice).count() == 2
    assert not Message.objects.unread_by_night().shown().exists()


def test_what_is_not_said_again_or_used_loses_confidence_and_then_fades_and_can_come_back(
    model: ScriptedModel, says: Say, dream: Dream, alice: Person, now: datetime
) -> None:
    model.finds = [
        Finds("I keep bees", "The user keeps bees."),
        Finds("Answer briefly", "The user wants brief answers.", "procedural", "style"),
        Finds("My bike is at the shop", "The user's bike is at the shop.", lasting=False),
    ]
    says("I keep bees. Answer briefly. My bike is at the shop.")
    dream()
    bees, brief, bike = (Memory.objects.of(alice).get(statement__contains=word) for word in ("bees", "brief", "bike"))
    seen = []
    for days in (300, 400, 600, 800):
        over = dream(at=now + timedelta(days=days))
        bees.refresh_from_db()
        seen.append((bees.status, bees.confidence))
    assert seen == [
        (Status.ACTIVE, Confidence.HIGH),
        (Status.ACTIVE, Confidence.MEDIUM),
        (Status.ACTIVE, Confidence.LOW),
        (Status.FADED, Confidence.LOW),
    ]
    assert over.decisions.get().did == Did.FADED
    assert not Line.objects.filter(memories=bees).exists()
    brief.refresh_from_db()
    bike.refresh_from_db()
    assert (brief.status, bike.status) == (Status.ACTIVE, Status.FADED)
    assert undo(over, now=now + timedelta(days=801))
    bees.refresh_from_db()
    assert bees.status == Status.ACTIVE


def test_what_still_lies_ahead_does_not_fade(
    model: ScriptedModel, says: Say, dream: Dream, alice: Person, now: datetime
) -> None:
    ahead = (now + timedelta(days=100)).date()
    model.finds = [Finds("The play opens", "The play opens then.", lasting=False)]
    says("The play opens in the summer.")
    dream()
    play = Memory.objects.of(alice)
    play.update(event_from=ahead, event_until=ahead)
    seen = []
    for days in (90, 300):
        dream(at=now + timedelta(days=days))
        seen.append(play.get().status)
    assert seen == [Status.ACTIVE, Status.FADED]


def test_what_was_used_lately_does_not_fade(
    model: ScriptedModel, says: Say, dream: Dream, alice: Person, now: datetime
) -> None:
    model.finds = [Finds("I keep bees", "The user keeps bees.")]
    says("I keep bees.")
    dream()
    Memory.objects.of(alice).update(used_at=now + timedelta(days=790))
    dream(at=now + timedelta(days=800))
    assert Memory.objects.of(alice).get().status == Status.ACTIVE
