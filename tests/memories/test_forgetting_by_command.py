"""`manage.py forget`: it shows first, takes nothing without --yes, and asks about replacements as the dialog does."""

from __future__ import annotations

from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from memories.models import Conversation, Deletion, Memory, Person, Status, Via
from tests.memories.telling import converse, forgotten, learn, passage


@pytest.fixture
def chain(alice: Person) -> tuple[Memory, Memory]:
    at = timezone.now() - timedelta(days=2)
    chat = converse(alice, "I drive a van.", "Good.", "I sold it, I take the train.", "Fine.", at=at)
    van = learn(alice, "The user drives a van.", (passage(chat, 0), "I drive a van"))
    train = learn(alice, "The user takes the train.", (passage(chat, 2), "I take the train"), replaces=van)
    return van, train


def said(**options: Any) -> str:
    told = StringIO()
    call_command("forget", user="alice", stdout=told, **options)
    return told.getvalue()


def statuses(*memories: Memory) -> list[str]:
    return [Memory.objects.get(pk=memory.pk).status for memory in memories]


def test_without_yes_it_shows_what_would_go_and_changes_nothing(chain: tuple[Memory, Memory]) -> None:
    told = said(memory=[2])
    assert "Goes: m2\n" in told
    assert "Linked by replacement, stays as it is: m1\n" in told
    assert "memories: 1\n" in told
    assert "Nothing was changed" in told
    assert "van" not in told
    assert not Deletion.objects.exists()
    assert statuses(*chain) == [Status.SUPERSEDED, Status.ACTIVE]


@pytest.mark.parametrize(
    ("options", "after"),
    [
        ({}, Status.SUPERSEDED),
        ({"past": [1]}, Status.SUPERSEDED),
        ({"holds": [1]}, Status.ACTIVE),
        ({"go": [1]}, Status.DELETED),
    ],
    ids=["unsaid", "past", "holds", "go"],
)
def test_what_it_replaced_stays_unless_it_is_named(
    chain: tuple[Memory, Memory], options: dict[str, list[int]], after: Status
) -> None:
    van, train = chain
    said(memory=[2], yes=True, **options)
    assert statuses(van, train) == [after, Status.DELETED]
    deletion = Deletion.objects.get()
    assert (deletion.via, deletion.erase_words) == (Via.COMMAND, False)
    assert bool(forgotten(Conversation.objects.get(), 0)) == (after == Status.DELETED)


@pytest.mark.parametrize("name", ["go", "past", "holds"])
def test_a_number_that_is_not_in_the_chain_is_a_mistake(chain: tuple[Memory, Memory], name: str) -> None:
    with pytest.raises(CommandError, match=f"--{name}: m7 is not linked"):
        said(memory=[2], yes=True, **{name: [7]})
    assert not Deletion.objects.exists()


def test_a_request_that_fits_several_things_takes_none(alice: Person) -> None:
    chat = converse(alice, "My sister Ann is born in May, my sister Bea in June.", "Noted.", at=timezone.now())
    words = passage(chat, 0)
    learn(alice, "The user's sister Ann has her birthday in May.", (words, "My sister Ann is born in May"))
    learn(alice, "The user's sister Bea has her birthday in June.", (words, "my sister Bea in June"))
    with pytest.raises(CommandError, match="several things: m2; m1"):
        said(request="Forget my sister's birthday", yes=True)
    with pytest.raises(CommandError, match="Nothing that is remembered fits"):
        said(memory=[9], yes=True)
    assert not Deletion.objects.exists()


def test_all_goes_with_all(chain: tuple[Memory, Memory]) -> None:
    assert "Goes: everything\n" in said(everything=True, yes=True)
    assert statuses(*chain) == [Status.DELETED] * 2
