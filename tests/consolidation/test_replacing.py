from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from consolidation.models import Did
from memories.models import Memory, Message, Person, Status
from tests.consolidation.conftest import Dream, Say
from tests.fakes.scripted import Finds, ScriptedModel

pytestmark = pytest.mark.django_db


def test_a_changed_mind_replaces_and_keeps_the_old_one(
    model: ScriptedModel, says: Say, dream: Dream, alice: Person, now: datetime
) -> None:
    model.finds = [
        Finds("I'm vegetarian", "The user is vegetarian.", category="taste"),
        Finds("I eat meat again", "The user eats meat again.", category="taste"),
    ]
    model.judges = [("meat", "replaces", "vegetarian")]
    says("I'm vegetarian.", at=now - timedelta(days=9))
    dream(at=now - timedelta(days=8))
    says("I eat meat again.")
    over = dream()
    new, old = (
        Memory.objects.of(alice).get(status=Status.ACTIVE),
        Memory.objects.of(alice).get(status=Status.SUPERSEDED),
    )
    assert (new.statement, old.superseded_by) == ("The user eats meat again.", new)
    assert over.decisions.get().did == Did.REPLACED


def test_an_older_saying_read_late_never_replaces_a_newer_one(
    model: ScriptedModel, says: Say, dream: Dream, alice: Person, now: datetime
) -> None:
    model.finds = [
        Finds("I live in Cork", "The user lives in Cork.", category="place"),
        Finds("I live in Galway", "The user lives in Galway.", category="place"),
    ]
    model.judges = [("lives in", "replaces", "lives in")]
    says("I live in Galway.", at=now - timedelta(days=1))
    dream()
    says("I live in Cork.", at=now - timedelta(days=30))
    over = dream(at=now + timedelta(days=1))
    assert Memory.objects.of(alice).active().get().statement == "The user lives in Galway."
    assert over.decisions.get().reason == "older"


def test_a_plan_does_not_change_the_present(
    model: ScriptedModel, says: Say, dream: Dream, alice: Person, now: datetime
) -> None:
    model.finds = [
        Finds("I live in Cork", "The user lives in Cork.", category="place"),
        Finds("Next month I move to Galway", "The user plans to move to Galway.", category="place", plan=True),
    ]
    model.judges = [("Galway", "replaces", "Cork")]
    says("I live in Cork.", at=now - timedelta(days=2))
    dream(at=now - timedelta(days=1))
    says("Next month I move to Galway.")
    dream()
    assert {(m.statement, m.plan) for m in Memory.objects.of(alice).active()} == {
        ("The user lives in Cork.", False),
        ("The user plans to move to Galway.", True),
    }


def test_alike_but_different_stays_apart(
    model: ScriptedModel, says: Say, dream: Dream, alice: Person, now: datetime
) -> None:
    model.finds = [
        Finds("I filled in Form 052", "The user filled in Form 052.", "episodic", "event"),
        Finds("I filled in Form 053", "The user filled in Form 053.", "episodic", "event"),
    ]
    for verdict in ("same", "replaces"):
        Memory.objects.all().delete()
        Message.objects.all().delete()
        model.judges = [("053", verdict, "052")]
        says("I filled in Form 052.", at=now - timedelta(days=2))
        says("I filled in Form 053.", at=now - timedelta(days=1))
        dream()
        assert Memory.objects.of(alice).active().count() == 2, verdict


def test_a_friends_trait_does_not_replace_the_users(
    model: ScriptedModel, says: Say, dream: Dream, alice: Person, now: datetime
) -> None:
    model.finds = [
        Finds("I love football", "The user loves football.", category="taste"),
        Finds("My friend hates football", "The user's friend hates football.", category="people"),
    ]
    model.judges = [("hates", "replaces", "loves")]
    says("I love football.", at=now - timedelta(days=2))
    dream(at=now - timedelta(days=1))
    says("My friend hates football.")
    dream()
    assert Memory.objects.of(alice).active().filter(statement="The user loves football.").exists()
