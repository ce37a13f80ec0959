"""Undo gives back what its deletion took: not what the person wrote since, and no word that another deletion took."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from memories import forget
from memories.edit import accept
from memories.models import Conversation, Deletion, Memory, Person, Status, Via
from tests.memories.telling import converse, learn, passage

SAID = "My niece Orla sings in the choir at Tralee."


@pytest.fixture
def chat(alice: Person, now: datetime) -> Conversation:
    return converse(alice, SAID, "Good.", at=now - timedelta(days=3))


@pytest.fixture
def niece(alice: Person, chat: Conversation) -> Memory:
    return learn(alice, "The user's niece is called Orla.", (passage(chat, 0), "My niece Orla"))


@pytest.fixture
def singer(alice: Person, chat: Conversation) -> Memory:
    """Rests on some of the same words."""
    return learn(alice, "Orla sings in a choir.", (passage(chat, 0), "Orla sings in the choir at Tralee"))


def _forget(person: Person, memory: Memory, *, now: datetime) -> Deletion:
    """Its own words only: what is doubtful stays."""
    plan = forget.plan(person, memories=[memory], now=now)
    assert [part.memory for part in plan.memories] == [memory]
    return forget.carry_out(plan, now=now, via=Via.LIST)


def _stands_on(memory: Memory) -> list[str]:
    found = memory.evidence.order_by("pk").select_related("passage")
    return [e.passage.text[e.start : e.end] if e.passage else "their own word" for e in found]


def test_the_persons_own_entry_stays_where_words_come_back(
    alice: Person, chat: Conversation, niece: Memory, now: datetime
) -> None:
    waits = learn(alice, "Someone sings.", (passage(chat, 0), "Orla sings"), status=Status.WAITING)
    accept(alice, waits.number, now=now - timedelta(days=1))
    deletion = _forget(alice, niece, now=now)
    assert _stands_on(waits) == ["their own word"]

    forget.undo(deletion, now=now)

    assert sorted(_stands_on(waits)) == ["Orla sings", "their own word"]


def test_what_stood_in_for_the_words_goes_when_they_come_back(
    alice: Person, niece: Memory, singer: Memory, now: datetime
) -> None:
    deletion = _forget(alice, niece, now=now)
    assert _stands_on(singer) == ["their own word"]

    forget.undo(deletion, now=now)

    assert _stands_on(singer) == ["Orla sings in the choir at Tralee"]
    singer.refresh_from_db()
    assert singer.to_check_at is None


@pytest.mark.parametrize("first_undone", ["first", "second"])
def test_words_that_two_deletions_took_come_back_with_the_last_of_them(
    first_undone: str, alice: Person, niece: Memory, singer: Memory, now: datetime
) -> None:
    first = _forget(alice, niece, now=now)
    second = _forget(alice, singer, now=now + timedelta(minutes=1))
    later = now + timedelta(minutes=2)
    one, other = (first, second) if first_undone == "first" else (second, first)

    forget.undo(one, now=later)
    assert forget.verify([other], now=later) == []
    back = niece if one == first else singer
    assert Memory.objects.of(alice).kept().get() == back
    assert _stands_on(back) == ["their own word"]
    forget.undo(other, now=later)

    assert _stands_on(niece) == ["My niece Orla"]
    assert _stands_on(singer) == ["Orla sings in the choir at Tralee"]
    assert Memory.objects.of(alice).kept().count() == 2
    assert not Memory.objects.exclude(to_check_at=None).exists()


def test_what_comes_back_after_all_was_deleted_stands_on_no_word_that_went(
    alice: Person, niece: Memory, singer: Memory, now: datetime
) -> None:
    first = _forget(alice, niece, now=now)
    later = now + timedelta(minutes=1)
    everything = forget.carry_out(forget.plan_everything(alice, now=later), now=later, via=Via.LIST)

    forget.undo(first, now=later)

    assert (Memory.objects.of(alice).kept().get(), _stands_on(niece)) == (niece, ["their own word"])
    assert forget.verify([everything], now=later) == []
    forget.purge(everything.pk, now=everything.undo_until)
    everything.refresh_from_db()
    assert forget.verify([everything], now=everything.undo_until) == []
