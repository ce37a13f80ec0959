from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime, timedelta

import pytest

from claude.client import using
from consolidation import night
from consolidation.models import AskedFor, Night
from memories.models import Conversation, MemoryMode, Message, Origin, Person, Role
from memories.transcript import Part, say
from tests.fakes.scripted import ScriptedModel

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
def dream(alice: Person, now: datetime) -> Dream:
    """Alice's next night, run at once."""

    def dream_it(*, at: datetime | None = None, person: Person | None = None) -> Night:
        at = at or now
        begun = night.begin(person or alice, now=at, asked_for=AskedFor.PERSON)
        assert begun is not None, "no night could begin"
        return night.run(begun.pk, now=at)

    return dream_it
