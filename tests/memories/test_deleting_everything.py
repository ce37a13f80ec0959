"""All that is remembered goes by a worker, at one stroke, and the person sees how far it is."""

from __future__ import annotations

import time
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from memories import forget, searchable
from memories.models import (
    Deletion,
    ExchangeSearch,
    Memory,
    MemorySearch,
    OrderedDeletion,
    Passage,
    Person,
    Status,
    Tombstone,
    Via,
)
from tests.memories.telling import converse, learn, passage


@pytest.fixture
def life(alice: Person) -> list[Memory]:
    at = timezone.now() - timedelta(days=3)
    chat = converse(alice, "I drive a van.", "Good.", "I take the train now. 我住在台南。", "Fine.", at=at)
    van = learn(alice, "The user drives a van.", (passage(chat, 0), "I drive a van"))
    train = learn(alice, "The user takes the train.", (passage(chat, 2), "I take the train now"), replaces=van)
    home = learn(alice, "使用者住在台南。", (passage(chat, 2), "我住在台南"), status=Status.WAITING)
    return [van, train, home]


def _order(client: Client, **more: str) -> str:
    page = client.get(reverse("memories:forget"), {"all": "1"}).content.decode()
    plan = page.split('name="plan" value="', 1)[1].split('"', 1)[0]
    return str(client.post(reverse("memories:forget"), {"plan": plan, "via": "list", **more})["Location"])


def test_the_page_says_that_it_is_going_on_and_then_shows_the_receipt(client: Client, life: list[Memory]) -> None:
    address = _order(client, words="erase")

    waiting = client.get(address).content.decode()
    assert "All memories are being deleted" in waiting
    assert 'http-equiv="refresh"' in waiting  # without a script too
    assert "All memories are being deleted" in client.get(reverse("memories:list")).content.decode()
    assert Memory.objects.kept().count() == 3

    assert forget.carry_out_ordered(OrderedDeletion.objects.get().pk, now=timezone.now())
    deletion = Deletion.objects.get()
    assert (deletion.everything, deletion.erase_words, deletion.via) == (True, True, Via.LIST)
    assert client.get(address)["Location"] == reverse("memories:receipt", args=[deletion.pk])
    assert not Memory.objects.kept().exists()
    assert "All memories are being deleted" not in client.get(reverse("memories:list")).content.decode()


def test_ordering_it_twice_is_one_order_and_a_second_worker_does_nothing(client: Client, life: list[Memory]) -> None:
    assert _order(client) == _order(client)
    order = OrderedDeletion.objects.get()

    assert forget.carry_out_ordered(order.pk, now=timezone.now())
    assert not forget.carry_out_ordered(order.pk, now=timezone.now())

    assert Deletion.objects.count() == 1


def test_with_nothing_left_it_says_so(client: Client, alice: Person) -> None:
    address = _order(client)
    forget.carry_out_ordered(OrderedDeletion.objects.get().pk, now=timezone.now())

    assert "Nothing to forget" in client.get(address).content.decode()
    assert not Deletion.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_a_worker_carries_it_out(client: Client, life: list[Memory], worker: Any) -> None:
    address = _order(client)
    until = time.monotonic() + 100
    while client.get(address).status_code == 200 and time.monotonic() < until:
        time.sleep(0.1)

    assert not Memory.objects.kept().exists()
    assert OrderedDeletion.objects.get().deletion == Deletion.objects.get()


def test_undo_gives_all_of_it_back_and_its_search_rows_are_made_again(alice: Person, life: list[Memory]) -> None:
    now = timezone.now()
    deletion = forget.carry_out(forget.plan_everything(alice, now=now), now=now, via=Via.LIST)
    assert not MemorySearch.objects.exists()
    rows = [(t.start, t.end) for t in Tombstone.objects.order_by("passage_id")]
    assert rows == [(0, len(p.text)) for p in Passage.objects.order_by("pk")]

    forget.undo(deletion, now=now)

    assert [Memory.objects.get(pk=memory.pk).status for memory in life] == ["superseded", "active", "waiting"]
    assert Memory.objects.get(pk=life[2].pk).waiting_reason == "unclear"
    assert not Tombstone.objects.exists()
    assert searchable.people_with_missing(now) == [alice.pk]
    assert searchable.index_missing(alice.pk) == 5
    assert (MemorySearch.objects.count(), ExchangeSearch.objects.count()) == (3, 2)
    assert searchable.index_missing(alice.pk) == 0


def test_erasing_blanks_each_passage_to_its_length_and_is_verified(alice: Person, life: list[Memory]) -> None:
    now = timezone.now()
    lengths = [len(p.text) for p in Passage.objects.order_by("pk")]
    deletion = forget.carry_out(forget.plan_everything(alice, now=now), now=now, via=Via.LIST, erase_words=True)

    forget.purge(deletion.pk, now=deletion.undo_until)

    assert [p.text for p in Passage.objects.order_by("pk")] == ["█" * length for length in lengths]
    deletion.refresh_from_db()
    assert forget.verify([deletion], now=now) == []
    Passage.objects.filter(pk=Passage.objects.order_by("pk")[0].pk).update(text="I drive a van!")
    assert [finding.code for _deletion, finding in forget.verify([deletion], now=now)] == ["words_left"]
