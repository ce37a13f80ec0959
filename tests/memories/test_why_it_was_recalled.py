"""The person sees why a memory was given to a reply, and why a row stands among the results of a search."""

from datetime import datetime

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from chat.recalling import look_up, record
from memories.matching import matched
from memories.models import Because, Category, Memory, Origin, Person, Recollection, Role
from memories.transcript import Part, say
from memories.words import query_tokens
from tests.memories.saying import conversation, said, told


@pytest.fixture(autouse=True)
def _by_words_alone(settings: Settings) -> None:
    settings.EMBEDDER = "none"


@pytest.fixture
def recollection(alice: Person, now: datetime) -> Recollection:
    told(alice, "I sing alto in a choir.", "The user sings alto in a choir.", now)
    told(alice, "I drive a van.", "The user drives a van.", now)
    talk = conversation(alice, now)
    say(talk, Role.USER, [Part(Origin.TYPED, "Which choirs?")], now=now)
    reply = say(talk, Role.ASSISTANT, [Part(Origin.ASSISTANT, "A choir.")], now=now)
    record(reply, look_up(alice, "Which choirs are there?", now=now, include_past=False), now=now)
    return Recollection.objects.get()


def test_the_record_holds_how_rank_score_and_reasons_but_no_words(recollection: Recollection) -> None:
    assert (recollection.how, recollection.rank) == ("asked_for", 1)
    assert recollection.score is not None
    assert recollection.score > 0
    assert Because.WORDS in recollection.why
    start, end = recollection.spans
    assert recollection.memory.statement[start:end] == "choir"
    assert recollection.words == ["choir"]


def test_after_an_edit_no_old_place_is_shown(recollection: Recollection) -> None:
    Memory.objects.update(statement="The user paints.", version=2)
    recollection.refresh_from_db()
    assert Recollection.objects.get().words == []
    assert Recollection.objects.get().reasons


def test_the_conversation_and_the_memorys_page_say_why(recollection: Recollection, client: Client) -> None:
    for address in (
        reverse("chat:conversation", args=[recollection.reply.conversation_id]),
        reverse("memories:detail", args=[recollection.memory.number]),
    ):
        page = client.get(address).content.decode()
        assert "It has words that were asked for" in page
        assert "<q>choir</q>" in page


@pytest.mark.parametrize(
    ("text", "query", "found"),
    [
        ("The user sings alto in a choir.", "Which choirs?", ["choir"]),
        ("使用者喜歡榛果拿鐵", "我喜歡哪種拿鐵?", ["喜歡", "拿鐵"]),
        ("使用者養了一隻貓", "貓", ["貓"]),
        ("使用者住在臺北", "台北", ["臺北"]),
        ("使用者用 Ｆｉｇｍａ 畫圖", "figma", ["Ｆｉｇｍａ"]),
        ("The user loves cafés.", "cafe", ["cafés"]),
        ("The user sings alto.", "quantum", []),
        ("", "alto", []),
    ],
)
def test_the_places_of_the_words_are_found(text: str, query: str, found: list[str]) -> None:
    assert [text[start:end] for start, end in matched(text, query_tokens(query))] == found


@pytest.mark.parametrize(
    ("query", "shown"),
    [
        ("choirs", "<mark>choir</mark>"),
        ("alt", "<mark>alt</mark>"),
        ("m1", "Its number was asked for"),
        ("family", "Its day or what it is about was asked for"),
    ],
)
def test_a_row_of_the_list_says_why_it_was_found(
    alice: Person, client: Client, now: datetime, query: str, shown: str
) -> None:
    told(alice, "I sing alto in a choir.", "The user sings alto in a choir.", now, category=Category.PEOPLE)
    assert shown in client.get(reverse("memories:list"), {"q": query}).content.decode()


def test_what_was_searched_for_stays_text(alice: Person, client: Client, now: datetime) -> None:
    said(alice, "I like <b>bold</b> type.", now)
    told(alice, "I like <b>bold</b> type.", "The user likes <b>bold</b> type.", now)
    page = client.get(reverse("memories:list"), {"q": "<b>"}).content.decode()
    assert "&lt;b&gt;bold" in page
    assert "<b>" not in page


def test_staff_see_why_without_the_words(recollection: Recollection, staff_client: Client) -> None:
    for address in (
        reverse("admin:memories_recollection_changelist"),
        reverse("admin:memories_recollection_change", args=[recollection.pk]),
    ):
        page = staff_client.get(address).content.decode()
        assert "It has words that were asked for" in page
        assert "choir" not in page
