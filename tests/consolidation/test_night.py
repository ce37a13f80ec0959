from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from claude.models import Call
from consolidation import night
from consolidation.models import AskedFor, Candidate, Did, NightState
from memories.models import Line, Memory, Person, Status
from tests.consolidation.conftest import Dream, Say
from tests.fakes.scripted import Finds, ScriptedModel

pytestmark = pytest.mark.django_db


def test_what_was_said_is_remembered_with_its_words_and_stands_on_the_page(
    model: ScriptedModel, says: Say, dream: Dream, alice: Person
) -> None:
    model.finds = [Finds("I play the oboe", "The user plays the oboe.", category="taste")]
    said = says("Hello! I play the oboe, since years.")
    over = dream()
    assert over.state == NightState.DONE, over.error
    memory = Memory.objects.of(alice).get()
    assert (memory.statement, memory.status, memory.trusted) == ("The user plays the oboe.", Status.ACTIVE, True)
    evidence = memory.evidence.get()
    assert evidence.passage is not None
    assert evidence.passage.text[evidence.start : evidence.end] == "I play the oboe"
    line = Line.objects.get(page__person=alice)
    assert list(line.memories.all()) == [memory]
    said.refresh_from_db()
    assert said.read_at is not None
    assert over.decisions.get().did == Did.ADDED
    assert not Candidate.objects.exists()


def test_thirty_nights_on_unchanged_data_change_nothing_and_ask_nobody(
    model: ScriptedModel, says: Say, dream: Dream, alice: Person, now: datetime
) -> None:
    model.finds = [Finds("I play the oboe", "The user plays the oboe.", category="taste")]
    says("I play the oboe.")
    dream()
    before = (list(Memory.objects.values()), list(Line.objects.values()), Call.objects.count())
    for day in range(1, 31):
        over = dream(at=now + timedelta(days=day))
        assert over.is_quiet
    assert (list(Memory.objects.values()), list(Line.objects.values()), Call.objects.count()) == before


def test_two_nights_never_run_for_one_person_at_once(alice: Person, now: datetime) -> None:
    assert night.begin(alice, now=now, asked_for=AskedFor.PERSON) is not None
    assert night.begin(alice, now=now, asked_for=AskedFor.PERSON) is None


def test_a_scheduled_night_comes_once_a_day(model: ScriptedModel, alice: Person, now: datetime) -> None:
    first = night.begin(alice, now=now)
    assert first is not None
    night.run(first.pk, now=now)
    assert night.begin(alice, now=now + timedelta(hours=1)) is None
    assert night.begin(alice, now=now + timedelta(days=1)) is not None
