from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from django.test import Client
from django.urls import reverse

from memories import forget
from memories.models import (
    Conversation,
    Evidence,
    ExchangeSearch,
    Memory,
    MemorySearch,
    Page,
    Person,
    Status,
    Tombstone,
    Version,
    Via,
)
from tests.memories.telling import converse, forgotten, learn, passage


@pytest.fixture
def earlier(now: datetime) -> datetime:
    return now - timedelta(days=3)


def test_a_memory_goes_with_its_evidence_and_the_echo_of_the_assistant(
    alice: Person, now: datetime, earlier: datetime
) -> None:
    chat = converse(
        alice,
        "My niece Orla starts school in September, I'm minding her on Fridays.",
        "Lovely. Fridays with Orla. Anything else?",
        "I sold the van.",
        "All right.",
        at=earlier,
    )
    memory = learn(
        alice,
        "The user's niece Orla starts school in September.",
        (passage(chat, 0), "My niece Orla starts school in September"),
    )

    plan = forget.plan(alice, memories=[memory], now=now)
    deletion = forget.carry_out(plan, now=now, via=Via.DETAIL)

    memory.refresh_from_db()
    assert memory.status == Status.DELETED
    assert forgotten(chat, 0) == ["My niece Orla starts school in September"]
    assert forgotten(chat, 1) == ["Fridays with Orla."]
    assert forgotten(chat, 2) == []
    assert deletion.counts["memories"] == 1
    assert deletion.counts["tombstones"] == 2


def test_a_request_about_a_subject_takes_all_that_bears_its_name(
    alice: Person, now: datetime, earlier: datetime
) -> None:
    chat = converse(
        alice,
        "My niece Orla starts school in September, I'm minding her on Fridays.",
        "Lovely. Fridays with Orla.",
        "I can't stand coriander.",
        "Noted.",
        at=earlier,
    )
    learn(alice, "The user's niece Orla starts school in September.", (passage(chat, 0), "My niece Orla starts school"))
    learn(alice, "The user minds Orla on Fridays.", (passage(chat, 0), "I'm minding her on Fridays"))
    kept = learn(alice, "The user can't stand coriander.", (passage(chat, 2), "I can't stand coriander"))

    plan = forget.plan(alice, query="Please forget everything about my niece.", now=now)
    forget.carry_out(plan, now=now, via=Via.CHAT)

    assert list(Memory.objects.of(alice).kept()) == [kept]
    assert forgotten(chat, 0)
    assert forgotten(chat, 1) == ["Fridays with Orla."]
    assert forgotten(chat, 2) == []


def test_where_someone_works_goes_with_the_plan_the_move_and_what_was_before(
    alice: Person, now: datetime, earlier: datetime
) -> None:
    chat = converse(
        alice,
        "我在高雄的輕軌公司做站牌設計,今天風好大。",
        "風大的日子路上小心。",
        "下個月可能要外派到札幌的合作公司,還沒定。",
        "如果成行,要先留意當地天氣和合約。",
        "我現在已經在札幌上班了,之後講時間都用這邊的時間。",
        "好,之後的時間都以札幌當地時間為準。",
        "這邊交件改用 PDF,不用 SVG 了。",
        "了解,交件改成 PDF。",
        at=earlier,
    )
    before = learn(alice, "使用者在高雄的輕軌公司做站牌設計。", (passage(chat, 0), "我在高雄的輕軌公司做站牌設計"))
    learn(alice, "使用者下個月可能外派到札幌的合作公司。", (passage(chat, 2), "下個月可能要外派到札幌的合作公司"))
    learn(alice, "使用者現在在札幌上班。", (passage(chat, 4), "我現在已經在札幌上班了"), replaces=before)
    kept = learn(alice, "使用者交件用 PDF。", (passage(chat, 6), "這邊交件改用 PDF,不用 SVG 了"))

    plan = forget.plan(alice, query="把你記得的我在哪裡上班,全部刪掉。", now=now)
    forget.carry_out(plan, now=now, via=Via.CHAT)

    assert list(Memory.objects.of(alice).kept()) == [kept]
    assert all(forgotten(chat, turn) for turn in (0, 2, 4, 5))
    assert not forgotten(chat, 6)


def test_two_sisters_are_two_things_and_the_person_says_which(alice: Person, now: datetime, earlier: datetime) -> None:
    chat = converse(alice, "My sister Ann has her birthday in May, my sister Bea in June.", "Noted.", at=earlier)
    words = passage(chat, 0)
    learn(alice, "The user's sister Ann has her birthday in May.", (words, "My sister Ann has her birthday in May"))
    learn(alice, "The user's sister Bea has her birthday in June.", (words, "my sister Bea in June"))

    plan = forget.plan(alice, query="Forget my sister's birthday", now=now)

    assert plan.ambiguous
    assert len(plan.groups) == 2
    assert plan.is_empty


def test_one_of_two_pieces_of_evidence_goes_and_the_memory_stays_to_be_checked(
    alice: Person, now: datetime, earlier: datetime
) -> None:
    first = converse(alice, "I sing alto.", "Nice.", at=earlier)
    second = converse(alice, "As an alto I need water.", "Sure.", at=earlier + timedelta(hours=1))
    memory = learn(
        alice, "The user sings alto.", (passage(first, 0), "I sing alto"), (passage(second, 0), "As an alto")
    )

    plan = forget.plan_conversation(alice, first, with_memories=True, now=now)
    assert [part.memory for part in plan.kept_memories] == [memory]
    deletion = forget.carry_out(plan, now=now, via=Via.CONVERSATION)

    memory.refresh_from_db()
    assert memory.status == Status.ACTIVE
    assert memory.to_check_at == now
    assert [e.passage for e in memory.evidence.all()] == [passage(second, 0)]

    forget.undo(deletion, now=now)
    memory.refresh_from_db()
    assert memory.to_check_at is None
    assert memory.evidence.count() == 2


def test_undo_gives_back_all_that_went_and_purge_is_never_early(
    alice: Person, now: datetime, earlier: datetime
) -> None:
    chat = converse(alice, "I take the train now.", "The train it is.", at=earlier)
    memory = learn(alice, "The user takes the train.", (passage(chat, 0), "I take the train now"))
    deletion = forget.carry_out(forget.plan(alice, memories=[memory], now=now), now=now, via=Via.LIST)

    assert forget.purge_due(now=deletion.undo_until - timedelta(seconds=1)) == 0
    forget.undo(deletion, now=deletion.undo_until - timedelta(seconds=1))
    memory.refresh_from_db()
    assert memory.status == Status.ACTIVE
    assert not Tombstone.objects.exists()
    assert forget.purge_due(now=deletion.undo_until) == 0

    again = forget.carry_out(forget.plan(alice, memories=[memory], now=now), now=now, via=Via.LIST, erase_words=True)
    assert forget.purge_due(now=again.undo_until) == 1
    memory.refresh_from_db()
    assert memory.statement == ""
    assert not Evidence.objects.exists()
    assert not Version.objects.exists()
    assert passage(chat, 0).text == "█" * len("I take the train now") + "."
    assert "train" not in passage(chat, 1).text
    with pytest.raises(forget.TooLate):
        forget.undo(again, now=again.undo_until)


def test_a_later_deletion_keeps_what_it_took_when_an_earlier_one_is_undone(
    alice: Person, now: datetime, earlier: datetime
) -> None:
    chat = converse(alice, "I drive a van. My dog is Rex.", "Good.", "I take the train now.", "Fine.", at=earlier)
    van = learn(alice, "The user drives a van.", (passage(chat, 0), "I drive a van"))
    dog = learn(alice, "The user's dog is Rex.", (passage(chat, 0), "My dog is Rex"))
    first = forget.carry_out(forget.plan(alice, memories=[van], now=now), now=now, via=Via.LIST)
    later = now + timedelta(minutes=1)
    forget.carry_out(forget.plan(alice, memories=[dog, van], now=later), now=later, via=Via.LIST)

    forget.undo(first, now=later)

    assert Memory.objects.get(pk=van.pk).status == Status.ACTIVE
    assert Memory.objects.get(pk=dog.pk).status == Status.DELETED
    assert forgotten(chat, 0) == ["My dog is Rex"]


def test_a_replaced_memory_goes_along_or_stays_as_past_or_holds_again(
    alice: Person, now: datetime, earlier: datetime
) -> None:
    chat = converse(alice, "I drive a van.", "Good.", "I sold it, I take the train.", "Fine.", at=earlier)
    van = learn(alice, "The user drives a van.", (passage(chat, 0), "I drive a van"))
    train = learn(alice, "The user takes the train.", (passage(chat, 2), "I take the train"), replaces=van)

    plan = forget.plan(alice, memories=[train], now=now)
    assert [part.memory for part in plan.chain] == [van]

    deletion = forget.carry_out(plan, now=now, via=Via.DETAIL, keep={van.pk})
    assert Memory.objects.get(pk=van.pk).status == Status.SUPERSEDED
    forget.undo(deletion, now=now)

    deletion = forget.carry_out(plan, now=now, via=Via.DETAIL, revive={van.pk})
    assert Memory.objects.get(pk=van.pk).status == Status.ACTIVE
    forget.undo(deletion, now=now)
    van.refresh_from_db()
    assert van.status == Status.SUPERSEDED
    assert van.superseded_by == train

    forget.carry_out(plan, now=now, via=Via.DETAIL)
    assert not Memory.objects.of(alice).kept().exists()


def test_anything_older_is_blocked_for_good_and_anything_said_anew_is_not(
    alice: Person, now: datetime, earlier: datetime
) -> None:
    chat = converse(alice, "My niece Orla starts school in September.", "Lovely.", at=earlier)
    statement = "The user's niece Orla starts school in September."
    memory = learn(alice, statement, (passage(chat, 0), "My niece Orla starts school"))
    deletion = forget.carry_out(forget.plan(alice, memories=[memory], now=now), now=now, via=Via.LIST)

    paraphrase = "Orla, the user's niece, will start school in September."
    assert forget.blocked(alice, statement=paraphrase, said_at=earlier) == deletion
    forget.purge(deletion.pk, now=deletion.undo_until)
    assert forget.blocked(alice, statement=paraphrase, said_at=earlier) == deletion
    assert forget.blocked(alice, statement="The user drives a van.", said_at=earlier) is None
    assert forget.blocked(alice, statement=paraphrase, said_at=now + timedelta(minutes=1)) is None
    assert forget.blocked(
        alice, statement="anything", said_at=now + timedelta(minutes=1), passage=passage(chat, 0), start=0, end=8
    )


def test_form_052_is_not_form_053(alice: Person, now: datetime, earlier: datetime) -> None:
    chat = converse(alice, "For leave I use Form 052. For travel I use Form 053.", "All right.", at=earlier)
    leave = learn(alice, "The user uses Form 052 for leave.", (passage(chat, 0), "For leave I use Form 052"))
    travel = learn(alice, "The user uses Form 053 for travel.", (passage(chat, 0), "For travel I use Form 053"))

    forget.carry_out(forget.plan(alice, memories=[leave], now=now), now=now, via=Via.LIST)

    assert list(Memory.objects.of(alice).kept()) == [travel]
    assert forgotten(chat, 0) == ["For leave I use Form 052"]


def test_lines_and_derived_titles_go_and_the_time_zone_of_a_forgotten_city_too(
    alice: Person, now: datetime, earlier: datetime
) -> None:
    chat = converse(alice, "I work in Sapporo now.", "Fine.", at=earlier)
    chat.title = "Work in Sapporo"
    chat.save(update_fields=["title"])
    memory = learn(alice, "The user works in Sapporo.", (passage(chat, 0), "I work in Sapporo now"))
    page = Page.objects.create(person=alice, slug="preferences", built_at=now)
    line = page.lines.create(section="work", position=0, text="Works in Sapporo.")
    line.memories.add(memory)
    alice.time_zone, alice.time_zone_memory = "Asia/Tokyo", memory
    alice.save(update_fields=["time_zone", "time_zone_memory"])

    plan = forget.plan(alice, memories=[memory], now=now)
    assert plan.time_zone == "Asia/Tokyo"
    assert plan.derived == {"search_rows": 2, "lines": 1, "titles": 1}
    deletion = forget.carry_out(plan, now=now, via=Via.LIST)

    alice.refresh_from_db()
    chat.refresh_from_db()
    assert (alice.time_zone, alice.time_zone_memory_id, chat.title) == ("", None, "")
    assert not page.lines.exists()

    forget.undo(deletion, now=now)
    alice.refresh_from_db()
    chat.refresh_from_db()
    assert (alice.time_zone, alice.time_zone_memory_id, chat.title) == ("Asia/Tokyo", memory.pk, "Work in Sapporo")


def test_the_same_plan_from_two_tabs_takes_once(alice: Person, now: datetime, earlier: datetime) -> None:
    chat = converse(alice, "I take the train now.", "Good.", at=earlier)
    memory = learn(alice, "The user takes the train.", (passage(chat, 0), "I take the train now"))
    plan = forget.plan(alice, memories=[memory], now=now)
    forget.carry_out(plan, now=now, via=Via.LIST)

    with pytest.raises(forget.NothingToForget):
        forget.carry_out(plan, now=now, via=Via.LIST)


def test_what_means_the_same_in_other_words_is_asked_about(alice: Person, now: datetime, earlier: datetime) -> None:
    """By the stored vectors, where no word is shared."""
    turns = [turn for n in range(30) for turn in (f"Question number {n} on tiling.", "An answer.")]
    chat = converse(alice, "I'm vegetarian.", "Fine.", *turns, "No beef in any meal, ever.", "Sure.", at=earlier)
    memory = learn(alice, "The user is vegetarian.", (passage(chat, 0), "I'm vegetarian"))
    rows = ExchangeSearch.objects.filter(person=alice)
    rows.update(vector=[0.0, 1.0], embedder="e")
    rows.filter(message__position__in=[0, 62]).update(vector=[1.0, 0.0], embedder="e")
    MemorySearch.objects.filter(memory=memory).update(vector=[1.0, 0.0], embedder="e")

    plan = forget.plan(alice, memories=[memory], now=now)

    assert [part.words for part in plan.doubtful_spans] == ["No beef in any meal, ever."]


def test_a_conversation_is_called_by_its_day_until_it_is_named_anew_and_undo_gives_its_title_back(
    client: Client, alice: Person, now: datetime, earlier: datetime
) -> None:
    chat = converse(alice, "I take the train now.", "Good.", at=earlier)
    Conversation.objects.filter(pk=chat.pk).update(title="The train")
    memory = learn(alice, "The user takes the train.", (passage(chat, 0), "I take the train now"))
    deletion = forget.carry_out(forget.plan(alice, memories=[memory], now=now), now=now, via=Via.LIST)

    page = client.get(reverse("chat:conversation", args=[chat.pk])).content.decode()
    assert "Conversation of 14 March 2026" in page or "Conversation of March 14, 2026" in page
    Conversation.objects.filter(pk=chat.pk).update(title="Good")
    forget.undo(deletion, now=now)

    chat.refresh_from_db()
    assert chat.title == "The train"


def test_an_old_title_does_not_come_back_with_what_a_later_deletion_took(
    alice: Person, now: datetime, earlier: datetime
) -> None:
    chat = converse(alice, "I take the train now. My dog is Rex.", "Good.", at=earlier)
    Conversation.objects.filter(pk=chat.pk).update(title="The train and Rex")
    train = learn(alice, "The user takes the train.", (passage(chat, 0), "I take the train now"))
    dog = learn(alice, "The user's dog is Rex.", (passage(chat, 0), "My dog is Rex"))
    first = forget.carry_out(forget.plan(alice, memories=[train], now=now), now=now, via=Via.LIST)
    forget.carry_out(forget.plan(alice, memories=[dog], now=now), now=now, via=Via.LIST)

    forget.undo(first, now=now)

    chat.refresh_from_db()
    assert chat.title == ""
