"""Forgetting while a conversation goes on: it is effective at once, whatever is in flight."""

from __future__ import annotations

import json
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from chat import stream
from chat.models import EndReason, Segment, SentTurn
from chat.reply import write_reply
from chat.titles import name_conversation, untitled
from claude.client import using
from memories import forget
from memories.models import (
    Conversation,
    Deletion,
    Memory,
    Message,
    MessageState,
    Person,
    ProposedDeletion,
    Recollection,
    Status,
    Via,
    Write,
)
from tests.chat.saying import answer, ask, keeping, text_of
from tests.fakes.wire import FakeWire, text, tool_use

ORLA = "My niece Orla starts school in September."


def remembering(person: Person, *, now: datetime) -> tuple[Message, Memory]:
    reply = ask(person, ORLA, now=now)
    answer(
        reply,
        tool_use("remember", keeping(ORLA.rstrip("."), "The user's niece Orla starts school in September.")),
        "Lovely. Orla will like it [m1].",
        now=now,
    )
    return reply, Memory.objects.get()


def carry_out(person: Person, memory: Memory, *, now: datetime, erase_words: bool = False) -> Deletion:
    return forget.carry_out(
        forget.plan(person, memories=[memory], now=now, ask_model=False),
        now=now,
        via=Via.DETAIL,
        erase_words=erase_words,
    )


def test_the_next_reply_is_sent_none_of_it(alice: Person, now: datetime) -> None:
    first, memory = remembering(alice, now=now)
    later = now + timedelta(minutes=5)
    carry_out(alice, memory, now=later)

    reply = ask(alice, "What do you know about my family?", now=later, to=first.conversation)
    sent = answer(reply, "I don't know.", now=later)

    assert "Orla" not in json.dumps(sent[0]["messages"], ensure_ascii=False)
    assert Segment.objects.filter(end_reason=EndReason.FORGOTTEN).count() == 1
    assert "Orla" not in json.dumps(list(SentTurn.objects.values_list("blocks", flat=True)), ensure_ascii=False)


@pytest.mark.django_db(transaction=True)
def test_a_reply_in_flight_while_it_is_forgotten_is_thrown_away(alice: Person, now: datetime) -> None:
    first, memory = remembering(alice, now=now)
    later = now + timedelta(minutes=1)

    def forgets_meanwhile(_request: dict[str, Any]) -> Any:
        carry_out(alice, memory, now=later)
        return text("Orla starts school in September [m1].")

    reply = ask(alice, "When does Orla start school?", now=later, to=first.conversation)
    answer(reply, forgets_meanwhile, now=later)

    assert (reply.state, reply.error) == (MessageState.FAILED, "forgotten")
    assert text_of(reply) == ""
    assert not stream.has_parts(reply.pk)
    assert Memory.objects.get().status == Status.DELETED


def test_a_name_that_is_made_while_it_is_forgotten_is_not_given(alice: Person, now: datetime) -> None:
    """Though the conversation has none at that moment, being named anew after something else was forgotten in it."""
    first, memory = remembering(alice, now=now)
    Conversation.objects.filter(pk=first.conversation_id).update(title="")

    def forgets_meanwhile(_request: dict[str, Any]) -> Any:
        carry_out(alice, memory, now=now + timedelta(minutes=1))
        return text("Orla and school")

    with using(FakeWire(forgets_meanwhile, "Good news")):
        assert not name_conversation(first.conversation_id)
        assert Conversation.objects.get().title == ""
        assert first.conversation_id in untitled()
        assert name_conversation(first.conversation_id)
    assert Conversation.objects.get().title == "Good news"


def test_a_reply_in_flight_cannot_remember_it_again(alice: Person, now: datetime) -> None:
    _first, memory = remembering(alice, now=now)
    later = now + timedelta(minutes=1)
    other = ask(alice, "As I said, my niece Orla starts school in September.", now=later)

    def forgets_meanwhile(_request: dict[str, Any]) -> Any:
        carry_out(alice, memory, now=later + timedelta(seconds=5))
        words = "my niece Orla starts school in September"
        return tool_use("remember", keeping(words, "Orla, the user's niece, starts school in September."))

    answer(other, forgets_meanwhile, "All right.", now=later + timedelta(seconds=6))

    assert not Memory.objects.kept().exists()
    assert Write.objects.filter(outcome="refused", reason="deleted").count() == 1


def test_what_is_said_anew_is_remembered_again(alice: Person, now: datetime) -> None:
    first, memory = remembering(alice, now=now)
    deletion = carry_out(alice, memory, now=now + timedelta(minutes=1))
    forget.purge(deletion.pk, now=deletion.undo_until)
    later = deletion.undo_until + timedelta(hours=1)

    reply = ask(alice, ORLA, now=later, to=first.conversation)
    words = keeping(ORLA.rstrip("."), "The user's niece Orla starts school in September.")
    answer(reply, tool_use("remember", words), "Noted [m2].", now=later)

    assert Memory.objects.kept().get().statement == "The user's niece Orla starts school in September."


def test_the_tool_shows_a_card_and_deletes_nothing(client: Client, alice: Person, now: datetime) -> None:
    first, memory = remembering(alice, now=now)
    later = now + timedelta(minutes=1)
    reply = ask(alice, "Forget everything about my niece.", now=later, to=first.conversation)
    answer(
        reply,
        tool_use("forget", {"request": "Forget everything about my niece."}),
        {"reasoning": "It is about her.", "memories": ["m1"], "ambiguous": False},
        {"verdicts": []},
        "Please look at the card below.",
        now=later,
    )

    memory.refresh_from_db()
    assert memory.status == Status.ACTIVE
    page = client.get(reverse("chat:conversation", args=[first.conversation_id])).content.decode()
    proposal = ProposedDeletion.objects.get()
    assert f"forget-card-{proposal.pk}" in page
    assert "Forget this?" in page

    client.post(
        reverse("memories:answer-proposal", args=[proposal.pk]),
        {"answer": "confirm", "group": "0"},
        headers={"HX-Request": "true"},
    )
    memory.refresh_from_db()
    assert memory.status == Status.DELETED
    page = client.get(reverse("chat:conversation", args=[first.conversation_id])).content.decode()
    assert "Receipt and undo" in page


@pytest.mark.django_db(transaction=True)
def test_erased_words_are_blank_on_the_page_at_once_and_tool_arguments_are_gone(
    client: Client, alice: Person, now: datetime
) -> None:
    first, memory = remembering(alice, now=now)
    assert "Orla" in json.dumps(list(SentTurn.objects.values_list("blocks", flat=True)))
    deletion = carry_out(alice, memory, now=now + timedelta(minutes=1), erase_words=True)

    page = client.get(reverse("chat:conversation", args=[first.conversation_id])).content.decode()
    assert "Orla" not in page
    assert not SentTurn.objects.exists()

    forget.purge(deletion.pk, now=deletion.undo_until)
    assert not Message.objects.filter(passages__text__contains="Orla").exists()
    assert not Recollection.objects.exists()
    assert forget.verify([deletion], now=deletion.undo_until) == []


def test_deleting_a_conversation_leads_to_the_forget_door(client: Client, alice: Person, now: datetime) -> None:
    first, _memory = remembering(alice, now=now)

    answered = client.get(reverse("chat:delete", args=[first.conversation_id]))

    assert answered["Location"] == f"{reverse('memories:forget')}?conversation={first.conversation_id}"


@pytest.mark.parametrize(
    ("said", "statement", "request_"),
    [
        ("我養了一隻貓。", "使用者養了一隻貓。", "請忘記我養的貓。"),
        ("我住在台南。", "使用者住在台南。", "忘記我住在台南這件事"),
        ("I keep bees.", "The user keeps bees.", "Please forget my bees."),
    ],
)
def test_the_stand_in_shows_a_card_in_either_language(
    said: str, statement: str, request_: str, client: Client, alice: Person, now: datetime
) -> None:
    first = ask(alice, said, now=now)
    answer(first, tool_use("remember", keeping(said.rstrip("。."), statement)), "[m1]", now=now)
    reply = ask(alice, request_, now=now + timedelta(minutes=1), to=first.conversation)
    write_reply(reply.pk, now=now + timedelta(minutes=1))

    card = ProposedDeletion.objects.get()
    assert card.groups == [[Memory.objects.get().pk]]
    assert Memory.objects.get().status == Status.ACTIVE
    page = client.get(reverse("chat:conversation", args=[first.conversation_id])).content.decode()
    assert f"forget-card-{card.pk}" in page
    assert statement in page
