from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from memories.models import Memory, Person
from tests.consolidation.conftest import Dream, Say
from tests.fakes.scripted import Finds, ScriptedModel

pytestmark = pytest.mark.django_db


def test_one_preference_in_three_wordings_on_three_nights_is_one_memory_with_three_sources(
    model: ScriptedModel, says: Say, dream: Dream, alice: Person, now: datetime
) -> None:
    wordings = ["Please keep answers brief.", "I like short answers.", "Short replies, always."]
    statements = [
        "The user wants brief answers.",
        "The user likes short answers.",
        "The user wants short replies, always.",
    ]
    model.finds = [Finds(w, s, "procedural", "style") for w, s in zip(wordings, statements, strict=True)]
    model.judges = [("short", "same", "brief")]
    for day, words in enumerate(wordings):
        says(words, at=now + timedelta(days=day, hours=-3))
        dream(at=now + timedelta(days=day))
    memory = Memory.objects.of(alice).get()
    assert memory.evidence.count() == 3


def test_the_same_three_wordings_in_one_night_are_one_memory_too(
    model: ScriptedModel, says: Say, dream: Dream, alice: Person, now: datetime
) -> None:
    model.finds = [
        Finds("Please keep answers brief.", "The user wants brief answers.", "procedural", "style"),
        Finds("I like short answers.", "The user likes short answers.", "procedural", "style"),
    ]
    model.judges = [("short", "same", "brief")]
    says("Please keep answers brief.", at=now - timedelta(days=2))
    says("I like short answers.", at=now - timedelta(days=1))
    dream()
    assert Memory.objects.of(alice).get().evidence.count() == 2


def test_a_denial_is_no_confirmation(
    model: ScriptedModel, says: Say, dream: Dream, alice: Person, now: datetime
) -> None:
    model.finds = [
        Finds("我吃牛肉", "使用者吃牛肉。", category="taste"),
        Finds("我不吃牛肉", "使用者不吃牛肉。", category="taste"),
    ]
    model.judges = [("牛肉", "same", "牛肉")]
    says("我吃牛肉。", at=now - timedelta(days=2))
    dream(at=now - timedelta(days=1))
    says("我不吃牛肉了。")
    dream()
    assert Memory.objects.of(alice).active().get().statement == "使用者不吃牛肉。"
