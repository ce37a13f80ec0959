"""Attempts at a reply: tried again, exchanged, lost with their worker, stopped, deleted under way."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from chat import attempts, live
from chat.attempts import NotTheLastReply
from memories.models import (
    Message,
    MessageState,
    Person,
    Role,
)
from tests.chat.saying import answer, ask, nothing_queued, talk, text_of
from tests.fakes.wire import (
    overloaded,
    text,
)


def test_retry_writes_another_attempt_and_the_failed_one_is_no_sibling(alice: Person, now: datetime) -> None:
    reply = ask(alice, "Hello", now=now)
    answer(reply, overloaded(), now=now)
    with nothing_queued():
        attempt = attempts.again(reply, now=now)
    answer(attempt, "Hi.", now=now)

    assert (attempt.position, attempt.attempt, attempt.shown) == (reply.position, 2, True)
    reply.refresh_from_db()
    assert not reply.shown


def test_another_answer_is_asked_with_the_same_bytes_and_each_can_be_shown(alice: Person, now: datetime) -> None:
    conversation = talk(alice, ("One", "First answer"), now=now)
    first = Message.objects.get(role=Role.ASSISTANT)
    with nothing_queued():
        second = attempts.again(first, now=now)
    (asked,) = answer(second, "Second answer", now=now)
    assert [turn["role"] for turn in asked["messages"]] == ["user"]

    first.refresh_from_db()
    attempts.show(first)
    (later,) = answer(ask(alice, "Two", now=now, to=conversation), "Fine", now=now)

    assert "First answer" in str(later["messages"])
    assert "Second answer" not in str(later["messages"])
    with pytest.raises(NotTheLastReply):
        attempts.again(first, now=now)


def test_a_reply_is_written_by_one_worker_only(alice: Person, now: datetime) -> None:
    reply = ask(alice, "Hello", now=now)
    assert len(answer(reply, "Hi.", now=now)) == 1
    assert answer(reply, "Hi again.", now=now) == []
    assert text_of(reply) == "Hi."


def test_a_reply_whose_worker_died_is_failed_by_its_page_with_retry(
    client: object, alice: Person, now: datetime
) -> None:
    reply = ask(alice, "Hello", now=now)
    assert attempts.claim(reply.pk, now=now)
    page = client.get(f"/chats/{reply.conversation_id}/").content.decode()  # type: ignore[attr-defined]
    assert "data-stream=" in page

    live.give_up_lease(reply.pk)
    page = client.get(f"/chats/{reply.conversation_id}/").content.decode()  # type: ignore[attr-defined]

    reply.refresh_from_db()
    assert (reply.state, reply.error) == (MessageState.FAILED, "worker_lost")
    assert "Retry" in page
    assert "data-stream=" not in page


def test_the_sweep_fails_what_is_lost_and_queues_what_nobody_took(alice: Person, bob: Person, now: datetime) -> None:
    lost, waiting, old = ask(alice, "a", now=now), ask(bob, "b", now=now), ask(bob, "c", now=now - timedelta(hours=1))
    attempts.claim(lost.pk, now=now)
    live.give_up_lease(lost.pk)
    with nothing_queued():
        assert attempts.sweep(now=now + timedelta(minutes=2)) == (2, 1)

    for reply in (lost, waiting, old):
        reply.refresh_from_db()
    assert [lost.state, waiting.state, old.state] == [MessageState.FAILED, MessageState.QUEUED, MessageState.FAILED]


def test_a_reply_that_was_given_up_is_not_brought_back(alice: Person, now: datetime) -> None:
    reply = ask(alice, "Hello", now=now)

    def lose(request: dict[str, object]) -> object:
        live.give_up_lease(reply.pk)
        attempts.fail_if_lost(Message.objects.get(pk=reply.pk), now=now)
        return text("Too late.")

    answer(reply, lose, now=now)  # type: ignore[arg-type]

    assert (reply.state, text_of(reply)) == (MessageState.FAILED, "")


def test_a_reply_that_was_stopped_while_it_waited_is_never_asked_for(alice: Person, now: datetime) -> None:
    reply = ask(alice, "Hello", now=now)
    attempts.stop(reply, now=now)

    assert answer(reply, "Hi.", now=now) == []
    assert reply.state == MessageState.STOPPED


def test_a_conversation_deleted_meanwhile_takes_its_reply_with_it(alice: Person, now: datetime) -> None:
    reply = ask(alice, "Hello", now=now)

    def delete(request: dict[str, object]) -> object:
        reply.conversation.delete()
        return text("Hi.")

    with pytest.raises(Message.DoesNotExist):
        answer(reply, delete, now=now)  # type: ignore[arg-type]
    assert not Message.objects.exists()
