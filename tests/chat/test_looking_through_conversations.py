"""`search_conversations`: what was said, word for word and with its day, and the record of it."""

from __future__ import annotations

import json
import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import connections, transaction
from django.test import Client
from django.urls import reverse

from chat.models import EndReason, FoundMessage, Segment, SentTurn
from chat.reply import write_reply
from claude.client import using
from claude.prompts import fences
from memories import forget
from memories.models import Conversation, MemoryMode, Message, MessageState, Origin, Person, Via
from memories.transcript import Part
from tests.chat.saying import Request, answer, ask, nothing_queued, results_of, talk, text_of
from tests.fakes.wire import Answer, FakeWire, text, tool_use
from tests.memories.locks import WAIT_S, somebody_waits_for_a_lock, until
from tests.memories.telling import forgotten, learn, passage

SAID = "We picked the green canoe with the patched bow for the lake."
SEARCH: Answer = tool_use("search_conversations", {"query": "green canoe"})


def searched(person: Person, *, now: datetime, ends: Answer = "It was the green one.") -> tuple[Message, list[Request]]:
    reply = ask(person, "Which boat did we pick?", now=now)
    return reply, answer(reply, SEARCH, ends, now=now)


def found(requests: list[Request]) -> str:
    return str(results_of(requests[-1])[0]["content"])


def test_it_gives_both_sides_with_their_days(alice: Person, now: datetime) -> None:
    talk(alice, (SAID, "A fine canoe."), now=now)
    reply, requests = searched(alice, now=now + timedelta(days=3))

    passages = fences(found(requests), "passage")
    assert [(one.attributes["role"], one.text) for one in passages] == [("user", SAID), ("assistant", "A fine canoe.")]
    assert passages[0].attributes["said"].startswith("2026-03-17 20:00 Tuesday")
    assert FoundMessage.objects.filter(reply=reply).count() == 2


def test_the_question_itself_is_not_found(alice: Person, now: datetime) -> None:
    _reply, requests = searched(alice, now=now)
    assert found(requests) == "Nothing was said about that."
    assert not FoundMessage.objects.exists()


def test_nobody_elses_conversations_are_searched(alice: Person, bob: Person, now: datetime) -> None:
    talk(bob, (SAID, "A fine canoe."), now=now)
    _reply, requests = searched(alice, now=now)
    assert found(requests) == "Nothing was said about that."


def test_temporary_conversations_and_pasted_text_are_not_shown(alice: Person, now: datetime) -> None:
    for parts, mode in (
        ([Part(Origin.TYPED, SAID)], MemoryMode.TEMPORARY),
        ([Part(Origin.TYPED, "Look."), Part(Origin.PASTED, "The green canoe costs 900.")], MemoryMode.ON),
    ):
        answer(ask(alice, parts, now=now, mode=mode), "I see.", now=now)
    _reply, requests = searched(alice, now=now)
    assert "canoe" not in found(requests)


@pytest.mark.parametrize("off", ["conversation", "person"])
def test_it_is_off_where_memory_is_off(alice: Person, now: datetime, off: str) -> None:
    talk(alice, (SAID, "A fine canoe."), now=now)
    if off == "person":
        Person.objects.filter(pk=alice.pk).update(use_memories=False)
    reply = ask(alice, "Which boat?", now=now, mode=MemoryMode.TEMPORARY if off == "conversation" else MemoryMode.ON)
    requests = answer(reply, SEARCH, "I cannot look.", now=now)
    assert results_of(requests[-1])[0]["is_error"]
    assert "canoe" not in found(requests)


def forget_the_canoe(person: Person, said_in: Conversation, *, now: datetime) -> None:
    plan = forget.plan_conversation(person, said_in, with_memories=True, now=now)
    forget.carry_out(plan, now=now, via=Via.CONVERSATION, erase_words=False)


def test_where_it_is_forgotten_the_conversation_that_found_it_starts_anew(alice: Person, now: datetime) -> None:
    said_in = talk(alice, (SAID, "A fine canoe."), now=now)
    later = now + timedelta(days=3)
    reply, _requests = searched(alice, now=later, ends="Found.")
    forget_the_canoe(alice, said_in, now=later)

    again = ask(alice, "And the oars?", now=later, to=reply.conversation)
    sent = answer(again, "I don't know.", now=later)

    assert "canoe" not in json.dumps(sent[0]["messages"])
    assert "canoe" not in json.dumps(list(SentTurn.objects.values_list("blocks", flat=True)))
    assert Segment.objects.filter(conversation=reply.conversation, end_reason=EndReason.FORGOTTEN).exists()


@pytest.mark.django_db(transaction=True)
def test_a_reply_that_found_it_while_it_is_forgotten_is_thrown_away(alice: Person, now: datetime) -> None:
    said_in = talk(alice, (SAID, "A fine canoe."), now=now)
    later = now + timedelta(days=3)

    def forgets_meanwhile(_request: Request) -> Answer:
        forget_the_canoe(alice, said_in, now=later)
        return text("The green canoe.")

    reply, _requests = searched(alice, now=later, ends=forgets_meanwhile)

    assert (reply.state, reply.error) == (MessageState.FAILED, "forgotten")
    assert text_of(reply) == ""


@pytest.mark.parametrize("with_memories", [True, False])
def test_what_a_reply_repeats_of_it_goes_too_and_comes_back_by_undo(
    alice: Person, now: datetime, with_memories: bool
) -> None:
    said_in = talk(alice, (SAID, "A fine canoe."), now=now)
    later = now + timedelta(days=3)
    reply, _requests = searched(alice, now=later, ends="It was the canoe with a patch. Shall we go on Sunday?")
    plan = forget.plan_conversation(alice, said_in, with_memories=with_memories, now=later)
    deletion = forget.carry_out(plan, now=later, via=Via.CONVERSATION)

    assert forgotten(reply.conversation, 1) == ["It was the canoe with a patch."]
    again = ask(alice, "Tell me more.", now=later, to=reply.conversation)
    sent = answer(again, "Of what?", now=later)
    assert "canoe" not in json.dumps(sent[0]["messages"])
    assert "Sunday" in json.dumps(sent[0]["messages"])
    forget.undo(deletion, now=later)
    assert forgotten(reply.conversation, 1) == []
    assert FoundMessage.objects.filter(reply=reply).count() == 2


def test_a_memory_goes_with_what_a_reply_repeats_of_its_words_found_in_another_conversation(
    alice: Person, now: datetime, django_capture_on_commit_callbacks: Any
) -> None:
    said_in = talk(alice, (SAID, "A fine canoe."), now=now)
    memory = learn(alice, "The user picked the green canoe with the patched bow.", (passage(said_in, 0), SAID[:-1]))
    later = now + timedelta(days=3)
    reply, _requests = searched(alice, now=later, ends="The canoe with a patch. Shall we go on Sunday?")
    Conversation.objects.filter(pk=reply.conversation_id).update(title="A patched canoe")

    plan = forget.plan(alice, memories=[memory], now=later, ask_model=False)
    deletion = forget.carry_out(plan, now=later, via=Via.DETAIL, erase_words=True)

    assert forgotten(reply.conversation, 1) == ["The canoe with a patch."]
    assert Conversation.objects.get(pk=reply.conversation_id).title == ""
    assert not SentTurn.objects.filter(segment__conversation=reply.conversation).exists()
    with django_capture_on_commit_callbacks(execute=True):
        forget.purge(deletion.pk, now=deletion.undo_until)
    assert text_of(reply) == "█" * len("The canoe with a patch.") + " Shall we go on Sunday?"
    deletion.refresh_from_db()
    assert forget.verify([deletion], now=deletion.undo_until) == []


@pytest.mark.parametrize("erase_words", [True, False])
def test_deleting_everything_reaches_what_was_found_and_undo_gives_it_back(
    alice: Person, now: datetime, erase_words: bool, django_capture_on_commit_callbacks: Any
) -> None:
    said_in = talk(alice, (SAID, "A fine canoe."), now=now)
    later = now + timedelta(days=3)
    reply, _requests = searched(alice, now=later, ends="The green canoe.")
    plan = forget.plan_everything(alice, now=later)
    undone = forget.carry_out(plan, now=later, via=Via.LIST, erase_words=erase_words)
    forget.undo(undone, now=later)
    assert (text_of(reply), forgotten(said_in, 0)) == ("The green canoe.", [])
    assert FoundMessage.objects.filter(reply=reply).count() == 2

    deletion = forget.carry_out(plan, now=later, via=Via.LIST, erase_words=erase_words)
    again = ask(alice, "Which boat did we pick?", now=later, to=reply.conversation)
    requests = answer(again, SEARCH, "I don't know.", now=later)
    assert "canoe with" not in json.dumps(requests)
    assert found(requests) == "Nothing was said about that."
    with django_capture_on_commit_callbacks(execute=True):
        forget.purge(deletion.pk, now=deletion.undo_until)

    assert "canoe with" not in json.dumps(list(SentTurn.objects.values_list("blocks", flat=True)))
    deletion.refresh_from_db()
    assert forget.verify([deletion], now=deletion.undo_until) == []


def test_the_purge_empties_once_more_where_words_of_a_conversation_were_found(alice: Person, now: datetime) -> None:
    """The conversation goes with the record of it: afterwards nobody could find what were left there."""
    said_in = talk(alice, (SAID, "A fine canoe."), now=now)
    later = now + timedelta(days=3)
    reply, _requests = searched(alice, now=later, ends="Found.")
    plan = forget.plan_conversation(alice, said_in, with_memories=True, now=later)
    deletion = forget.carry_out(plan, now=later, via=Via.CONVERSATION)
    left = Segment.objects.create(
        person=alice, conversation=reply.conversation, from_position=0, opened_at=now, summary="The green canoe."
    )
    SentTurn.objects.create(segment=left, message=reply, position=0, role="user", blocks=[{"text": SAID}])

    forget.purge(deletion.pk, now=deletion.undo_until)

    assert not FoundMessage.objects.exists()
    assert not SentTurn.objects.exists()
    left.refresh_from_db()
    assert (left.summary, left.end_reason) == ("", EndReason.FORGOTTEN)


def test_the_account_goes_with_what_was_found(alice: Person, now: datetime) -> None:
    talk(alice, (SAID, "A fine canoe."), now=now)
    searched(alice, now=now + timedelta(days=3))
    forget.delete_account(alice)
    assert not FoundMessage.objects.exists()


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("tool", ["search_conversations", "recall"])
def test_a_look_while_a_deletion_is_about_to_commit_waits_for_it_and_finds_nothing(
    alice: Person, now: datetime, tool: str
) -> None:
    said_in = talk(alice, (SAID, "A fine canoe."), now=now)
    learn(alice, "The user picked the green canoe.", (passage(said_in, 0), SAID[:-1]))
    later = now + timedelta(days=3)
    reply = ask(alice, "Which?", now=later)
    given = {"query": "green canoe"} | ({"include_past": True} if tool == "recall" else {})
    asked, carried_out = threading.Event(), threading.Event()

    def looks(_request: Request) -> Answer:
        asked.set()
        assert carried_out.wait(WAIT_S)
        return tool_use(tool, given)

    def replies() -> list[Request]:
        wire = FakeWire(looks, "I don't know.")
        with using(wire):
            write_reply(reply.pk, now=later)
        connections.close_all()
        return wire.history

    with ThreadPoolExecutor(1) as pool:
        under_way = pool.submit(replies)
        assert asked.wait(WAIT_S)
        with transaction.atomic():
            forget_the_canoe(alice, said_in, now=later)
            carried_out.set()
            until(lambda: somebody_waits_for_a_lock() or under_way.done())
        requests = under_way.result(WAIT_S)
    assert "canoe" not in found(requests)
    assert not results_of(requests[-1])[0].get("is_error")


def test_the_page_links_to_where_it_was_said(client: Client, alice: Person, now: datetime) -> None:
    said_in = talk(alice, (SAID, "A fine canoe."), now=now)
    reply, _requests = searched(alice, now=now + timedelta(days=3))
    page = client.get(reverse("chat:conversation", args=[reply.conversation_id])).content.decode()
    assert f"/chats/{said_in.pk}/#message-{said_in.messages.earliest('position').pk}" in page


@pytest.mark.parametrize(
    ("said", "asked", "has"),
    [
        ("The plumber comes through the cellar window again.", "What did I say about the plumber?", "cellar window"),
        ("水電師傅又從地下室的窗戶進來了。", "我有跟你提過水電師傅嗎？", "地下室的窗戶"),
    ],
)
def test_the_standin_quotes_what_was_said(alice: Person, now: datetime, said: str, asked: str, has: str) -> None:
    talk(alice, (said, "OK."), now=now)
    reply = ask(alice, asked, now=now + timedelta(days=2))
    with nothing_queued():
        write_reply(reply.pk, now=now + timedelta(days=2))
    assert has in text_of(reply)
    assert "2026-03-17" in text_of(reply)


@pytest.mark.parametrize(
    ("said", "asked", "answered"),
    [
        ("I'm pescatarian, by the way.", "Am I pescatarian?", "Yes: You are pescatarian"),
        ("I don't drink beer.", "Do I drink beer?", "No: You don't drink beer"),
        ("I work as a glazier in Tralee.", "Am I a glazier?", "Yes"),
        ("My son is allergic to cashews.", "Is my son allergic to cashews?", "Yes"),
        ("I have three hamsters.", "Do I have a hamster?", "Yes"),
        ("I speak Korean.", "Can I speak Korean?", "Yes"),
        ("I have three hamsters.", "Do I have any pets?", "Yes: You have three hamsters"),
        ("I have a brother called Fintan.", "Do I have any siblings?", "Fintan"),
        ("I'm allergic to cashews.", "Do I have any allergies?", "cashews"),
        ("我養了三隻倉鼠。", "我有養寵物嗎？", "倉鼠"),
        ("我是素食者。", "我是素食者嗎？", "是的"),
        ("我不喝紅酒。", "我喝紅酒嗎？", "不是"),
        ("我養了三隻倉鼠。", "我有養倉鼠嗎？", "是的"),
        ("我會說韓文。", "我會說韓文嗎？", "是的"),
    ],
)
def test_the_standin_says_yes_or_no_before_any_night(
    alice: Person, now: datetime, said: str, asked: str, answered: str
) -> None:
    told = ask(alice, said, now=now)
    reply = ask(alice, asked, now=now + timedelta(hours=1))
    with nothing_queued():
        write_reply(told.pk, now=now)
        write_reply(reply.pk, now=now + timedelta(hours=1))
    assert answered in text_of(reply)


def test_the_standin_says_when_what_no_memory_holds_was_said(alice: Person, now: datetime) -> None:
    talk(alice, ("I work as a glazier in Tralee.", "OK."), now=now)
    reply = ask(alice, "Am I a glazier?", now=now + timedelta(days=1))
    with nothing_queued():
        write_reply(reply.pk, now=now + timedelta(days=1))
    assert "(You said so on 17 March 2026.)" in text_of(reply)
    assert "[m" not in text_of(reply)


def test_the_standin_quotes_no_question_as_a_saying(alice: Person, now: datetime) -> None:
    talk(alice, ("When did I tell you about the glacier trip?", "I don't know."), now=now)
    reply = ask(alice, "When did I tell you about the glacier trip?", now=now + timedelta(days=1))
    with nothing_queued():
        write_reply(reply.pk, now=now + timedelta(days=1))
    assert text_of(reply).startswith("I don't know")
