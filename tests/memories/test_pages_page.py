from __future__ import annotations

from datetime import date, datetime
from typing import Any

import pytest
from django.test import Client

from memories.models import PREFERENCES, Line, Memory, Page, Person, Status
from tests.memories.saying import told

PAGES = "/memories/pages/"


@pytest.fixture
def memory(alice: Person, now: datetime) -> Memory:
    memory = told(alice, "I take the train to work.", "The user takes the train to work.", now).memory
    assert memory is not None
    return memory


@pytest.fixture
def preferences(alice: Person, memory: Memory, now: datetime) -> Page:
    page = Page.objects.create(person=alice, slug=PREFERENCES, built_at=now)
    Line.objects.create(page=page, section="routine", position=0, text="Takes the train.").memories.add(memory)
    return page


def test_every_line_names_the_memories_it_rests_on(client: Client, preferences: Page, memory: Memory) -> None:
    page = client.get(PAGES).content.decode()

    assert "Routines and ways of working" in page
    assert "Takes the train." in page
    assert f'href="/memories/{memory.number}/"' in page


def test_a_deleted_memory_is_named_by_no_line(client: Client, preferences: Page, memory: Memory) -> None:
    Memory.objects.filter(pk=memory.pk).update(status=Status.DELETED)

    assert f'href="/memories/{memory.number}/"' not in client.get(PAGES).content.decode()


def test_plans_stand_apart_from_what_is_so(
    client: Client, alice: Person, preferences: Page, memory: Memory, now: datetime
) -> None:
    written = told(alice, "I am moving to Cork.", "The user is moving to Cork.", now, plan=True).memory
    passed = told(alice, "I fly to Oslo.", "The user flies to Oslo.", now, plan=True, event_from=date(2020, 3, 1))
    assert written is not None
    assert passed.memory is not None
    Line.objects.create(page=preferences, section="place", position=1, text="Moves.").memories.add(written)

    page = client.get(PAGES).content.decode()
    plans = page[page.index('id="section-planned"') :]
    assert "The user is moving to Cork." in plans
    assert "Oslo" not in plans
    assert "Moves." not in page


def test_topic_pages_are_a_step_away(client: Client, alice: Person, preferences: Page, now: datetime) -> None:
    topic = Page.objects.create(person=alice, slug="讀書", title="讀書 <b>", built_at=now)
    Line.objects.create(page=topic, section="taste", position=0, text="<i>Reads</i> on the train.")

    assert "讀書 &lt;b&gt;" in client.get(PAGES).content.decode()
    page = client.get(f"{PAGES}讀書/").content.decode()
    assert "&lt;i&gt;Reads&lt;/i&gt; on the train." in page


def test_before_the_first_night_the_page_says_what_will_come(client: Client) -> None:
    assert "No night has written here yet" in client.get(PAGES).content.decode()


def test_a_stranger_gets_404(bobs_client: Client, preferences: Page) -> None:
    assert bobs_client.get(f"{PAGES}{PREFERENCES}/").status_code == 404
    assert "Takes the train." not in bobs_client.get(PAGES).content.decode()


def test_the_number_of_queries_does_not_grow_with_the_lines(
    client: Client, preferences: Page, memory: Memory, django_assert_max_num_queries: Any
) -> None:
    for position in range(1, 30):
        line = Line.objects.create(page=preferences, section="routine", position=position, text=f"Line {position}.")
        line.memories.add(memory)

    with django_assert_max_num_queries(10):
        client.get(PAGES)
