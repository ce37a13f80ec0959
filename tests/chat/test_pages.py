"""The pages of the chat: what they show, to whom, and how many questions they ask the database."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from chat.temporary import close_old
from memories.models import Conversation, MemoryMode, Message, MessageState, Origin, Passage, Person, Role
from memories.transcript import Part
from tests.chat.saying import answer, ask, keeping, long_talk, nothing_queued, talk
from tests.fakes.wire import tool_use


def html_of(client: Client, url: str) -> str:
    response = client.get(url)
    assert response.status_code == 200
    return response.content.decode()


def test_a_stranger_gets_404_everywhere(bobs_client: Client, alice: Person, now: datetime) -> None:
    conversation = talk(alice, ("Hello", "Hi."), now=now)
    reply = Message.objects.get(role=Role.ASSISTANT)

    for path in ("", "title/", "delete/"):
        assert bobs_client.get(f"/chats/{conversation.pk}/{path}").status_code == 404
    for path in ("send/", "title/", "memory/", "close/", "delete/"):
        assert bobs_client.post(f"/chats/{conversation.pk}/{path}", {"text": "x"}).status_code == 404
    for path in ("stop/", "retry/", "shown/"):
        assert bobs_client.post(f"/replies/{reply.pk}/{path}").status_code == 404


def test_a_stranger_sees_nothing_in_the_list(bobs_client: Client, alice: Person, now: datetime) -> None:
    talk(alice, ("A canary sang", "It did."), now=now)

    assert "canary" not in html_of(bobs_client, "/")
    assert "canary" not in html_of(bobs_client, "/chats/?q=canary").replace("“canary”", "").replace(
        'value="canary"', ""
    )


def test_nobody_signs_in_to_a_chat_without_an_account(anonymous: Client, alice: Person, now: datetime) -> None:
    conversation = talk(alice, ("Hello", "Hi."), now=now)

    assert anonymous.get(f"/chats/{conversation.pk}/").status_code == 302


def test_chips_come_from_what_was_kept_and_not_from_words(client: Client, alice: Person, now: datetime) -> None:
    reply = ask(alice, "I take the train to work.", now=now)
    answer(
        reply,
        tool_use("remember", keeping("I take the train to work", "The user takes the train to work.")),
        "I have saved your pin code [m1].",
        now=now,
    )
    html = html_of(client, f"/chats/{reply.conversation_id}/")

    assert "Remembered:" in html
    assert "The user takes the train to work." in html
    assert "Quotes 1 memory" in html
    assert 'href="/memories/1/"' in html


def test_what_could_not_be_kept_says_why(client: Client, alice: Person, now: datetime) -> None:
    reply = ask(alice, "Hello", now=now)
    answer(reply, tool_use("remember", keeping("I own a boat", "The user owns a boat.")), "Saved!", now=now)

    assert "Could not save" in html_of(client, f"/chats/{reply.conversation_id}/")


@pytest.mark.parametrize("attack", ["<script>alert(1)</script>", '<b hx-get="/x">b</b>', "{{ user }}{% csrf_token %}"])
def test_nothing_a_person_writes_becomes_active(client: Client, alice: Person, now: datetime, attack: str) -> None:
    conversation = talk(alice, (attack, attack), now=now)
    client.post(f"/chats/{conversation.pk}/title/", {"title": attack})
    html = html_of(client, f"/chats/{conversation.pk}/")

    assert attack not in html.replace("{{ user }}{% csrf_token %}", "") or "{{" in attack
    assert '<b hx-get="/x">' not in html
    assert "<script>alert" not in html


def test_a_quoted_span_is_highlighted(client: Client, alice: Person, now: datetime) -> None:
    conversation = talk(alice, *[(f"Number {i} is what I said", "Yes.") for i in range(50)], now=now)
    passage = Passage.objects.filter(origin=Origin.TYPED).order_by("pk")[10]
    html = html_of(client, f"/chats/{conversation.pk}/?passage={passage.pk}&from=0&to=9")

    assert '<mark id="quoted">Number 10</mark> is what I said' in html
    assert "Newest messages" in html


@pytest.mark.parametrize("span", ["passage=999999&from=0&to=3", "passage=x&from=&to=", "passage=1&from=9&to=2"])
def test_a_wrong_span_shows_the_page_all_the_same(client: Client, alice: Person, now: datetime, span: str) -> None:
    conversation = talk(alice, ("Hello", "Hi."), now=now)

    assert "<mark" not in html_of(client, f"/chats/{conversation.pk}/?{span}")


def test_a_thousand_messages_show_the_newest_and_lead_to_the_rest(
    client: Client, alice: Person, now: datetime, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    conversation = long_talk(alice, 1_000, now=now)
    with django_assert_max_num_queries(20):
        html = html_of(client, f"/chats/{conversation.pk}/")
    assert html.count("<article") == 60
    assert "Word 999." in html
    earlier = client.get(f"/chats/{conversation.pk}/?before=940", headers={"HX-Request": "true"}).content.decode()
    assert earlier.count("<article") == 60
    assert "<html" not in earlier
    assert "Word 939." in earlier


def test_days_are_the_persons_own(client: Client, alice: Person) -> None:
    from chat.sidebar import conversations

    alice.time_zone = "Asia/Taipei"
    alice.save(update_fields=["time_zone"])
    evening = datetime.fromisoformat("2026-03-17T17:30:00+00:00")  # the 18th there
    talk(alice, ("Late", "Yes."), now=evening)

    assert [day.name for day in conversations(alice, now=evening).days] == ["Today"]
    assert [day.name for day in conversations(alice, now=evening + timedelta(days=1)).days] == ["Yesterday"]
    assert [day.name for day in conversations(alice, now=evening - timedelta(hours=1, minutes=40)).days] == ["Today"]


@pytest.mark.parametrize("query", ["tram", "電車", "電", "%", "'", "\0", "x" * 10_000, "🎈"])
def test_search_answers_anything(client: Client, alice: Person, now: datetime, query: str) -> None:
    talk(alice, ("我坐電車 by tram 🎈", "好"), now=now)
    response = client.get("/chats/", {"q": query}, headers={"HX-Request": "true"})

    assert response.status_code == 200
    if query in {"tram", "電車", "電"}:
        assert "/chats/" in response.content.decode()


def test_renaming_stays(client: Client, alice: Person, now: datetime) -> None:
    from chat.titles import name_conversation

    conversation = talk(alice, ("Hello", "Hi."), now=now)
    client.post(f"/chats/{conversation.pk}/title/", {"title": " My   own\0 name "})
    name_conversation(conversation.pk)

    conversation.refresh_from_db()
    assert (conversation.title, conversation.title_is_mine) == ("My own name", True)
    assert client.post(f"/chats/{conversation.pk}/title/", {"title": "  "}).status_code == 422


def test_a_temporary_conversation_is_in_no_list_and_gone_when_closed(
    client: Client, alice: Person, now: datetime
) -> None:
    reply = ask(alice, "A canary sang", now=now, mode=MemoryMode.TEMPORARY)
    answer(reply, "It did.", now=now)
    assert "canary" not in html_of(client, "/")

    client.post(f"/chats/{reply.conversation_id}/close/")

    assert not Conversation.objects.exists()
    assert not Passage.objects.exists()


def test_a_temporary_conversation_is_gone_after_a_day(alice: Person, now: datetime) -> None:
    ask(alice, "One", now=now, mode=MemoryMode.TEMPORARY)
    ask(alice, "Two", now=now)

    assert close_old(now=now + timedelta(hours=23)) == 0
    assert close_old(now=now + timedelta(hours=25)) == 1
    assert Conversation.objects.get().memory_mode == MemoryMode.ON


def test_memory_can_be_made_read_only_but_never_temporary(client: Client, alice: Person, now: datetime) -> None:
    conversation = talk(alice, ("Hello", "Hi."), now=now)
    client.post(f"/chats/{conversation.pk}/memory/", {"mode": "read_only"})
    client.post(f"/chats/{conversation.pk}/memory/", {"mode": "temporary"})

    conversation.refresh_from_db()
    assert conversation.memory_mode == MemoryMode.READ_ONLY


def test_retry_and_siblings_work_without_a_script(client: Client, alice: Person, now: datetime) -> None:
    conversation = talk(alice, ("Hello", "First."), now=now)
    first = Message.objects.get(role=Role.ASSISTANT)
    with nothing_queued():
        assert client.post(f"/replies/{first.pk}/retry/").status_code == 302
    second = Message.objects.get(role=Role.ASSISTANT, attempt=2)
    answer(second, "Second.", now=now)
    html = html_of(client, f"/chats/{conversation.pk}/")
    assert "2/2" in html
    assert "Second." in html
    assert "First." not in html

    client.post(f"/replies/{first.pk}/shown/")
    html = html_of(client, f"/chats/{conversation.pk}/")
    assert "1/2" in html
    assert "First." in html


def test_a_waiting_reply_can_be_seen_without_a_script(client: Client, alice: Person, now: datetime) -> None:
    reply = ask(alice, "Hello", now=now)
    html = html_of(client, f"/chats/{reply.conversation_id}/")

    assert "<noscript>" in html
    assert "Show the answer" in html
    client.post(f"/replies/{reply.pk}/stop/")
    reply.refresh_from_db()
    assert reply.state == MessageState.STOPPED


def test_attachments_show_their_name_and_text(client: Client, alice: Person, now: datetime) -> None:
    reply = ask(alice, [Part(Origin.FILE, "a,b\n1,2", "table.csv"), Part(Origin.TYPED, "Sum?")], now=now)
    html = html_of(client, f"/chats/{reply.conversation_id}/")

    assert "table.csv" in html
    assert "2 lines" in html


def test_the_list_brings_the_title_that_a_conversation_got_meanwhile(
    client: Client, alice: Person, now: datetime
) -> None:
    conversation = talk(alice, ("Hello", "Hi."), now=now)
    Conversation.objects.filter(pk=conversation.pk).update(title="Greetings")

    answer = client.get("/chats/", {"current": conversation.pk}, headers={"HX-Request": "true"}).content.decode()

    assert 'id="chat-title" hx-swap-oob="true">Greetings</h1>' in answer
    assert "hx-swap-oob" not in client.get("/chats/", headers={"HX-Request": "true"}).content.decode()
