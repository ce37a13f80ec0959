"""Saying one's last message anew."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from django.test import Client

from chat.models import EndReason, Segment
from chat.revise import NotTheLastMessage, revise
from chat.send import StillAnswering
from memories.models import Conversation, ExchangeSearch, Message, Origin, Person, Role
from memories.transcript import Part
from tests.chat.saying import answer, ask, nothing_queued, talk, text_of

pytestmark = pytest.mark.django_db


def _last_said(conversation: Conversation) -> Message:
    return conversation.messages.filter(role=Role.USER).order_by("position").last()  # type: ignore[return-value]


def _revised(said: Message, text: str, *, now: datetime) -> Message:
    with nothing_queued():
        return revise(said, text, key="", now=now)


def test_the_model_reads_the_new_words_and_not_the_old_ones(alice: Person, now: datetime) -> None:
    conversation = talk(alice, ("Hello", "Hi."), ("I fly to Rome", "Enjoy Rome."), now=now)

    reply = _revised(_last_said(conversation), "I fly to Lima", now=now + timedelta(minutes=1))
    [request] = answer(reply, "Enjoy Lima.", now=now + timedelta(minutes=1))

    assert "Lima" in str(request["messages"])
    assert "Rome" not in str(request["messages"])
    assert "Hello" in str(request["messages"])
    assert [turn["role"] for turn in request["messages"]] == ["user", "assistant", "user"]


@pytest.mark.parametrize("key", ["one\0two", "half \ud800", "long " * 100])
def test_a_key_of_any_kind_is_kept_as_far_as_it_can_be(alice: Person, now: datetime, key: str) -> None:
    conversation = talk(alice, ("Hello", "Hi."), now=now)
    with nothing_queued():
        revise(_last_said(conversation), "Hello you", key=key, now=now)
    assert text_of(_last_said(conversation)) == "Hello you"


def test_a_new_segment_begins(alice: Person, now: datetime) -> None:
    conversation = talk(alice, ("I fly to Rome", "Enjoy."), now=now)

    answer(_revised(_last_said(conversation), "I fly to Lima", now=now), "Enjoy.", now=now)

    ended, opened = Segment.objects.filter(conversation=conversation).order_by("pk")
    assert ended.end_reason == EndReason.CHANGED
    assert not ended.turns.exists()
    assert opened.ended_at is None


def test_the_first_wording_can_still_be_found_by_forgetting_and_no_night_reads_it(alice: Person, now: datetime) -> None:
    conversation = talk(alice, ("I fly to Rome", "Enjoy."), now=now)
    old = _last_said(conversation)

    answer(_revised(old, "I fly to Lima", now=now), "Enjoy.", now=now)

    assert ExchangeSearch.objects.filter(message=old).exists()
    unread = Message.objects.of(alice).unread_by_night()
    assert sorted(text_of(message) for message in unread) == ["Enjoy.", "I fly to Lima"]


def test_what_was_pasted_is_sent_again_with_the_new_words(alice: Person, now: datetime) -> None:
    reply = ask(alice, [Part(Origin.PASTED, "A long letter."), Part(Origin.TYPED, "Shorten it")], now=now)
    answer(reply, "Shorter.", now=now)

    revised = _revised(_last_said(reply.conversation), "Translate it", now=now)

    said = Message.objects.get(conversation=reply.conversation, position=revised.position - 1)
    assert list(said.passages.order_by("position").values_list("origin", "text")) == [
        ("pasted", "A long letter."),
        ("typed", "Translate it"),
    ]


def test_only_the_last_message_can_be_said_anew_and_only_when_it_was_answered(alice: Person, now: datetime) -> None:
    conversation = talk(alice, ("One", "1"), ("Two", "2"), now=now)
    first = conversation.messages.get(position=0)
    with pytest.raises(NotTheLastMessage):
        _revised(first, "Uno", now=now)

    ask(alice, "Three", now=now, to=conversation)
    with pytest.raises(StillAnswering):
        _revised(_last_said(conversation), "Tres", now=now)
    assert not conversation.messages.exclude(replaced_at=None).exists()


def test_the_page_folds_the_old_words_away_and_offers_edit_on_the_new(
    client: Client, alice: Person, now: datetime
) -> None:
    conversation = talk(alice, ("I fly to Rome", "Enjoy."), now=now)
    old = _last_said(conversation)
    form = client.get(f"/messages/{old.pk}/revise/")
    assert "I fly to Rome" in form.content.decode()

    with nothing_queued():
        sent = client.post(f"/messages/{old.pk}/revise/", {"text": "I fly to Lima", "key": "k1"})

    reply = conversation.messages.order_by("position").last()
    assert reply is not None
    assert sent["Location"] == f"/chats/{conversation.pk}/#message-{reply.pk}"
    page = client.get(f"/chats/{conversation.pk}/").content.decode()
    assert page.count('class="replaced"') == 2
    assert f'href="/messages/{old.pk}/revise/"' not in page
    assert f'href="/messages/{reply.pk - 1}/revise/"' in page


def test_with_a_script_the_form_comes_alone_and_a_blank_message_is_refused(
    client: Client, alice: Person, now: datetime
) -> None:
    old = _last_said(talk(alice, ("I fly to Rome", "Enjoy."), now=now))
    htmx = {"HTTP_HX_REQUEST": "true"}

    assert "<html" not in client.get(f"/messages/{old.pk}/revise/", **htmx).content.decode()  # type: ignore[arg-type]
    refused = client.post(f"/messages/{old.pk}/revise/", {"text": " ", "key": "k1"}, **htmx)  # type: ignore[arg-type]
    assert refused.status_code == 422
    with nothing_queued():
        sent = client.post(f"/messages/{old.pk}/revise/", {"text": "Lima", "key": "k1"}, **htmx)  # type: ignore[arg-type]
    assert sent["HX-Refresh"] == "true"


def test_a_stranger_finds_nothing(bobs_client: Client, alice: Person, now: datetime) -> None:
    old = _last_said(talk(alice, ("I fly to Rome", "Enjoy."), now=now))

    assert bobs_client.post(f"/messages/{old.pk}/revise/", {"text": "x"}).status_code == 404
