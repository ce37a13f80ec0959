"""One answer takes so long at most, and one person has so many under way at most; what is refused stays in the
composer."""

from __future__ import annotations

from datetime import datetime
from threading import Barrier, Thread

import pytest
from django.db import connection
from django.test import Client
from pytest_django.fixtures import Settings

from chat.at_once import TooManyAtOnce
from chat.attempts import again
from chat.models import SentTurn
from chat.revise import revise
from chat.send import send
from memories.models import Message, MessageState, Person
from tests.chat.saying import answer, ask, nothing_queued, talk, text_of, typed
from tests.fakes.wire import Scripted, text_block, thinking_block


@pytest.mark.django_db
@pytest.mark.parametrize("said", ["", "The first half."])
def test_a_server_that_thinks_without_an_end_is_left(
    client: Client, alice: Person, now: datetime, settings: Settings, said: str
) -> None:
    settings.REPLY_MAX_S = 0.5
    reply = ask(alice, "Think it over.", now=now)
    blocks = (text_block(said),) if said else ()
    # Far longer than any test may take.
    answer(reply, Scripted((*blocks, thinking_block("hm " * 200_000)), pause_s=0.02), now=now)
    assert (reply.state, reply.error) == (MessageState.FAILED, "too_slow")
    assert text_of(reply) == said
    # What was cut short is asked again from the transcript, not sent on as it stood.
    assert not SentTurn.objects.filter(message=reply).exists()
    page = client.get(f"/chats/{reply.conversation_id}/").content.decode()
    assert "longer than one answer may" in page
    assert "Retry" in page


@pytest.mark.django_db
def test_one_more_than_may_be_at_once_is_refused_and_keeps_its_words(
    client: Client, alice: Person, bob: Person, now: datetime, settings: Settings
) -> None:
    settings.REPLIES_AT_ONCE = 2
    first, second = (ask(alice, words, now=now, key=words) for words in ("one", "two"))
    with nothing_queued():
        plain = client.post("/chats/send/", {"text": "A third <b>thing</b>.", "key": "three"})
        by_script = client.post("/chats/send/", {"text": "A third.", "key": "three"}, headers={"HX-Request": "true"})
    for refused in (plain, by_script):
        assert refused.status_code == 422
        assert "2 answers are being written for you" in refused.content.decode()
    assert "A third &lt;b&gt;thing&lt;/b&gt;." in plain.content.decode()
    assert by_script["HX-Retarget"] == "#send-problem"
    assert Message.objects.filter(person=alice).count() == 4

    # What was sent already is that turn still, and nobody else waits for them.
    assert ask(alice, "two", now=now, key="two") == second
    ask(bob, "one", now=now)
    answer(first, "Done.", now=now)
    ask(alice, "A third.", now=now)


@pytest.mark.django_db
def test_retrying_and_saying_anew_count_too(client: Client, alice: Person, now: datetime, settings: Settings) -> None:
    conversation = talk(alice, ("Hello", "Hello."), now=now)
    settings.REPLIES_AT_ONCE = 1
    ask(alice, "one", now=now)
    said, reply = conversation.messages.order_by("position")
    with pytest.raises(TooManyAtOnce):
        again(reply, now=now)
    with pytest.raises(TooManyAtOnce):
        revise(said, "Good morning", key="", now=now)
    refused = client.post(f"/replies/{reply.pk}/retry/", headers={"HX-Request": "true"})
    assert refused["HX-Redirect"] == f"/chats/{conversation.pk}/"
    assert "1 answer is being written for you" in client.get(f"/chats/{conversation.pk}/").content.decode()
    anew = client.post(f"/messages/{said.pk}/revise/", {"text": "Good morning"})
    assert anew.status_code == 422
    assert "Good morning" in anew.content.decode()
    assert conversation.messages.count() == 2


@pytest.mark.django_db
def test_a_reply_that_was_lost_makes_room(alice: Person, now: datetime, settings: Settings) -> None:
    settings.REPLIES_AT_ONCE = 1
    lost = ask(alice, "one", now=now)
    Message.objects.filter(pk=lost.pk).update(state=MessageState.STREAMING)
    ask(alice, "two", now=now)
    lost.refresh_from_db()
    assert lost.state == MessageState.FAILED


@pytest.mark.django_db(transaction=True)
def test_of_many_at_one_moment_no_more_than_that_are_taken(alice: Person, now: datetime, settings: Settings) -> None:
    settings.REPLIES_AT_ONCE = 2
    together = Barrier(6)

    def one() -> None:
        together.wait(60)
        try:
            send(alice, conversation=None, parts=typed("Hello"), key="", now=now)
        except TooManyAtOnce:
            pass
        finally:
            connection.close()

    threads = [Thread(target=one) for _ in range(6)]
    with nothing_queued():
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert Message.objects.filter(state=MessageState.QUEUED).count() == 2
