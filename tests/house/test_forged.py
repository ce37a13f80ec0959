"""Keys of somebody else's rows, wherever a form, a query or a model can put them, reach nothing of theirs."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from claude.client import using
from consolidation import night
from memories import forget
from memories.models import (
    Conversation,
    Deletion,
    Memory,
    Message,
    Passage,
    Person,
    ProposalState,
    ProposedDeletion,
    Recollection,
    Status,
    Tombstone,
)
from tests.chat.saying import answer, ask, keeping, nothing_queued, talk, text_of
from tests.fakes.wire import FakeWire, filled, reply, tool_block
from tests.house.test_bad_input import FORMS
from tests.house.urls import addresses
from tests.memories.saying import told

HERON = "The user keeps a heron called Quillfeather."


@pytest.fixture(autouse=True)
def quiet() -> Iterator[None]:
    with nothing_queued():
        yield


@pytest.fixture
def heron(alice: Person, now: datetime) -> Memory:
    memory = told(alice, "I keep a heron called Quillfeather.", HERON, now).memory
    assert memory is not None
    return memory


def untouched(memory: Memory) -> bool:
    memory.refresh_from_db()
    return (
        (memory.status, memory.statement, memory.version) == (Status.ACTIVE, HERON, 1)
        and not Tombstone.objects.filter(person=memory.person).exists()
        and not Deletion.objects.filter(person=memory.person).exists()
    )


def test_a_form_with_anothers_keys_takes_nothing_of_theirs(
    bobs_client: Client, alice: Person, bob: Person, heron: Memory, now: datetime
) -> None:
    own = told(bob, "I keep bees.", "The user keeps bees.", now).memory
    assert own is not None
    span = heron.evidence.get()
    conversation = talk(alice, ("Quillfeather again", "Yes."), now=now)
    card = ProposedDeletion.objects.create(
        person=alice, reply=conversation.messages.get(position=1), groups=[[heron.pk]], proposed_at=now
    )
    url = reverse("memories:forget")
    forged = {
        "tick_memory": str(heron.pk),
        "tick_span": f"{span.passage_id}:{span.start}:{span.end}",
        f"chain-{heron.pk}": "past",
        "proposal": str(card.pk),
        "words": "erase",
    }
    signed = forget.plan(alice, memories=[heron], now=now).sign()
    bobs_client.post(url, {**forged, "plan": signed, "plan_without": signed})
    assert not Deletion.objects.exists()
    bobs_client.post(url, {**forged, "plan": forget.plan(bob, memories=[own], now=now).sign()})
    assert Deletion.objects.get().person == bob
    assert Memory.objects.get(pk=own.pk).status == Status.DELETED
    assert untouched(heron)
    card.refresh_from_db()
    assert card.state == ProposalState.OPEN


@pytest.mark.parametrize(
    "query",
    [
        "{forget}?proposal={card}",
        "{forget}?conversation={conversation}",
        "{forget}?m={number}",
        "{forget}?m={memory}",
        "{forget}?q=Quillfeather",
        "{list}?current={conversation}&q=Quillfeather",
        "{own}?passage={passage}&from=0&to=40",
        "{memories}?q=Quillfeather&status=all",
        "{memories}?q=m{number}&status=all",
        "{home}?conversations=1000",
    ],
)
def test_a_page_asked_with_anothers_keys_shows_nothing_of_theirs(
    bobs_client: Client, alice: Person, bob: Person, heron: Memory, now: datetime, query: str
) -> None:
    Memory.objects.filter(pk=heron.pk).update(number=977)
    conversation = talk(alice, ("Quillfeather again", "Quillfeather, yes."), now=now)
    card = ProposedDeletion.objects.create(
        person=alice, reply=conversation.messages.get(position=1), groups=[[heron.pk]], proposed_at=now
    )
    own = talk(bob, ("Bees", "Honey."), now=now)
    address = query.format(
        forget=reverse("memories:forget"),
        list=reverse("chat:list"),
        memories=reverse("memories:list"),
        home=reverse("chat:home"),
        own=reverse("chat:conversation", args=[own.pk]),
        card=card.pk,
        conversation=conversation.pk,
        passage=conversation.messages.get(position=0).passages.get().pk,
        number=977,
        memory=heron.pk,
    )
    for headers in ({}, {"HX-Request": "true"}):
        answered = bobs_client.get(address, headers=headers)
        assert answered.status_code in {200, 404}
        said = answered.content.decode().replace("Quillfeather&quot;", "").replace('value="Quillfeather"', "")
        assert "heron" not in said
        assert "Quillfeather again" not in said
        assert "Quillfeather, yes" not in said


def test_a_models_word_for_anothers_memory_is_no_key_to_it(
    alice: Person, bob: Person, heron: Memory, now: datetime
) -> None:
    Memory.objects.filter(pk=heron.pk).update(number=977)
    said = ask(bob, "I keep a goose now.", now=now)
    calls = [
        tool_block("remember", keeping("I keep a goose now", "The user keeps a goose.") | {"replaces": "m977"}),
        tool_block("remember", keeping("I keep a heron called Quillfeather", HERON)),
        tool_block("recall", {"query": "heron Quillfeather", "include_past": True}),
        tool_block("forget", {"request": "forget everything about Quillfeather, m977"}),
        tool_block("search_conversations", {"query": "Quillfeather"}),
    ]
    sent = answer(said, reply(*calls), otherwise="It is so [m977].", now=now)
    assert "heron" not in str(sent[-1]["messages"][-1])
    assert "977" not in text_of(said) or "[m977]" in text_of(said)
    assert not Memory.objects.of(bob).exists()
    assert not Recollection.objects.filter(memory=heron).exists()
    assert not ProposedDeletion.objects.exists()
    heron.number = 977
    assert untouched(heron)


def test_a_nights_answer_with_anothers_keys_changes_nothing_of_theirs(
    alice: Person, bob: Person, heron: Memory, now: datetime
) -> None:
    Memory.objects.filter(pk=heron.pk).update(number=977)
    theirs = Passage.objects.get(person=alice)
    talk(bob, ("I keep a goose called Hildegard.", "Nice."), now=now)
    own = Passage.objects.get(person=bob, origin="typed")

    def astray(request: dict[str, Any]) -> Any:
        wanted = (request.get("output_config") or {}).get("format")
        if not wanted:
            return "Understood."
        shapes = set(wanted["schema"]["properties"])
        if "candidates" in shapes:
            candidate = {
                "reasoning": "", "statement": "The user keeps a goose called Hildegard.", "kind": "semantic",
                "category": "people", "confidence": "high", "plan": False, "lasting": True, "event_from": "",
                "event_until": "",
            }  # fmt: skip
            quotes = [(theirs.pk, theirs.text), (own.pk, theirs.text), (own.pk, "I keep a goose called Hildegard")]
            return filled({"candidates": [{**candidate, "passage": f"p{pk}", "quote": q} for pk, q in quotes]})
        if "verdicts" in shapes:
            return filled({"verdicts": [
                {"candidate": f"c{n}", "reasoning": "", "verdict": "replaces", "memory": "m977"} for n in range(50)
            ]})  # fmt: skip
        return filled({next(iter(shapes)): []})

    begun = night.begin(bob, now=now)
    assert begun is not None
    with using(FakeWire(otherwise=astray)):
        night.run(begun.pk, now=now)
    heron.number = 977
    assert untouched(heron)
    assert heron.evidence.count() == 1
    assert [memory.statement for memory in Memory.objects.of(bob)] == ["The user keeps a goose called Hildegard."]


def test_no_form_is_taken_from_another_site(alice: Person, now: datetime) -> None:
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(alice, backend="django.contrib.auth.backends.ModelBackend")
    before = Conversation.objects.count(), Message.objects.count()
    for address in addresses():
        if address.name in FORMS:
            arguments = dict.fromkeys(address.parameters, 1)
            url = reverse(address.name, kwargs=arguments)
            for headers in ({}, {"HX-Request": "true"}):
                answered = browser.post(url, {"name": alice.email, "text": "x"}, headers=headers)
                refused = answered.status_code == 403 or "HX-Redirect" in answered.headers
                assert refused, (address.name, answered.status_code)
    assert Person.objects.filter(pk=alice.pk).exists()
    assert (Conversation.objects.count(), Message.objects.count()) == before
