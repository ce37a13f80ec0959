"""A stranger gets 404 on every address with another person's ids; nobody gets anywhere without signing in."""

from __future__ import annotations

from datetime import datetime

import pytest
from django.test import Client
from django.urls import reverse

from memories.models import (
    Conversation,
    Deletion,
    Evidence,
    Kind,
    Memory,
    Message,
    MessageState,
    OrderedDeletion,
    Origin,
    Page,
    Passage,
    Person,
    Role,
    Status,
    Via,
)
from tests.house.urls import Address, addresses

SECRET = "Alice keeps a heron called Quillfeather"
# Open to everyone, and without anything of anyone.
OPEN = {"healthz", "sign_in", "set_language"}

WITH_IDS = [address for address in addresses() if address.parameters and address.name not in OPEN]
WITHOUT_IDS = [address for address in addresses() if not address.parameters and address.name not in OPEN]


@pytest.fixture
def ids(alice: Person, now: datetime) -> dict[str, dict[str, object]]:
    """For each kind of address, alice's own ids."""
    from consolidation.models import Night, NightState

    conversation = Conversation.objects.create(person=alice, title=SECRET, started_at=now, last_said_at=now)
    asked = Message.objects.create(person=alice, conversation=conversation, position=1, role=Role.USER, said_at=now)
    passage = Passage.objects.create(person=alice, message=asked, origin=Origin.TYPED, text=SECRET)
    reply = Message.objects.create(
        person=alice,
        conversation=conversation,
        position=2,
        role=Role.ASSISTANT,
        state=MessageState.DONE,
        said_at=now,
        finished_at=now,
    )
    Passage.objects.create(person=alice, message=reply, origin=Origin.ASSISTANT, text=SECRET)
    memory = Memory.objects.create(
        person=alice,
        number=71,
        statement=SECRET,
        kind=Kind.SEMANTIC,
        status=Status.ACTIVE,
        trusted=True,
        said_at=now,
        created_at=now,
    )
    Evidence.objects.create(memory=memory, passage=passage, start=0, end=len(SECRET), said_at=now)
    page = Page.objects.create(person=alice, slug="herons", title=SECRET, built_at=now)
    deletion = Deletion.objects.create(person=alice, via=Via.LIST, carried_out_at=now, undo_until=now)
    order = OrderedDeletion.objects.create(person=alice, via=Via.LIST, ordered_at=now)
    night = Night.objects.create(
        person=alice,
        local_date=now.date(),
        state=NightState.DONE,
        started_at=now,
        leased_until=now,
        reads_until=now,
    )
    return {
        "conversation": {"pk": conversation.pk, "conversation_id": conversation.pk},
        "reply": {"pk": reply.pk, "reply_id": reply.pk, "message_id": reply.pk},
        "memory": {"number": memory.number},
        "page": {"slug": page.slug},
        "deletion": {"pk": deletion.pk, "deletion_id": deletion.pk},
        "order": {"pk": order.pk},
        "night": {"pk": night.pk, "night_id": night.pk},
    }


def _arguments(address: Address, ids: dict[str, dict[str, object]]) -> list[dict[str, object]]:
    """Every way to fill the address with one of alice's ids."""
    ways = [
        {name: values[name] for name in address.parameters}
        for values in ids.values()
        if address.parameters <= set(values)
    ]
    assert ways, f"No id of alice's fits {address.name} {set(address.parameters)}: teach this test the new kind."
    return ways


@pytest.mark.parametrize("address", WITH_IDS, ids=lambda address: address.name)
def test_a_stranger_finds_nothing_under_anothers_ids(
    address: Address, bobs_client: Client, ids: dict[str, dict[str, object]]
) -> None:
    for arguments in _arguments(address, ids):
        url = reverse(address.name, kwargs=arguments)
        for answer in (
            bobs_client.get(url),
            bobs_client.post(url),
            bobs_client.get(url, headers={"HX-Request": "true"}),
        ):
            assert answer.status_code in {404, 405}, f"{address.name}: {answer.status_code}"
            assert b"Quillfeather" not in answer.content
        assert bobs_client.get(url).status_code == 404 or bobs_client.post(url).status_code == 404


@pytest.mark.parametrize("address", WITHOUT_IDS, ids=lambda address: address.name)
def test_a_stranger_sees_nothing_of_anothers(
    address: Address, bobs_client: Client, ids: dict[str, dict[str, object]]
) -> None:
    for query in ("", "?m=71", "?q=Quillfeather", "?conversation=1"):
        answer = bobs_client.get(reverse(address.name) + query)
        assert answer.status_code < 500
        content = b"".join(answer.streaming_content) if answer.streaming else answer.content  # type: ignore[attr-defined]
        assert b"keeps a heron" not in content


@pytest.mark.parametrize("address", [*WITH_IDS, *WITHOUT_IDS], ids=lambda address: address.name)
def test_nobody_gets_anywhere_without_signing_in(
    address: Address, anonymous: Client, ids: dict[str, dict[str, object]]
) -> None:
    for arguments in _arguments(address, ids) if address.parameters else [{}]:
        answer = anonymous.get(reverse(address.name, kwargs=arguments))
        assert answer.status_code in {302, 401, 405}, answer.status_code
        if answer.status_code == 302:
            assert answer["Location"].startswith(reverse("account_login"))
