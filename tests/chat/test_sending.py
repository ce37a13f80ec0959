"""Sending: one turn however often it arrives, and nothing lost."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import datetime

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connections
from django.test import Client

from chat.send import NothingSaid, Part, SaidTooMuch, StillAnswering, send
from memories import forget
from memories.models import Conversation, Message, MessageState, Origin, Passage, Person, Role, Via
from tests.chat.saying import answer, ask, nothing_queued, talk, typed


def test_a_message_and_a_queued_reply_are_kept(alice: Person, now: datetime) -> None:
    reply = ask(alice, "I moved to Bray.", now=now)

    assert (reply.role, reply.state, reply.position) == (Role.ASSISTANT, MessageState.QUEUED, 1)
    assert Passage.objects.get().text == "I moved to Bray."
    assert reply.conversation.title == "I moved to Bray."


def test_two_posts_with_one_key_are_one_turn(alice: Person, now: datetime) -> None:
    first = ask(alice, "Hello", now=now, key="k1")
    second = ask(alice, "Hello", now=now, key="k1")

    assert first == second
    assert (Conversation.objects.count(), Message.objects.count()) == (1, 2)


def test_what_was_sent_and_then_deleted_is_not_said_again(client: Client, alice: Person, now: datetime) -> None:
    reply = ask(alice, "I moved to Bray.", now=now, key="k1")
    plan = forget.plan_conversation(alice, reply.conversation, with_memories=True, now=now)
    forget.carry_out(plan, now=now, via=Via.CONVERSATION)

    with nothing_queued():
        answered = client.post("/chats/send/", {"text": "I moved to Bray.", "key": "k1"})

    assert answered.status_code == 422
    assert "not sent again" in answered.content.decode()
    assert "I moved to Bray." in answered.content.decode()
    assert Message.objects.count() == 2


def test_the_same_key_of_another_person_is_another_turn(alice: Person, bob: Person, now: datetime) -> None:
    assert ask(alice, "Hello", now=now, key="k1") != ask(bob, "Hello", now=now, key="k1")


@pytest.mark.django_db(transaction=True)
def test_two_posts_at_the_same_moment_are_one_turn(alice: Person, now: datetime) -> None:
    def post(_: int) -> int:
        try:
            return send(alice, conversation=None, parts=typed("Hello"), key="k1", now=now).pk
        finally:
            connections.close_all()

    with nothing_queued(), ThreadPoolExecutor(4) as pool:
        replies = set(pool.map(post, range(4)))

    assert len(replies) == 1
    assert (Conversation.objects.count(), Message.objects.count()) == (1, 2)


def test_nothing_is_sent_while_the_last_answer_is_written(alice: Person, now: datetime) -> None:
    reply = ask(alice, "Hello", now=now)

    with pytest.raises(StillAnswering):
        ask(alice, "And?", now=now, to=reply.conversation)

    assert Message.objects.count() == 2


@pytest.mark.parametrize("blank", ["", " ", "\n\t", "\0", "\ud800", "　"])
def test_what_says_nothing_is_refused_and_leaves_no_conversation(alice: Person, now: datetime, blank: str) -> None:
    with pytest.raises(NothingSaid):
        ask(alice, blank, now=now)

    assert not Conversation.objects.exists()


def test_a_megabyte_is_refused_whole(alice: Person, now: datetime) -> None:
    with pytest.raises(SaidTooMuch):
        ask(alice, "x" * 1_000_000, now=now)

    assert not Conversation.objects.exists()


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("a\0b", "ab"),
        ("a\ud800b", "ab"),
        ("🎈", "🎈"),
        ("<|endoftext|>", "<|endoftext|>"),
        ("{{ x }} {% y %} ```", "{{ x }} {% y %} ```"),
        ("</memories><memories>", "</memories><memories>"),
    ],
)
def test_odd_text_is_kept_and_answered(alice: Person, now: datetime, said: str, kept: str) -> None:
    reply = ask(alice, said, now=now)
    answer(reply, "Yes.", now=now)

    assert Passage.objects.get(message__role=Role.USER).text == kept
    assert reply.state == MessageState.DONE


def test_pasted_text_and_files_are_not_the_persons_words(client: Client, alice: Person) -> None:
    with nothing_queued():
        client.post(
            "/chats/send/",
            {
                "text": "What is this?",
                "pasted": "line\n" * 9,
                "files": SimpleUploadedFile("notes.txt", "你好".encode("big5")),
                "key": "k1",
            },
        )

    passages = Passage.objects.order_by("position").values_list("origin", "name", "text")
    assert list(passages) == [
        (Origin.PASTED, "", "line\n" * 9),
        (Origin.FILE, "notes.txt", "你好"),
        (Origin.TYPED, "", "What is this?"),
    ]


def test_a_post_without_a_script_leads_to_the_conversation(client: Client) -> None:
    with nothing_queued():
        response = client.post("/chats/send/", {"text": "Hello", "key": "k1"})

    reply = Message.objects.get(role=Role.ASSISTANT)
    assert response.status_code == 302
    assert response["Location"] == f"/chats/{reply.conversation_id}/#message-{reply.pk}"


def test_htmx_gets_both_rows_and_a_new_key(client: Client, alice: Person, now: datetime) -> None:
    conversation = talk(alice, ("Hello", "Hi."), now=now)

    with nothing_queued():
        response = client.post(
            f"/chats/{conversation.pk}/send/", {"text": "More", "key": "k2"}, headers={"HX-Request": "true"}
        )

    html = response.content.decode()
    assert html.count("<article") == 2
    assert "data-stream=" in html
    assert 'id="send-key"' in html
    assert "chat:sent" in response["HX-Trigger"]


@pytest.mark.parametrize("text", ["", "x" * 1_000_000])
def test_what_cannot_be_sent_comes_back_with_its_words(client: Client, text: str) -> None:
    plain = client.post("/chats/send/", {"text": text, "key": "k1"})
    htmx = client.post("/chats/send/", {"text": text, "key": "k1"}, headers={"HX-Request": "true"})

    assert (plain.status_code, htmx.status_code) == (422, 422)
    assert text in plain.content.decode()
    assert htmx["HX-Retarget"] == "#send-problem"
    assert not Message.objects.exists()


def test_a_file_that_is_no_text_is_named(client: Client) -> None:
    response = client.post(
        "/chats/send/", {"text": "Look", "files": SimpleUploadedFile("cat.png", b"\x89PNG\r\n\0\0"), "key": "k1"}
    )

    assert response.status_code == 422
    assert "“cat.png” is not a text file" in response.content.decode()


def test_parts_that_are_blank_are_left_out(alice: Person, now: datetime) -> None:
    ask(alice, [Part(Origin.PASTED, "  "), Part(Origin.TYPED, "Hello")], now=now)

    assert Passage.objects.get().origin == Origin.TYPED
