"""Whatever is done, well or badly, and however much the log is told to say: no word of a person stands in it, nor in
the ledger, in a task's arguments or under a key in Valkey."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from datetime import datetime, timedelta
from unittest.mock import patch

import pytest
from django.conf import settings
from django.core import serializers
from django.db import DataError, connection
from django.test import Client
from django.urls import reverse
from redis import Redis

from chat.reply import write_reply
from claude.client import using
from claude.models import Call
from config.logs import LineFormatter
from consolidation import night
from consolidation.models import Decision, Night
from memories import forget
from memories.models import Deletion, Memory, Person, Recollection, Tombstone, Via, Write
from tests.chat.saying import answer, ask, keeping, nothing_queued
from tests.fakes.wire import FakeWire, error, malformed, reply, stream_error, tool_block, tool_use
from tests.memories.saying import told

WORD = "Quillfeather"


@pytest.fixture
def log() -> Iterator[list[str]]:
    """Every line that the log would have with everything turned on."""
    lines: list[str] = []
    formatter = LineFormatter()

    class Keep(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            lines.append(formatter.format(record))

    keep = Keep(logging.DEBUG)
    root = logging.getLogger()
    before = root.level
    root.addHandler(keep)
    root.setLevel(logging.DEBUG)
    connection.force_debug_cursor = True
    yield lines
    connection.force_debug_cursor = False
    root.setLevel(before)
    root.removeHandler(keep)


@pytest.mark.django_db(transaction=True)
def test_no_word_is_logged_or_booked(client: Client, alice: Person, now: datetime, log: list[str]) -> None:
    tasks: list[object] = []
    with patch("celery.app.task.Task.apply_async", lambda self, *args, **more: tasks.append((args, more))):
        client.post(reverse("chat:send"), {"text": f"I keep a heron called {WORD}.", "key": f"{WORD}-key"})
        client.get(reverse("memories:list") + f"?q={WORD}")
        client.get(reverse("chat:list") + f"?q={WORD}")
        client.get(reverse("memories:forget") + f"?q={WORD}")
        client.get(f"/memories/pages/{WORD}/")
        client.get(f"/{WORD}/?{WORD}")
        client.post(reverse("memories:time-zone"), {"time_zone": WORD})
        client.post(reverse("memories:account-delete"), {"name": WORD})
    assert tasks
    assert WORD not in json.dumps(tasks, default=str)
    queued = alice.messages.get(position=1)
    heron = keeping(f"I keep a heron called {WORD}", f"The user keeps a heron called {WORD}.")
    calls = [tool_block("remember", heron), tool_block("recall", {"query": WORD, "more": WORD})]
    answer(queued, reply(*calls), f"Hello, {WORD} [m1].", now=now)
    for wrong in (
        error(400, "invalid_request_error", f"messages.0: {WORD}"),
        error(529, WORD, WORD),
        stream_error("overloaded_error", WORD, WORD),
        malformed(),
        tool_use("remember", {WORD: WORD}),
    ):
        failed = ask(alice, f"More of {WORD}.", now=now, to=queued.conversation)
        answer(failed, wrong, otherwise=f"Again {WORD}.", now=now)
    with nothing_queued(), patch("chat.window.prepare", side_effect=DataError(f"value too long: {WORD}")):
        write_reply(ask(alice, f"Last of {WORD}.", now=now, to=queued.conversation).pk, now=now)
    begun = night.begin(alice, now=now + timedelta(hours=1))
    assert begun is not None
    with nothing_queued(), using(FakeWire(otherwise=f"It is {WORD}.")):
        night.run(begun.pk, now=now + timedelta(hours=1))
    memory = Memory.objects.get()
    with nothing_queued():
        plan = forget.plan(alice, memories=[memory], now=now)
        deletion = forget.carry_out(plan, now=now, via=Via.LIST, erase_words=True)
        forget.purge(deletion.pk, now=now + timedelta(hours=2))
        forget.verify(Deletion.objects.all(), now=now + timedelta(hours=3))
    client.raise_request_exception = False
    with patch("memories.views.listing.listed", side_effect=DataError(f"invalid input: {WORD}")):
        assert client.get(reverse("memories:list") + f"?q={WORD}").status_code == 500

    assert any("Internal Server Error" in line and "DataError" in line for line in log)
    assert [line for line in log if WORD.lower() in line.lower() or "heron" in line] == []
    for kind in (Call, Night, Decision, Deletion, Write, Recollection, Tombstone):
        rows = serializers.serialize("json", kind._default_manager.all())
        assert WORD not in rows, kind
    with Redis.from_url(settings.REDIS_URL) as valkey:
        assert not [key for key in valkey.scan_iter() if WORD.encode() in key]


def test_an_address_that_was_searched_is_not_told_to_other_sites(client: Client, alice: Person, now: datetime) -> None:
    told(alice, "I sing.", "The user sings.", now)
    assert client.get(reverse("memories:list") + f"?q={WORD}")["Referrer-Policy"] == "same-origin"
