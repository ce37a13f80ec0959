"""Undo on the chip of what a reply remembered."""

from __future__ import annotations

from datetime import datetime

import pytest
from django.test import Client

from memories.models import Deletion, Memory, Person, Status, Via, Write
from tests.chat.saying import answer, ask
from tests.fakes.wire import tool_use

pytestmark = pytest.mark.django_db


def _remembered(person: Person, words: str, statement: str, *, now: datetime, replaces: str = "") -> Write:
    reply = ask(person, words, now=now)
    call = tool_use(
        "remember",
        {
            "quote": words, "statement": statement, "kind": "semantic", "category": "place", "event_date": "",
            "plan": False, "asked_outright": True, "replaces": replaces,
        },
    )  # fmt: skip
    answer(reply, call, "Noted.", now=now)
    return Write.objects.get(reply=reply)


def test_one_click_forgets_what_was_remembered_and_another_brings_it_back(
    client: Client, alice: Person, now: datetime
) -> None:
    write = _remembered(alice, "I live in Dublin.", "The user lives in Dublin.", now=now)
    assert write.reply is not None
    page = f"/chats/{write.reply.conversation_id}/"

    gone = client.post(f"/writes/{write.pk}/undo/")

    assert gone["Location"] == f"{page}#message-{write.reply_id}"
    assert Memory.objects.get().status == Status.DELETED
    assert Deletion.objects.get().via == Via.CHAT
    assert f"/writes/{write.pk}/back/" in client.get(page).content.decode()

    client.post(f"/writes/{write.pk}/back/")

    assert Memory.objects.get().status == Status.ACTIVE
    assert f"/writes/{write.pk}/undo/" in client.get(page).content.decode()


def test_with_a_script_the_row_answers_with_its_chip_changed(client: Client, alice: Person, now: datetime) -> None:
    write = _remembered(alice, "I live in Dublin.", "The user lives in Dublin.", now=now)

    row = client.post(f"/writes/{write.pk}/undo/", headers={"HX-Request": "true"}).content.decode()

    assert row.lstrip().startswith("<article")
    assert "Forgotten" in row


def test_taking_back_an_update_lets_what_it_replaced_hold_again_with_its_words(
    client: Client, alice: Person, now: datetime
) -> None:
    old = _remembered(alice, "I live in Dublin.", "The user lives in Dublin.", now=now).memory
    assert old is not None
    update = _remembered(alice, "I live in Cork now.", "The user lives in Cork.", now=now, replaces=old.label)
    assert update.replaced == old

    client.post(f"/writes/{update.pk}/undo/")

    old.refresh_from_db()
    assert old.status == Status.ACTIVE
    assert old.evidence.filter(passage__isnull=False).exists()
    assert list(Memory.objects.filter(status=Status.DELETED)) == [update.memory]


def test_a_second_click_changes_nothing_more(client: Client, alice: Person, now: datetime) -> None:
    write = _remembered(alice, "I live in Dublin.", "The user lives in Dublin.", now=now)

    client.post(f"/writes/{write.pk}/undo/")
    client.post(f"/writes/{write.pk}/undo/")

    assert Deletion.objects.count() == 1


def test_a_stranger_finds_nothing(bobs_client: Client, alice: Person, now: datetime) -> None:
    write = _remembered(alice, "I live in Dublin.", "The user lives in Dublin.", now=now)

    assert bobs_client.post(f"/writes/{write.pk}/undo/").status_code == 404
    assert Memory.objects.get().status == Status.ACTIVE
