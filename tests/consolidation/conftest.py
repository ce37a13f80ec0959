from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime, timedelta

import pytest

from claude.client import using
from consolidation import night
from consolidation.models import AskedFor, Candidate, Decision, Did, Night
from memories.models import (
    Conversation,
    Line,
    Memory,
    MemoryMode,
    Message,
    Origin,
    Person,
    Question,
    Role,
    Status,
)
from memories.transcript import Part, say
from tests.fakes.scripted import Finds, ScriptedModel

type Say = Callable[..., Message]
type Dream = Callable[..., Night]


@pytest.fixture
def model() -> Iterator[ScriptedModel]:
    """A good model, to be told what it finds."""
    scripted = ScriptedModel()
    with using(scripted.wire()):
        yield scripted


@pytest.fixture
def says(alice: Person, now: datetime) -> Say:
    """Alice says something in a conversation of its own, and is answered."""

    def say_it(
        words: str,
        *,
        at: datetime | None = None,
        pasted: str = "",
        answer: str = "I see.",
        person: Person | None = None,
        conversation: Conversation | None = None,
        mode: MemoryMode = MemoryMode.ON,
    ) -> Message:
        at = at or now - timedelta(hours=3)
        conversation = conversation or Conversation.objects.create(
            person=person or alice, started_at=at, last_said_at=at, memory_mode=mode
        )
        parts = [Part(Origin.TYPED, words)] + ([Part(Origin.PASTED, pasted)] if pasted else [])
        said = say(conversation, Role.USER, parts, now=at)
        say(conversation, Role.ASSISTANT, [Part(Origin.ASSISTANT, answer)], now=at)
        return said

    return say_it


@pytest.fixture
def eventful(model: ScriptedModel, says: Say, dream: Dream, alice: Person, now: datetime) -> ScriptedModel:
    """A night is to come that takes every step: Alice keeps hens, of which some words are gone, and cats, which a reply
    wrote down; since then she has said more, and what came last replaces what came before."""
    model.finds = [
        Finds("I keep hens", "The user keeps hens.", category="people"),
        Finds("I keep cats", "The user keeps cats.", category="people"),
        Finds("I keep bees", "The user keeps bees.", category="people"),
        Finds("I sold my bees", "The user sold the bees.", category="people"),
    ]
    model.judges, model.holds = [("sold", "replaces", "keeps bees")], ["hens"]
    says("I keep hens. I keep cats.", at=now - timedelta(days=9))
    dream(at=now - timedelta(days=8))
    Memory.objects.filter(statement__contains="hens").update(to_check_at=now)
    reply = Message.objects.filter(role=Role.ASSISTANT).first()
    Memory.objects.filter(statement__contains="cats").update(reply=reply, created_at=now - timedelta(days=3))
    says("I keep bees.", at=now - timedelta(days=2))
    says("I sold my bees.", at=now - timedelta(days=1))
    return model


def assert_it_came_out_well(alice: Person) -> None:
    """What the eventful night leaves: nothing lost, nothing double."""
    assert list(Memory.objects.of(alice).order_by("number").values_list("statement", "status")) == [
        ("The user keeps hens.", Status.ACTIVE),
        ("The user keeps cats.", Status.ACTIVE),
        ("The user keeps bees.", Status.SUPERSEDED),
        ("The user sold the bees.", Status.ACTIVE),
    ]
    assert [memory.evidence.count() for memory in Memory.objects.of(alice)] == [1] * 4
    assert sorted(Line.objects.values_list("text", flat=True)) == [
        "The user keeps cats.", "The user keeps hens.", "The user sold the bees.",
    ]  # fmt: skip
    assert not Memory.objects.exclude(to_check_at=None).exists()
    assert not Question.objects.exists()
    assert not Candidate.objects.exists()
    assert not Message.objects.unread_by_night().shown().exists()
    decided = Decision.objects.order_by("did").values_list("did", flat=True)
    assert list(decided) == [Did.ADDED, Did.ADDED, Did.ADDED, Did.CHECKED, Did.REPLACED]


@pytest.fixture
def dream(alice: Person, now: datetime) -> Dream:
    """Alice's next night, run at once."""

    def dream_it(*, at: datetime | None = None, person: Person | None = None) -> Night:
        at = at or now
        begun = night.begin(person or alice, now=at, asked_for=AskedFor.PERSON)
        assert begun is not None, "no night could begin"
        return night.run(begun.pk, now=at)

    return dream_it
