"""Unique words are planted in every layer, deleted through every door and purged; then the whole database, Valkey, the
log and every page are searched for them."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from redis import Redis

from consolidation import night
from consolidation.models import AskedFor, NightState
from memories import forget
from memories.models import (
    Conversation,
    Deletion,
    Line,
    Memory,
    OrderedDeletion,
    Page,
    Passage,
    Person,
    ProposedDeletion,
    Status,
)
from memories.remember import edit
from tests.chat.saying import answer, ask, keeping, nothing_queued
from tests.fakes.wire import tool_use

CANARIES = ["Zyxquornel", "Vumblatheria"]
SAID = f"My sister {CANARIES[0]} lives in {CANARIES[1]} now."
STATEMENT = f"The user's sister {CANARIES[0]} lives in {CANARIES[1]}."

type Door = Callable[[Client, Memory, Conversation], None]


def _signed(client: Client, **query: object) -> dict[str, str]:
    page = client.get(reverse("memories:forget"), {name: str(value) for name, value in query.items()})
    text = page.content.decode()
    return {
        name: text.split(f'name="{name}" value="', 1)[1].split('"', 1)[0]
        for name in ("plan", "plan_without")
        if f'name="{name}" value="' in text
    }


def by_list(client: Client, memory: Memory, _chat: Conversation) -> None:
    client.post(reverse("memories:forget"), _signed(client, m=memory.number) | {"words": "erase", "via": "list"})


def by_all(client: Client, _memory: Memory, _chat: Conversation) -> None:
    client.post(reverse("memories:forget"), _signed(client, all=1) | {"words": "erase"})
    forget.carry_out_ordered(OrderedDeletion.objects.get().pk, now=timezone.now())


def by_card(client: Client, memory: Memory, chat: Conversation) -> None:
    reply = ask(memory.person, "Forget everything about my sister.", now=timezone.now(), to=chat)
    answer(
        reply,
        tool_use("forget", {"request": "Forget everything about my sister."}),
        {"reasoning": "Her.", "memories": [memory.label], "ambiguous": False},
        {"verdicts": []},
        "Please see the card.",
        now=timezone.now(),
    )
    card = ProposedDeletion.objects.get()
    client.post(
        reverse("memories:answer-proposal", args=[card.pk]),
        {"answer": "confirm", "group": "0", "words": "erase"},
        headers={"HX-Request": "true"},
    )


def by_conversation(client: Client, _memory: Memory, chat: Conversation) -> None:
    for found in Conversation.objects.filter(person=chat.person_id):
        form = _signed(client, conversation=found.pk)
        client.post(reverse("memories:forget"), form | {"memories": "forget"})


def by_command(_client: Client, memory: Memory, _chat: Conversation) -> None:
    call_command("forget", user="alice", memory=[memory.number], erase_words=True, yes=True)


def by_account(client: Client, memory: Memory, _chat: Conversation) -> None:
    person = memory.person
    client.post(reverse("memories:account-delete"), {"name": person.email or person.username})


DOORS: list[Door] = [by_list, by_all, by_card, by_conversation, by_command, by_account]


@pytest.fixture
def log() -> Iterator[list[str]]:
    """Every line of every logger, from the finest level."""
    lines: list[str] = []

    class Kept(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            lines.append(self.format(record))

    handler, root = Kept(), logging.getLogger()
    before = root.level
    root.addHandler(handler)
    root.setLevel(logging.INFO)
    yield lines
    root.removeHandler(handler)
    root.setLevel(before)


def planted(alice: Person) -> tuple[Memory, Conversation]:
    """The words in every layer: said twice, echoed, remembered, edited, on a page, in a title, in what was sent."""
    now = timezone.now() - timedelta(days=1)
    reply = ask(alice, SAID, now=now)
    answer(
        reply,
        tool_use("remember", keeping(SAID.rstrip("."), STATEMENT, category="people")),
        f"Noted [m1]. {CANARIES[1]} must be far away.",
        now=now,
    )
    chat = reply.conversation
    again = ask(alice, f"{CANARIES[0]} rang me from {CANARIES[1]}.", now=now + timedelta(hours=1))
    answer(again, f"How is {CANARIES[0]}?", now=now + timedelta(hours=1))
    memory = Memory.objects.of(alice).get()
    edit(alice, memory.number, f"{STATEMENT[:-1]} since spring.", version=memory.version, now=now)
    memory.refresh_from_db()
    page, _ = Page.objects.get_or_create(person=alice, slug="preferences", defaults={"built_at": now})
    line = Line.objects.create(page=page, section="people", position=90, text=f"Sister {CANARIES[0]}.")
    line.memories.add(memory)
    Conversation.objects.filter(pk=chat.pk).update(title=f"{CANARIES[0]} and moving")
    return memory, chat


def dumped() -> str:
    """Every row of every table, as text; bytes too."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
        tables = [name for (name,) in cursor.fetchall()]
        rows = []
        for table in tables:
            cursor.execute(f'SELECT t::text FROM "{table}" t')  # noqa: S608 - names of our own tables
            rows += [f"{table}: {row}" for (row,) in cursor.fetchall()]
    return "\n".join(rows)


def kept_in_valkey(url: str) -> str:
    found = []
    with Redis.from_url(url) as valkey:
        for key in valkey.scan_iter("*"):
            read: dict[bytes, Callable[[], object]] = {
                b"string": partial(valkey.get, key),
                b"stream": partial(valkey.xrange, key),
                b"hash": partial(valkey.hgetall, key),
                b"list": partial(valkey.lrange, key, 0, -1),
                b"set": partial(valkey.smembers, key),
                b"zset": partial(valkey.zrange, key, 0, -1),
            }
            found.append(f"{key!r} {read[valkey.type(key)]()!r}")
    return "\n".join(found)


def pages_of(client: Client, person: Person) -> str:
    names = ["chat:home", "memories:list", "memories:waiting", "memories:pages", "memories:privacy", "nights:list"]
    urls = [reverse(name) for name in names]
    urls += [f"{reverse('memories:list')}?status=all&q={word}" for word in ("sister", "far")]
    urls += [
        reverse("chat:conversation", args=[pk]) for pk in Conversation.objects.of(person).values_list("pk", flat=True)
    ]
    urls += [
        reverse("memories:detail", args=[number])
        for number in Memory.objects.filter(person=person).values_list("number", flat=True)
    ]
    urls += [reverse("memories:receipt", args=[pk]) for pk in Deletion.objects.of(person).values_list("pk", flat=True)]
    return "\n".join(client.get(url, follow=True).content.decode() for url in urls)


def two_nights(person: Person) -> None:
    for day in (1, 2):
        at = timezone.now() + timedelta(days=day)
        with nothing_queued():
            begun = night.begin(person, now=at, asked_for=AskedFor.PERSON)
            assert begun is not None
            assert night.run(begun.pk, now=at).state == NightState.DONE


def assert_nowhere(text: str) -> None:
    for word in CANARIES:
        at = text.casefold().find(word.casefold())
        assert at < 0, text[max(0, at - 200) : at + 100]


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("door", DOORS, ids=lambda door: door.__name__)
def test_what_is_deleted_by_any_door_is_nowhere(
    door: Door, client: Client, alice: Person, log: list[str], settings: Any
) -> None:
    memory, chat = planted(alice)
    assert CANARIES[0] in dumped()

    door(client, memory, chat)
    if door is not by_account:
        assert_nowhere(pages_of(client, alice))
        forget.purge_due(now=timezone.now() + timedelta(seconds=settings.UNDO_WINDOW_S + 1))
        two_nights(alice)
        assert forget.verify(Deletion.objects.of(alice), now=timezone.now() + timedelta(days=3)) == []
        assert not Deletion.objects.exclude(check_findings=0).exists()
        assert_nowhere(pages_of(client, alice))

    assert_nowhere(dumped())
    assert_nowhere(kept_in_valkey(settings.REDIS_URL))
    assert_nowhere("\n".join(log))


@pytest.mark.django_db(transaction=True)
def test_with_the_words_kept_only_the_transcript_has_them_and_no_night_learns_them(
    client: Client, alice: Person, settings: Any
) -> None:
    memory, _chat = planted(alice)
    client.post(reverse("memories:forget"), _signed(client, m=memory.number) | {"words": "keep"})
    forget.purge_due(now=timezone.now() + timedelta(seconds=settings.UNDO_WINDOW_S + 1))
    two_nights(alice)

    left = [row for row in dumped().splitlines() if any(word in row for word in CANARIES)]
    assert left
    assert {row.split(":")[0] for row in left} == {"memories_passage"}
    assert not Memory.objects.of(alice).kept().exists()


@pytest.mark.django_db(transaction=True)
def test_what_is_said_anew_after_all_that_is_remembered_again(client: Client, alice: Person, settings: Any) -> None:
    memory, chat = planted(alice)
    client.post(reverse("memories:forget"), _signed(client, m=memory.number) | {"words": "erase"})
    forget.purge_due(now=timezone.now() + timedelta(seconds=settings.UNDO_WINDOW_S + 1))
    later = timezone.now() + timedelta(hours=1)

    reply = ask(alice, SAID, now=later, to=chat)
    answer(reply, tool_use("remember", keeping(SAID.rstrip("."), STATEMENT)), "Noted.", now=later)

    kept = Memory.objects.of(alice).kept().get()
    assert (kept.status, kept.statement) == (Status.ACTIVE, STATEMENT)
    assert Passage.objects.filter(text=SAID).count() == 1
