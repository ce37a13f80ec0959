"""Everything goes along in a file, and what a file brings waits for the person."""

from __future__ import annotations

import json
from datetime import datetime, timedelta
from itertools import count
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import OperationalError, connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from memories import forget
from memories.models import Memory, Person, Status, Via
from tests.chat.saying import nothing_queued
from tests.memories.saying import told

EXPORT, IMPORT = "/memories/privacy/export/", "/memories/privacy/import/"
TRAIN = "The user takes the train to work."


@pytest.fixture
def train(alice: Person, now: datetime) -> Memory:
    memory = told(alice, "I take the train to work.", TRAIN, now).memory
    assert memory is not None
    return memory


def _export(client: Client) -> Any:
    response = client.get(EXPORT)
    assert response["Content-Disposition"].startswith("attachment")
    return json.loads(response.content)


def _bring(client: Client, content: str | bytes) -> str:
    data = content.encode() if isinstance(content, str) else content
    return client.post(IMPORT, {"file": SimpleUploadedFile("brought.json", data)}, follow=True).content.decode()


def test_everything_that_the_pages_show_is_in_it(client: Client, train: Memory) -> None:
    found = _export(client)

    (memory,) = found["memories"]
    assert (memory["label"], memory["statement"]) == ("m1", TRAIN)
    assert memory["evidence"][0]["words"] == "I take the train to work."
    assert found["conversations"][0]["messages"][0]["passages"][0]["text"] == "I take the train to work."
    page = client.get(EXPORT, {"as": "page"}).content.decode()
    assert TRAIN in page


@pytest.mark.parametrize("form", ["json", "page"])
def test_more_to_take_along_asks_the_database_no_more(client: Client, alice: Person, now: datetime, form: str) -> None:
    def asked() -> int:
        with CaptureQueriesContext(connection) as queries:
            assert client.get(EXPORT, {"as": form}).status_code == 200
        return len(queries)

    def learn(what: str) -> None:
        told(alice, f"I keep {what}.", f"The user keeps {what}.", now)

    learn("bees")
    once = asked()
    for what in ["goats", "hens", "ducks", "geese"]:
        learn(what)
    assert asked() == once < 40


def test_nothing_of_another_person_is_in_it(bobs_client: Client, train: Memory) -> None:
    found = _export(bobs_client)

    assert (found["memories"], found["conversations"]) == ([], [])


def test_what_was_deleted_with_its_words_is_not_in_it(client: Client, train: Memory, now: datetime) -> None:
    plan = forget.plan(train.person, memories=[train], now=now)
    forget.carry_out(plan, via=Via.DETAIL, erase_words=True, now=now + timedelta(minutes=1))

    assert "train" not in json.dumps(_export(client))
    assert "train" not in client.get(EXPORT, {"as": "page"}).content.decode()


def test_what_one_person_took_along_waits_for_another(
    client: Client, bob: Person, bobs_client: Client, train: Memory
) -> None:
    page = _bring(bobs_client, json.dumps(_export(client)))

    assert "1 statement waits for you." in page
    assert "a file that you brought along" in page
    brought = Memory.objects.of(bob).get()
    assert (brought.statement, brought.status, brought.trusted) == (TRAIN, Status.WAITING, False)


def test_a_text_has_a_statement_on_each_line(client: Client, alice: Person, train: Memory) -> None:
    page = _bring(client, f"- The user keeps bees.\n\n- {TRAIN}\nMy password is hunter2-correct-horse\n")

    assert "1 statement waits for you." in page
    assert "1 was known already." in page
    assert "1 could not be kept." in page
    assert Memory.objects.of(alice).waiting().get().statement == "The user keeps bees."


@pytest.mark.parametrize(
    "content",
    ["", "[]", "{}", '{"memories": 3}', "[[[1]]]", "[" * 100_000, b"\xff\xfe\x00", '{"memories": [{"statement": 1}]}'],
)
def test_a_file_without_statements_changes_nothing(client: Client, alice: Person, content: str | bytes) -> None:
    page = _bring(client, content)

    assert Memory.objects.of(alice).active().count() == 0
    assert 'class="notice' in page


def test_a_file_that_holds_too_much_is_refused_as_a_whole(client: Client, alice: Person) -> None:
    page = _bring(client, "\n".join(f"Statement {number}." for number in range(1_001)))

    assert "too much at once" in page
    assert not Memory.objects.of(alice).exists()


def test_a_file_that_broke_off_can_be_brought_again(client: Client, alice: Person, monkeypatch: Any) -> None:
    monkeypatch.setattr("memories.taking_in.SLICE", 2)
    client.raise_request_exception = False
    lines = "\n".join(f"The user keeps {what}." for what in ["bees", "goats", "hens", "ducks", "geese"])
    written = count(1)

    def fails_at_the_fourth(execute: Any, sql: str, *args: Any) -> Any:
        if "INSERT INTO memories_memory " in sql and next(written) == 4:
            raise OperationalError
        return execute(sql, *args)

    with connection.execute_wrapper(fails_at_the_fourth):
        broken = client.post(IMPORT, {"file": SimpleUploadedFile("brought.txt", lines.encode())})
    assert broken.status_code == 500
    # No slice is half kept.
    assert Memory.objects.of(alice).waiting().count() == 2

    page = _bring(client, lines)
    assert Memory.objects.of(alice).waiting().count() == 5
    assert "5 statements wait for you." in page


def test_the_privacy_page_leads_to_both(client: Client) -> None:
    page = client.get(reverse("memories:privacy")).content.decode()

    assert EXPORT in page
    assert IMPORT in page


@pytest.mark.parametrize(
    "content",
    [
        b"[" * 100_000,
        b'{"memories": ' * 5_000,
        b'[{"statement": "The user sings.", "status": [], "kind": {}, "category": [[]], "plan": "yes"}]',
        b'[{"statement": {"statement": "x"}}, null, 7, [], {"statement": null}, {"statement": "The user sings."}]',
        b'[{"statement": "The user sings.", "statement": "The user hums.", "number": ' + b"9" * 4_000 + b"}]",
        b'{"memories": {"statement": "The user sings."}}',
        b'["half \\ud800 a pair", "a \\u0000 in it", "The user sings."]',
        b"\xff\xfe\x00\xd8The user sings.\x00",
        b"\x89PNG\r\n\x1a\n\0\0",
        b"",
        b"NaN",
    ],
    ids=lambda content: str(content[:24]),
)
def test_no_file_breaks_the_taking_in(client: Client, alice: Person, content: bytes) -> None:
    with nothing_queued():
        answered = client.post(reverse("memories:import"), {"file": SimpleUploadedFile("x.json", content)}, follow=True)
    assert answered.status_code == 200
    assert not Memory.objects.of(alice).exclude(status="waiting").exists()
