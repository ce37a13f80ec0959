from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from consolidation import apply, held, night
from consolidation.models import Decision, Did, NightState
from consolidation.undo import undo
from memories.edit import edit
from memories.models import Line, Memory, Person, Status
from tests.consolidation.conftest import Dream, Say
from tests.fakes.scripted import Finds, ScriptedModel

pytestmark = pytest.mark.django_db


def test_too_many_retirements_hold_the_night_and_change_nothing_until_the_person_says_so(
    model: ScriptedModel, says: Say, dream: Dream, alice: Person, now: datetime
) -> None:
    places = ["Cork", "Galway", "Sligo", "Ennis", "Tralee"]
    model.finds = [Finds(f"I know {p}", f"The user knows {p}.", category="place") for p in places] + [
        Finds(f"I forgot {p}", f"The user forgot {p}.", category="place") for p in places
    ]
    model.judges = [(f"forgot {p}", "replaces", f"knows {p}") for p in places]
    says(" ".join(f"I know {p}." for p in places), at=now - timedelta(days=2))
    dream(at=now - timedelta(days=1))
    said = says(" ".join(f"I forgot {p}." for p in places))
    over = dream()
    assert over.state == NightState.HELD
    assert Memory.objects.of(alice).active().count() == 5
    said.refresh_from_db()
    assert said.read_at is None
    assert held.approve(over, now=now)
    night.run(over.pk, now=now)
    assert set(Memory.objects.of(alice).active().values_list("statement", flat=True)) == {
        f"The user forgot {p}." for p in places
    }
    assert Decision.objects.filter(night=over, did=Did.REPLACED).count() == 5


def test_a_persons_edit_during_the_night_wins(
    model: ScriptedModel, says: Say, dream: Dream, alice: Person, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    model.finds = [
        Finds("I'm vegetarian", "The user is vegetarian.", category="taste"),
        Finds("I eat meat again", "The user eats meat again.", category="taste"),
    ]
    model.judges = [("meat", "replaces", "vegetarian")]
    says("I'm vegetarian.", at=now - timedelta(days=9))
    dream(at=now - timedelta(days=8))
    says("I eat meat again.")
    real = apply.apply

    def after_an_edit(*args: object, **more: object) -> None:
        memory = Memory.objects.of(alice).active().get()
        edit(alice, memory.number, "The user is vegan.", version=memory.version, now=now - timedelta(days=7))
        real(*args, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(apply, "apply", after_an_edit)
    over = dream()
    assert Memory.objects.of(alice).active().get().statement == "The user is vegan."
    assert over.decisions.get().reason == "edited"


def test_a_night_is_taken_back_as_a_whole(
    model: ScriptedModel, says: Say, dream: Dream, alice: Person, now: datetime
) -> None:
    model.finds = [
        Finds("I'm vegetarian", "The user is vegetarian.", category="taste"),
        Finds("I eat meat again", "The user eats meat again.", category="taste"),
        Finds("I play the oboe", "The user plays the oboe.", category="taste"),
    ]
    model.judges = [("meat", "replaces", "vegetarian")]
    says("I'm vegetarian.", at=now - timedelta(days=9))
    dream(at=now - timedelta(days=8))
    says("I eat meat again. I play the oboe.")
    over = dream()
    assert undo(over, now=now)
    assert Memory.objects.of(alice).active().get().statement == "The user is vegetarian."
    assert set(Memory.objects.of(alice).waiting().values_list("waiting_reason", flat=True)) == {"undone"}
    assert not Line.objects.filter(memories__status=Status.WAITING).exists()
    assert not undo(over, now=now)
