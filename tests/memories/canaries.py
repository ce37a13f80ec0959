"""Words that nobody else says, planted in every layer, and the places where they are looked for afterwards."""

from __future__ import annotations

import base64
import json
import random
import string
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any

from django.contrib import admin
from django.test import Client
from django.urls import NoReverseMatch, reverse
from django.utils import timezone
from redis import Redis

from chat.live import valkey
from chat.reply import write_reply
from chat.send import send
from chat.stream import stream_key
from claude.client import using
from config.services import is_ours, paths
from consolidation.models import Night
from memories.models import Conversation, Deletion, Line, Memory, Message, OrderedDeletion, Page, Person
from memories.remember import edit
from tests.chat.saying import keeping, typed
from tests.fakes.wire import Answer, FakeWire, tool_use
from tests.house.test_bad_input import PAGES, STREAMS


@dataclass(frozen=True)
class Canaries:
    """Of this test alone: tests that run beside it share the servers."""

    sister: str
    town: str

    @classmethod
    def hatch(cls) -> Canaries:
        draw = random.SystemRandom()
        return cls(*(f"{head}{''.join(draw.choices(string.ascii_lowercase, k=8))}" for head in ("Zyxqu", "Vumbla")))

    @property
    def said(self) -> str:
        return f"My sister {self.sister} lives in {self.town} now."

    @property
    def statement(self) -> str:
        return f"The user's sister {self.sister} lives in {self.town}."

    def rows(self, dump: str) -> set[str]:
        """The tables of a dump in which one of them stands."""
        return {row.split(":", 1)[0] for row in dump.splitlines() if self.are_in(row)}

    def are_in(self, text: str) -> bool:
        return any(word.casefold() in text.casefold() for word in (self.sister, self.town))

    def assert_nowhere(self, text: str) -> None:
        for word in (self.sister, self.town):
            at = text.casefold().find(word.casefold())
            assert at < 0, text[max(0, at - 200) : at + 100]

    def plant(self, person: Person) -> tuple[Memory, Conversation]:
        """Said twice, echoed, remembered, edited, on a page, in a title, in what was sent and in what is on its way."""
        now = timezone.now() - timedelta(seconds=20)
        reply = say(
            person,
            self.said,
            tool_use("remember", keeping(self.said.rstrip("."), self.statement, category="people")),
            f"Noted [m1]. {self.town} must be far away.",
        )
        chat = reply.conversation
        again = say(person, f"{self.sister} rang me from {self.town}.", f"How is {self.sister}?", to=chat)
        # A short answer is out in one part; of a long one there are many.
        valkey().xadd(stream_key(again.pk), {"kept": 0, "html": f"<p>How is {self.sister}?</p>"})
        memory = Memory.objects.of(person).get()
        edit(person, memory.number, f"{self.statement[:-1]} since spring.", version=memory.version, now=now)
        memory.refresh_from_db()
        page, _ = Page.objects.get_or_create(person=person, slug="preferences", defaults={"built_at": now})
        line = Line.objects.create(page=page, section="people", position=90, text=f"Sister {self.sister}.")
        line.memories.add(memory)
        Conversation.objects.filter(pk=chat.pk).update(title=f"{self.sister} and moving")
        return memory, chat


def say(person: Person, text: str, *answers: Answer, to: Conversation | None = None) -> Message:
    """As the page and a worker do it, with every task on its way through the real broker."""
    now = timezone.now()
    reply = send(person, conversation=to, parts=typed(text), key="", now=now)
    with using(FakeWire(*answers)):
        write_reply(reply.pk, now=now)
    reply.refresh_from_db()
    return reply


def in_valkey(url: str) -> str:
    """Every key with all that it holds; the arguments of tasks as they were before the broker packed them."""
    found = []
    with Redis.from_url(url) as valkey:
        for key in valkey.scan_iter("*"):
            read: dict[bytes, Callable[[], Any]] = {
                b"string": partial(valkey.get, key),
                b"stream": partial(valkey.xrange, key),
                b"hash": partial(valkey.hgetall, key),
                b"list": partial(valkey.lrange, key, 0, -1),
                b"set": partial(valkey.smembers, key),
                b"zset": partial(valkey.zrange, key, 0, -1),
            }
            held = read[valkey.type(key)]()
            found.append(f"{key!r} {held!r}")
            found += _unpacked(held.values() if isinstance(held, dict) else held)
    return "\n".join(found)


def in_valkeys_file(url: str) -> str:
    """What the embedded Valkey wrote to its disk; nothing where it is somebody else's."""
    if not is_ours(url):
        return ""
    folder: Path = paths.base() / "valkey"
    files = [path for path in folder.rglob("*") if path.is_file()]
    return "\n".join(_read(path) for path in files)


def on_pages(client: Client, person: Person, *, but: Collection[str] = ()) -> str:
    """The HTML of every page that can be asked for, with all ids that are the person's."""
    return "\n".join(client.get(url, follow=True).content.decode() for url in _urls(person, but=but))


def in_admin(staff: Client) -> str:
    """Every list, every row's page, and what a member of staff is shown who gives a reason."""
    seen = []
    for model in admin.site._registry:
        name = f"{model._meta.app_label}_{model._meta.model_name}"
        seen.append(staff.get(reverse(f"admin:{name}_changelist")))
        for pk in model._default_manager.values_list("pk", flat=True):
            seen.append(staff.get(reverse(f"admin:{name}_change", args=[pk])))
            if name in {"memories_memory", "memories_message"}:
                seen.append(staff.post(reverse(f"admin:{name}_reveal", args=[pk]), {"reason": "A check of the test."}))
    return "\n".join(answer.content.decode() for answer in seen)


def _urls(person: Person, *, but: Collection[str]) -> Iterator[str]:
    ids: list[dict[str, Any]] = [{}]
    for name, values in (
        ("number", Memory.objects.filter(person=person).values_list("number", flat=True)),
        ("slug", Page.objects.of(person).values_list("slug", flat=True)),
        ("pk", Conversation.objects.of(person).values_list("pk", flat=True)),
        ("pk", Deletion.objects.of(person).values_list("pk", flat=True)),
        ("pk", OrderedDeletion.objects.of(person).values_list("pk", flat=True)),
        ("pk", Night.objects.of(person).values_list("pk", flat=True)),
    ):
        ids += [{name: value} for value in values]
    for name in PAGES.keys() - STREAMS - set(but):
        for kwargs in ids:
            try:
                url = reverse(name, kwargs=kwargs)
            except NoReverseMatch:
                continue
            yield url
    numbers = Memory.objects.filter(person=person).values_list("number", flat=True)
    yield from (f"{reverse('memories:forget')}?m={number}" for number in numbers)
    yield from (f"{reverse('memories:list')}?status=all&q={word}" for word in ("sister", "far"))


def _unpacked(held: Any) -> Iterator[str]:
    for packed in held if isinstance(held, list | tuple | set) or hasattr(held, "__iter__") else ():
        try:
            message = json.loads(packed)
            message = message[0] if isinstance(message, list) else message
            yield base64.b64decode(message["body"]).decode()
        except (TypeError, ValueError, KeyError):
            continue


def _read(path: Path) -> str:
    try:
        return path.read_bytes().decode(errors="replace")
    except FileNotFoundError:
        return ""  # written anew meanwhile
