"""Two tabs, a double click, a worker that ends as somebody deletes: both come to an end, and one has its way."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from datetime import datetime

import pytest
from django.db import connections, transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from chat import temporary
from chat.finish import Ending, finish
from chat.send import send
from consolidation.models import Night
from memories import forget
from memories.models import (
    Conversation,
    Deletion,
    Memory,
    MemoryMode,
    Message,
    MessageState,
    Passage,
    Person,
    Status,
    Via,
    lock_person,
)
from tests.chat.saying import ask, nothing_queued, talk, typed
from tests.memories.saying import told

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def quiet() -> Iterator[None]:
    with nothing_queued():
        yield


def at_once(*doings: Callable[[], object]) -> list[object]:
    """What each gives, or raises, when all of them begin together."""
    gate = threading.Barrier(len(doings))
    came: list[object] = [None] * len(doings)

    def run(place: int) -> None:
        try:
            gate.wait(60)
            came[place] = doings[place]()
        except Exception as raised:
            came[place] = raised
        finally:
            connections.close_all()

    threads = [threading.Thread(target=run, args=[place]) for place in range(len(doings))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(100)
    return came


def posted(person: Person, url: str, **fields: str) -> Callable[[], int]:
    client = Client(raise_request_exception=False)
    client.force_login(person, backend="django.contrib.auth.backends.ModelBackend")
    return lambda: client.post(url, fields).status_code


def test_every_button_can_be_pressed_twice_at_once(alice: Person) -> None:
    now = timezone.now()
    conversation = talk(alice, ("I drive a van.", "Nice."), now=now)
    reply = conversation.messages.get(position=1)
    van = told(alice, "I drive a van.", "The user drives a van.", now).memory
    waiting = told(alice, "I have diabetes.", "The user has diabetes.", now).memory
    other = told(alice, "I may sing.", "The user has asthma.", now).memory
    assert van is not None
    assert waiting is not None
    assert other is not None
    assert (waiting.status, other.status) == (Status.WAITING, Status.WAITING)
    card = forget.propose(alice, "forget the van", reply=reply, now=now)
    assert card is not None
    twice = [
        ("memories:edit", van.number, {"statement": "The user drives a blue van.", "version": "1"}),
        ("memories:confirm", van.number, {}),
        ("memories:accept", waiting.number, {}),
        ("memories:reject", other.number, {}),
        ("chat:retry", reply.pk, {}),
        ("chat:stop", reply.pk, {}),
        ("chat:rename", conversation.pk, {"title": "Vans"}),
        ("nights:begin", None, {}),
        ("memories:answer-proposal", card.pk, {"answer": "confirm"}),
    ]
    for name, key, fields in twice:
        url = reverse(name, args=[] if key is None else [key])
        came = at_once(*[posted(alice, url, **fields) for _ in range(2)])
        assert all(isinstance(status, int) and status < 500 for status in came), (name, came)
    assert Memory.objects.get(pk=van.pk).versions.count() == 1
    assert Memory.objects.get(pk=waiting.pk).status == Status.ACTIVE
    assert Message.objects.filter(conversation=conversation, position=1).count() == 2
    assert Night.objects.of(alice).running().count() == 1
    deletion = Deletion.objects.get()
    undone = at_once(*[posted(alice, reverse("memories:undo", args=[deletion.pk])) for _ in range(2)])
    assert undone == [302, 302]
    assert Memory.objects.get(pk=van.pk).status == Status.ACTIVE


def test_sending_and_forgetting_do_not_wait_for_each_other(alice: Person, now: datetime) -> None:
    conversation = talk(alice, ("I drive a van.", "Nice."), now=now)

    def forgets() -> None:
        with transaction.atomic():
            lock_person(alice.pk)
            time.sleep(0.5)
            Conversation.objects.filter(pk=conversation.pk).update(title="")

    came = at_once(
        forgets, lambda: send(alice, conversation=conversation, parts=typed("Hello"), key="k", now=now).position
    )
    assert came == [None, 3]


def test_a_temporary_conversation_closes_while_its_answer_ends(alice: Person, now: datetime) -> None:
    reply = ask(alice, "Hello", now=now, mode=MemoryMode.TEMPORARY)
    Message.objects.filter(pk=reply.pk).update(state=MessageState.STREAMING)

    def ends() -> None:
        with transaction.atomic():
            lock_person(alice.pk)
            time.sleep(0.5)
            finish(reply, Ending(MessageState.DONE, "Hello back."), now=now)

    def closes() -> None:
        time.sleep(0.1)
        temporary.close(reply.conversation)

    assert at_once(ends, closes) == [None, None]
    assert not Conversation.objects.exists()
    assert not Passage.objects.exists()


def test_an_account_goes_while_something_is_said(alice: Person, now: datetime) -> None:
    conversation = talk(alice, ("I drive a van.", "Nice."), now=now)

    def says() -> None:
        with transaction.atomic():
            send(alice, conversation=conversation, parts=typed("Hello"), key="k", now=now)
            time.sleep(0.5)

    def leaves() -> None:
        time.sleep(0.1)
        forget.delete_account(alice)

    assert at_once(says, leaves) == [None, None]
    assert not Person.objects.filter(pk=alice.pk).exists()


def test_what_two_tabs_delete_is_taken_once(alice: Person, now: datetime) -> None:
    van = told(alice, "I drive a van.", "The user drives a van.", now).memory
    assert van is not None
    plan = forget.plan(alice, memories=[van], now=now)
    came = at_once(*[lambda: forget.carry_out(plan, now=now, via=Via.LIST) for _ in range(3)])
    assert sorted(type(one).__name__ for one in came) == ["Deletion", "NothingToForget", "NothingToForget"]
