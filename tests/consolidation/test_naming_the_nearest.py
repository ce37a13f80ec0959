"""All candidates of one call share one list of memories. Each may name only what is near to itself: nothing else tells
that "same" is meant of the right one."""

from __future__ import annotations

import json
from datetime import datetime, timedelta

import pytest

from claude.client import using
from claude.prompts import fences
from consolidation import night
from consolidation.models import AskedFor, Guard, Night, NightState
from memories.models import Memory, Person, Status
from tests.consolidation.conftest import Dream, Say
from tests.fakes import wire
from tests.fakes.scripted import Finds, ScriptedModel

pytestmark = pytest.mark.django_db

PLANTS = ["clover", "heather", "lavender", "borage", "thyme", "ivy", "willow"]
PLACES = ["market", "harbour", "library", "theatre", "bridge", "bakery", "tower"]
LABELS = {f"m{number}" for number in range(1, len(PLANTS) + len(PLACES) + 1)}


@pytest.mark.parametrize("verdict", ["same", "replaces", "unclear"])
def test_a_memory_that_is_near_to_another_candidate_only_is_neither_confirmed_nor_replaced_nor_asked_about(
    verdict: str, model: ScriptedModel, says: Say, dream: Dream, alice: Person, now: datetime
) -> None:
    _knows_of_bees_and_a_town(model, says, dream, now)
    crossed: list[str] = []

    def crosses(request: wire.Request) -> wire.Answer:
        words = request["messages"][0]["content"][0]["text"]
        if not (listed := fences(words, "candidates")):
            return model.answer(request)
        one, other = fences(listed[0].text, "candidate")
        mine, theirs = (set(block.attributes["nearest"].split()) & LABELS for block in (one, other))
        crossed[:] = [min(theirs - mine), min(mine - theirs)]
        verdicts = [
            {"candidate": block.attributes["id"], "reasoning": "Crossed.", "verdict": verdict, "memory": label}
            for block, label in zip((one, other), crossed, strict=True)
        ]
        return wire.text(json.dumps({"verdicts": verdicts}))

    with using(wire.FakeWire(otherwise=crosses)):
        over = _next_night(alice, now)
    assert over.state == NightState.DONE, over.error
    assert len(crossed) == 2
    before = Memory.objects.of(alice).filter(number__lte=len(LABELS))
    assert [(memory.status, memory.evidence.count()) for memory in before] == [(Status.ACTIVE, 1)] * len(LABELS)
    assert not over.decisions.filter(memory__in=before).exists()
    assert not over.decisions.filter(other__in=before).exists()
    assert over.decisions.count() == 2
    if verdict != "unclear":
        assert over.decisions.filter(reason=Guard.UNKNOWN_MEMORY).count() == 2


def _knows_of_bees_and_a_town(model: ScriptedModel, says: Say, dream: Dream, now: datetime) -> None:
    """More of each than one candidate is compared with."""
    of_bees = [f"My bees like {plant}" for plant in PLANTS]
    of_cork = [f"Cork has a fine {place}" for place in PLACES]
    model.finds = [
        *(Finds(said, f"The user's {said[3:]}.", category="people") for said in of_bees),
        *(Finds(said, f"The user says {said}.", category="place") for said in of_cork),
        Finds("My bees swarmed", "The user's bees swarmed.", category="people"),
        Finds("Cork is wet", "The user finds Cork wet.", category="place"),
    ]
    says(" ".join(f"{said}." for said in [*of_bees, *of_cork]), at=now - timedelta(days=9))
    dream(at=now - timedelta(days=8))
    says("My bees swarmed. Cork is wet.")


def _next_night(alice: Person, now: datetime) -> Night:
    begun = night.begin(alice, now=now, asked_for=AskedFor.PERSON)
    assert begun is not None
    return night.run(begun.pk, now=now)
