"""Words are found in languages that nobody tuned recall for, whichever way they are written."""

from datetime import datetime

import pytest
from pytest_django import Settings

from memories.models import Person
from memories.recall import recall
from memories.words import query_tokens, tokens
from tests.memories.saying import told

OTHERS = ["The user drives a van.", "使用者每天運動。", "El usuario vive en Lima.", "Пользователь живёт в Омске."]


@pytest.fixture(autouse=True)
def _by_words_alone(settings: Settings) -> None:
    settings.EMBEDDER = "none"


@pytest.mark.parametrize(
    ("statement", "query"),
    [
        ("使用者は京都の旅館で働いている。", "旅館"),
        ("使用者はコーヒーが苦手だ。", "コーヒーは飲む?"),
        ("使用者はｺｰﾋｰが苦手だ。", "コーヒー"),
        ("사용자는 부산에서 도서관 사서로 일한다.", "도서관"),
        ("Der Nutzer wohnt in der Hauptstraße.", "HAUPTSTRASSE"),
        ("Der Nutzer mag Käsespätzle.", "kasespatzle"),
        ("Al usuario le gusta el jamón.", "¿jamon?"),
        ("L'utilisateur a un garçon.", "garcon"),
        ("Kullanıcı çay içer.", "ÇAY"),
        ("Пользователь любит чёрный чай.", "ЧЕРНЫЙ чай"),
        ("Ο χρήστης παίζει μπουζούκι.", "μπουζουκι"),
        ("המשתמש גר בחיפה.", "בחיפה"),
        ("המשתמש אוהב שָׁלוֹם.", "שלום"),
        ("المستخدم يحب القَهْوَة.", "القهوة"),
        ("ผู้ใช้ชอบกาแฟ", "กาแฟ"),
        ("Người dùng thích phở.", "pho"),
    ],
)
def test_it_is_found(alice: Person, now: datetime, statement: str, query: str) -> None:
    for one in [*OTHERS, statement]:
        told(alice, one, one, now)
    assert recall(alice, query, now=now, budget=800)[0].memory.statement == statement


@pytest.mark.parametrize("text", ["שלום עולם", "مرحبا بالعالم", "Привет, мир", "नमस्ते", "\u202eabc\u202c", "🇹🇼👩‍👩‍👧"])
def test_both_sides_are_cut_alike(text: str) -> None:
    assert set(query_tokens(text)) == set(tokens(text)) or not tokens(text)


@pytest.mark.parametrize(
    "query",
    [
        "quantum chromodynamics",
        "Explain the French Revolution",
        "量子力學是什麼?",
        "幫我寫一首詩",
        "Wie wird das Wetter?",
    ],
)
def test_nothing_fits_a_question_that_is_not_of_the_person(alice: Person, now: datetime, query: str) -> None:
    for one in OTHERS:
        told(alice, one, one, now)
    assert recall(alice, query, now=now, budget=800) == []
