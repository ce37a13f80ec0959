from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from memories.models import Category, Kind, Memory, Origin, Person, Status
from tests.memories.saying import told

LIST = "/memories/"
HTMX = {"HX-Request": "true"}


@pytest.fixture
def train(alice: Person, now: datetime) -> Memory:
    return _told(
        alice, "I take the train to work.", "The user takes the train to work.", now, category=Category.ROUTINE
    )


@pytest.fixture
def coriander(alice: Person, now: datetime) -> Memory:
    return _told(alice, "我不吃香菜。", "使用者不吃香菜。", now + timedelta(days=1), category=Category.TASTE)


def test_a_row_says_what_is_remembered_and_when_it_was_said(client: Client, train: Memory) -> None:
    page = client.get(LIST).content.decode()

    assert "The user takes the train to work." in page
    assert "said 17 March" in " ".join(page.split())
    assert reverse("memories:detail", args=[train.number]) in page


def test_days_are_the_persons_own(client: Client, alice: Person, train: Memory) -> None:
    Person.objects.filter(pk=alice.pk).update(time_zone="Asia/Taipei")

    assert "said 18 March" in " ".join(client.get(LIST).content.decode().split())


@pytest.mark.parametrize("query", ["train", "TRAIN wor", "m1"])
def test_search_finds_what_is_being_typed(client: Client, train: Memory, coriander: Memory, query: str) -> None:
    page = client.get(LIST, {"q": query}, headers=HTMX).content.decode()

    assert train.statement in page
    assert coriander.statement not in page


@pytest.mark.parametrize("query", ["香", "香菜", "不吃"])
def test_search_finds_one_character_of_chinese(client: Client, train: Memory, coriander: Memory, query: str) -> None:
    page = client.get(LIST, {"q": query}).content.decode()

    assert coriander.statement in page
    assert train.statement not in page


def test_search_folds_characters_that_are_written_in_two_ways(client: Client, alice: Person, now: datetime) -> None:
    _told(alice, "我住在臺北。", "使用者住在臺北。", now)

    assert "使用者住在臺北。" in client.get(LIST, {"q": "台北"}).content.decode()


def test_an_emoji_is_found(client: Client, alice: Person, now: datetime) -> None:
    _told(alice, "I love 🦊 stories", "The user loves 🦊 stories.", now)

    assert "🦊 stories." in client.get(LIST, {"q": "🦊"}).content.decode()


def test_htmx_is_answered_with_the_results_only(client: Client, train: Memory) -> None:
    part = client.get(LIST, headers=HTMX).content.decode()

    assert train.statement in part
    assert "<html" not in part


def test_going_back_is_answered_with_the_whole_page(client: Client, train: Memory) -> None:
    assert "<html" in client.get(LIST, headers={**HTMX, "HX-History-Restore-Request": "true"}).content.decode()


def test_every_filter_counts_what_it_shows(client: Client, alice: Person, train: Memory, coriander: Memory) -> None:
    Memory.objects.filter(pk=train.pk).update(kind=Kind.PROCEDURAL)
    response = client.get(LIST)

    for facet in response.context["facets"]:
        for choice in facet.choices:
            shown = client.get(LIST + choice.address).context["page"].paginator.count
            assert shown == choice.count or choice.chosen, (facet.name, choice.words)


def test_a_deleted_memory_is_in_no_count(client: Client, train: Memory, coriander: Memory) -> None:
    Memory.objects.filter(pk=train.pk).update(status=Status.DELETED, statement="")
    response = client.get(LIST, {"status": "all"})

    assert response.context["page"].paginator.count == 1
    assert sum(choice.count for choice in response.context["facets"][0].choices if choice.value == "all") == 1


def test_filters_from_the_address_hold_together(client: Client, train: Memory, coriander: Memory) -> None:
    page = client.get(LIST, {"category": "routine", "kind": "semantic", "source": Origin.TYPED}).content.decode()

    assert train.statement in page
    assert coriander.statement not in page


@pytest.mark.parametrize("name", ["status", "kind", "category", "source", "sort", "page"])
def test_an_unknown_value_in_the_address_is_no_filter(client: Client, train: Memory, name: str) -> None:
    assert train.statement in client.get(LIST, {name: "'<x>\0"}).content.decode()


@pytest.mark.parametrize("query", ["\0", "\0train", "%", "_", "{{ 7*7 }}", "`", "<b hx-get='/'>", "😀", "a" * 5_000])
def test_any_query_is_answered(client: Client, train: Memory, query: str) -> None:
    response = client.get(LIST, {"q": query})

    assert response.status_code == 200
    assert "<b hx-get" not in response.content.decode()


def test_without_memories_the_page_says_how_they_come(client: Client) -> None:
    assert "Nothing is remembered yet" in client.get(LIST).content.decode()


def test_without_a_hit_the_page_offers_to_look_among_all(client: Client, train: Memory) -> None:
    page = client.get(LIST, {"q": "bicycle"}).content.decode()

    assert "Nothing fits" in page
    assert 'href="?q=bicycle&amp;status=all"' in page


def test_nobody_sees_anothers_memories(bobs_client: Client, train: Memory) -> None:
    for address in (LIST, LIST + "?status=all", LIST + "?q=train"):
        assert train.statement not in bobs_client.get(address).content.decode()


def test_html_in_a_memory_is_shown_as_text(client: Client, alice: Person, now: datetime) -> None:
    hostile = 'The user likes <img src=x onerror=alert(1)> <b hx-get="/x" hx-trigger="load">tea</b>.'
    _told(alice, hostile, hostile, now)

    page = client.get(LIST).content.decode()
    assert "<img src=x" not in page
    assert "<b hx-get" not in page
    assert "&lt;img src=x" in page


def test_long_lists_come_in_pages_that_keep_the_filters(client: Client, alice: Person, now: datetime) -> None:
    for number in range(41):
        _told(alice, f"I know song {number}.", f"The user knows song {number}.", now + timedelta(minutes=number))
    response = client.get(LIST, {"q": "song"})

    assert response.context["page"].paginator.num_pages == 2
    assert 'href="?q=song&amp;page=2"' in response.content.decode()


def test_the_number_of_queries_does_not_grow_with_the_list(
    client: Client, alice: Person, now: datetime, django_assert_max_num_queries: Any
) -> None:
    for number in range(30):
        _told(alice, f"I know song {number}.", f"The user knows song {number}.", now + timedelta(minutes=number))

    with django_assert_max_num_queries(16):
        client.get(LIST)


def test_the_page_is_never_kept_by_a_browser(client: Client, train: Memory) -> None:
    assert "no-store" in client.get(LIST)["Cache-Control"]


def test_signed_out_htmx_is_sent_to_sign_in_as_a_whole_page(anonymous: Client) -> None:
    response = anonymous.get(LIST, headers={**HTMX, "HX-Current-URL": "http://testserver/memories/?q=train"})

    assert response.status_code == 200
    assert response["HX-Redirect"] == "/accounts/login/?next=/memories/%3Fq%3Dtrain"


def _told(person: Person, text: str, statement: str, now: datetime, **more: Any) -> Memory:
    memory = told(person, text, statement, now, **more).memory
    assert memory is not None
    return memory


def test_it_can_be_narrowed_to_what_was_said_lately(client: Client, alice: Person, train: Memory) -> None:
    lately = _told(alice, "I keep bees.", "The user keeps bees.", timezone.now())
    Memory.objects.filter(pk=train.pk).update(said_at=timezone.now() - timedelta(days=8))

    page = client.get(LIST, {"said": "week"}, headers=HTMX).content.decode()
    assert lately.statement in page
    assert train.statement not in page
    assert "1 memory" in page
    assert train.statement in client.get(LIST, {"said": "month"}, headers=HTMX).content.decode()
