from __future__ import annotations

from datetime import datetime

import pytest

from claude.client import using
from consolidation.models import Did
from memories.models import Memory, Person, Status
from tests.consolidation.conftest import Dream, Say
from tests.fakes.scripted import Finds, ScriptedModel

pytestmark = pytest.mark.django_db


def test_a_statement_in_another_language_is_asked_for_again_and_then_waits(
    model: ScriptedModel, says: Say, dream: Dream, alice: Person
) -> None:
    model.finds = [Finds("我最近在準備答辯", "The user is preparing a thesis defence.", category="learning")]
    says("我最近在準備答辯。")
    over = dream()
    assert model.asked["candidates"] == 2
    waiting = Memory.objects.of(alice).get()
    assert (waiting.status, waiting.waiting_reason) == (Status.WAITING, "language")
    assert over.decisions.get().did == Did.WAITING


def test_dates_that_make_no_sense_are_left_out(model: ScriptedModel, says: Say, dream: Dream, alice: Person) -> None:
    model.finds = [
        Finds("我看了十萬年前的化石", "使用者看了十萬年前的化石。", "episodic", "event", event_from="-98000-01-01"),
    ]
    says("我看了十萬年前的化石。")
    dream()
    assert Memory.objects.of(alice).get().event_from is None


def test_turns_are_told_with_the_time_they_were_said_and_not_the_nights(
    model: ScriptedModel, says: Say, dream: Dream, alice: Person
) -> None:
    alice.time_zone = "Asia/Taipei"
    alice.save(update_fields=["time_zone"])
    sent: list[str] = []
    model_answer = model.answer
    model.answer = lambda request: (sent.append(str(request["messages"])), model_answer(request))[1]  # type: ignore[method-assign, func-returns-value]

    says("今天約了牙醫。", at=datetime.fromisoformat("2026-02-09T16:30:00+00:00"))
    with using(model.wire()):
        dream()
    assert 'at=\\"2026-02-10 00:30 Tuesday\\"' in sent[0].replace('"', '\\"') or "2026-02-10 00:30 Tuesday" in sent[0]
