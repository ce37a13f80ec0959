from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django.fixtures import Settings

from claude.client import using
from claude.models import Call
from memories import forget
from memories.models import Deletion, Memory, Message, OrderedDeletion, Person, ProposalState, Status, Via
from tests.fakes.wire import FakeWire, overloaded
from tests.memories.telling import converse, forgotten, learn, passage


@pytest.fixture
def memory(alice: Person) -> Memory:
    chat = converse(
        alice,
        "My niece Orla starts school in September.",
        "Lovely. Orla will enjoy it.",
        "Orla is five.",
        at=timezone.now() - timedelta(days=3),
    )
    return learn(
        alice, "The user's niece Orla starts school in September.", (passage(chat, 0), "My niece Orla starts school")
    )


def _form(page: bytes, name: str) -> str:
    text = page.decode()
    return text.split(f'name="{name}" value="', 1)[1].split('"', 1)[0]


def test_the_dialog_names_what_goes_in_its_own_words(client: Client, memory: Memory) -> None:
    page = client.get(reverse("memories:forget"), {"m": [memory.number]}).content.decode()

    assert "The user&#x27;s niece Orla starts school in September." in page
    assert "Orla will enjoy it." in page
    assert "Orla is five." in page
    assert "Erase the words too" in page


def test_what_asks_the_model_is_not_looked_up_without_end(
    client: Client, bobs_client: Client, memory: Memory, settings: Settings
) -> None:
    settings.FORGET_LOOKS_AN_HOUR = 3
    page, question = reverse("memories:forget"), {"q": "forget about Orla"}
    with using(FakeWire(otherwise=lambda request: overloaded())):
        for _ in range(3):
            assert client.get(page, question).status_code == 200
        asked = Call.objects.count()
        refused = client.get(page, question)
        assert refused.status_code == 429
        assert refused["Retry-After"] == "3600"
        assert "asked for too often" in refused.content.decode()
        assert Call.objects.count() == asked > 0
        # Somebody else's looks are their own.
        assert bobs_client.get(page, question).status_code == 200
    # The stand-in costs nothing.
    assert client.get(page, question).status_code == 200


def test_the_plain_form_forgets_and_shows_the_receipt_with_undo(client: Client, memory: Memory) -> None:
    page = client.get(reverse("memories:forget"), {"m": str(memory.number), "via": "detail"})
    answer = client.post(
        reverse("memories:forget"), {"plan": _form(page.content, "plan"), "via": "detail", "words": "keep"}
    )

    deletion = Deletion.objects.get()
    assert answer["Location"] == reverse("memories:receipt", args=[deletion.pk])
    assert deletion.via == Via.DETAIL
    receipt = client.get(answer["Location"]).content.decode()
    assert "What was removed" in receipt
    assert "Orla" not in receipt

    client.post(reverse("memories:undo", args=[deletion.pk]))
    memory.refresh_from_db()
    assert memory.status == Status.ACTIVE


def test_ticked_words_go_and_the_others_stay(client: Client, memory: Memory) -> None:
    chat = memory.evidence.get().passage.message.conversation  # type: ignore[union-attr]
    page = client.get(reverse("memories:forget"), {"m": memory.number})
    key = f"{passage(chat, 2).pk}:0:{len('Orla is five.')}"
    assert key in page.content.decode()

    client.post(reverse("memories:forget"), {"plan": _form(page.content, "plan"), "tick_span": [key]})

    assert forgotten(chat, 2) == ["Orla is five."]


def test_nobody_else_can_see_or_carry_out_the_plan(client: Client, bobs_client: Client, memory: Memory) -> None:
    page = client.get(reverse("memories:forget"), {"m": memory.number})
    bobs = bobs_client.get(reverse("memories:forget"), {"m": memory.number})
    assert "Orla" not in bobs.content.decode()

    bobs_client.post(reverse("memories:forget"), {"plan": _form(page.content, "plan")})
    assert not Deletion.objects.exists()

    client.post(reverse("memories:forget"), {"plan": _form(page.content, "plan")})
    deletion = Deletion.objects.get()
    assert bobs_client.get(reverse("memories:receipt", args=[deletion.pk])).status_code == 404
    assert bobs_client.post(reverse("memories:undo", args=[deletion.pk])).status_code == 404


def test_a_second_tab_is_told_that_nothing_is_left(client: Client, memory: Memory) -> None:
    plan = _form(client.get(reverse("memories:forget"), {"m": memory.number}).content, "plan")
    client.post(reverse("memories:forget"), {"plan": plan})

    again = client.post(reverse("memories:forget"), {"plan": plan})

    assert again.status_code == 302
    assert Deletion.objects.count() == 1


def test_the_assistant_only_proposes_and_the_card_forgets(client: Client, alice: Person, memory: Memory) -> None:
    now = timezone.now()
    reply = Message.objects.filter(conversation__person=alice, role="assistant").get()
    proposal = forget.propose(alice, "Please forget everything about my niece.", reply=reply, now=now)
    assert proposal is not None
    memory.refresh_from_db()
    assert memory.status == Status.ACTIVE
    assert proposal.counts["memories"] == 1

    card = client.post(
        reverse("memories:answer-proposal", args=[proposal.pk]),
        {"answer": "confirm", "group": "0"},
        headers={"HX-Request": "true"},
    ).content.decode()

    assert "Forgotten" in card
    memory.refresh_from_db()
    assert memory.status == Status.DELETED
    proposal.refresh_from_db()
    assert proposal.state == ProposalState.CONFIRMED


def test_a_cancelled_card_forgets_nothing(client: Client, alice: Person, memory: Memory) -> None:
    reply = Message.objects.filter(conversation__person=alice, role="assistant").get()
    proposal = forget.propose(alice, "forget my niece", reply=reply, now=timezone.now())
    assert proposal is not None

    client.post(
        reverse("memories:answer-proposal", args=[proposal.pk]), {"answer": "cancel"}, headers={"HX-Request": "true"}
    )
    client.post(
        reverse("memories:answer-proposal", args=[proposal.pk]), {"answer": "confirm"}, headers={"HX-Request": "true"}
    )

    assert not Deletion.objects.exists()


def test_all_memories_go_and_nothing_said_before_is_learned_from(client: Client, alice: Person, memory: Memory) -> None:
    page = client.get(reverse("memories:forget"), {"all": "1"})
    client.post(reverse("memories:forget"), {"plan": _form(page.content, "plan")})
    forget.carry_out_ordered(OrderedDeletion.objects.get().pk, now=timezone.now())

    assert not Memory.objects.of(alice).kept().exists()
    earlier = timezone.now() - timedelta(minutes=1)
    assert forget.blocked(alice, statement="The user likes tea.", said_at=earlier)


def test_deleting_a_conversation_asks_whether_its_memories_go_too(
    client: Client, alice: Person, memory: Memory
) -> None:
    chat = memory.evidence.get().passage.message.conversation  # type: ignore[union-attr]
    page = client.get(reverse("memories:forget"), {"conversation": chat.pk}).content
    assert b"What was learned only in this conversation" in page

    client.post(
        reverse("memories:forget"),
        {"plan": _form(page, "plan"), "plan_without": _form(page, "plan_without"), "memories": "keep"},
    )
    memory.refresh_from_db()
    assert memory.status == Status.ACTIVE
    deletion = Deletion.objects.get()
    forget.undo(deletion, now=timezone.now())
    memory.refresh_from_db()
    assert memory.evidence.get().passage is not None

    client.post(reverse("memories:forget"), {"plan": _form(page, "plan"), "memories": "forget"})
    memory.refresh_from_db()
    assert memory.status == Status.DELETED
    last = Deletion.objects.latest("pk")
    forget.purge(last.pk, now=last.undo_until)
    assert not Message.objects.filter(conversation=chat.pk).exists()


def test_what_it_replaced_and_has_nothing_to_do_with_it_is_asked_about_and_stays_unless_told(
    client: Client, alice: Person
) -> None:
    at = timezone.now() - timedelta(days=2)
    chat = converse(alice, "I drive a van.", "Good.", "I sold it, I take the train.", "Fine.", at=at)
    van = learn(alice, "The user drives a van.", (passage(chat, 0), "I drive a van"))
    train = learn(alice, "The user takes the train.", (passage(chat, 2), "I take the train"), replaces=van)
    page = client.get(reverse("memories:forget"), {"m": train.number}).content
    choice = page.decode().split(f'name="chain-{van.pk}"')[1].split(">")[0]
    assert "required" in choice
    assert "checked" not in choice

    client.post(reverse("memories:forget"), {"plan": _form(page, "plan")})

    van.refresh_from_db()
    assert van.status == Status.SUPERSEDED
    assert van.evidence.get().passage == passage(chat, 0)
    assert forgotten(chat, 0) == []
    assert forgotten(chat, 2) == ["I take the train"]


def test_on_the_card_too_what_it_replaced_stays_when_nobody_was_asked(client: Client, alice: Person) -> None:
    at = timezone.now() - timedelta(days=2)
    chat = converse(alice, "I drive a van.", "Good.", "I sold it, I take the train.", "Fine.", at=at)
    van = learn(alice, "The user drives a van.", (passage(chat, 0), "I drive a van"))
    train = learn(alice, "The user takes the train.", (passage(chat, 2), "I take the train"), replaces=van)
    reply = Message.objects.get(conversation=chat, position=3)
    proposal = forget.propose(alice, "forget the train", reply=reply, now=timezone.now())
    assert proposal is not None

    client.post(reverse("memories:answer-proposal", args=[proposal.pk]), {"answer": "confirm", "group": "0"})

    assert Memory.objects.get(pk=train.pk).status == Status.DELETED
    assert Memory.objects.get(pk=van.pk).status == Status.SUPERSEDED


def test_cancel_leads_back_to_where_it_was_asked_without_a_script(
    client: Client, alice: Person, memory: Memory
) -> None:
    reply = Message.objects.filter(conversation__person=alice, role="assistant").get()
    proposal = forget.propose(alice, "forget my niece", reply=reply, now=timezone.now())
    assert proposal is not None
    chat = reverse("chat:conversation", args=[reply.conversation_id])
    pages: list[tuple[dict[str, str | int], str]] = [
        ({"m": memory.number, "via": "detail"}, reverse("memories:detail", args=[memory.number])),
        ({"m": memory.number, "via": "list"}, reverse("memories:list")),
        ({"proposal": proposal.pk, "group": 0, "via": "chat"}, chat),
        ({"conversation": reply.conversation_id}, chat),
        ({"all": 1}, reverse("memories:privacy")),
    ]
    for asked, back in pages:
        page = client.get(reverse("memories:forget"), asked).content.decode()
        assert f'href="{back}" data-dialog-close' in page
