"""What tells the same without standing in the same words: names of conversations, another language, what a night
learned while the dialog was open, what it staged from other words."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from consolidation.models import AskedFor, Candidate, Night
from memories import forget
from memories.forgetting.plan import Why
from memories.models import Conversation, Memory, Person, Status, Via
from tests.memories.telling import converse, forgotten, learn, passage

ORLA = "My niece Orla starts school in September."
STATEMENT = "The user's niece Orla starts school in September."


@pytest.fixture
def earlier(now: datetime) -> datetime:
    return now - timedelta(days=3)


@pytest.fixture
def orla(alice: Person, earlier: datetime) -> Memory:
    chat = converse(alice, ORLA, "Lovely.", at=earlier)
    return learn(alice, STATEMENT, (passage(chat, 0), ORLA[:-1]))


def test_a_conversation_that_the_person_named_after_it_loses_its_name_and_undo_gives_it_back(
    alice: Person, orla: Memory, now: datetime, earlier: datetime
) -> None:
    named = converse(alice, "What shall I buy?", "A satchel.", at=earlier)
    other = converse(alice, "What shall I cook?", "Rice.", at=earlier)
    Conversation.objects.filter(pk=named.pk).update(title="Niece Orla starts school", title_is_mine=True)
    Conversation.objects.filter(pk=other.pk).update(title="School kitchen", title_is_mine=True)

    deletion = forget.carry_out(forget.plan(alice, memories=[orla], now=now), now=now, via=Via.LIST)
    assert Conversation.objects.get(pk=named.pk).title == ""
    assert Conversation.objects.get(pk=other.pk).title == "School kitchen"

    forget.undo(deletion, now=now)
    named.refresh_from_db()
    assert (named.title, named.title_is_mine) == ("Niece Orla starts school", True)


@pytest.mark.parametrize("with_memories", [True, False])
def test_what_a_night_learns_from_a_conversation_while_its_dialog_is_open_goes_with_its_memories(
    with_memories: bool, alice: Person, now: datetime, earlier: datetime
) -> None:
    chat = converse(alice, ORLA, "Lovely.", at=earlier)
    plan = forget.plan_conversation(alice, chat, with_memories=with_memories, now=now)
    plan = forget.read(alice, plan.sign(), max_age_s=60)
    learned = learn(alice, STATEMENT, (passage(chat, 0), ORLA[:-1]))

    forget.carry_out(plan, now=now + timedelta(minutes=1), via=Via.CONVERSATION)

    learned.refresh_from_db()
    assert learned.status == (Status.DELETED if with_memories else Status.ACTIVE)


def test_a_staged_statement_that_says_it_goes_whatever_words_it_quotes(
    alice: Person, orla: Memory, now: datetime, earlier: datetime
) -> None:
    chat = converse(alice, "She is looking forward to it.", "Good. I keep bees.", at=earlier)
    night = Night.objects.create(
        person=alice, asked_for=AskedFor.PERSON, local_date=now.date(), started_at=now, leased_until=now,
        reads_until=now,
    )  # fmt: skip
    says_it, says_more = (
        Candidate.objects.create(
            night=night, passage=passage(chat, 0), said_at=earlier, start=0, end=8, statement=statement,
            kind="semantic", category="people", confidence="high",
        )
        for statement in ("Orla, the user's niece, looks forward to school in September.", "The user keeps bees.")
    )  # fmt: skip
    plan = forget.plan(alice, memories=[orla], now=now)
    assert passage(chat, 0).pk not in plan.reach.passages

    deletion = forget.carry_out(plan, now=now, via=Via.LIST)

    assert list(Candidate.objects.all()) == [says_more]
    says_it.pk = None
    says_it.save(force_insert=True)
    assert [finding.code for _deletion, finding in forget.verify([deletion], now=now)] == ["left"]


@pytest.mark.parametrize(
    ("said", "statement", "again"),
    [
        ("我住在台南的老房子。", "使用者住在臺南的老房子。", "在臺南住老房子很涼。"),
        ("我在準備博士論文答辯。", "使用者在準備博士論文答辯。", "我还在准备博士论文答辩。"),
        ("我姪女叫小榛，九月上學。", "使用者的姪女叫小榛，九月上學。", "小榛九月上学了。"),
    ],
)
def test_in_chinese_it_goes_in_either_way_of_writing_and_is_remembered_when_said_anew(
    said: str, statement: str, again: str, alice: Person, now: datetime, earlier: datetime
) -> None:
    chat = converse(alice, said, "好。", at=earlier)
    other = converse(alice, again, "嗯。", at=earlier + timedelta(hours=1))
    memory = learn(alice, statement, (passage(chat, 0), said[:-1]))

    deletion = forget.carry_out(forget.plan(alice, memories=[memory], now=now), now=now, via=Via.LIST)
    forget.purge(deletion.pk, now=deletion.undo_until)

    assert forgotten(other, 0) == [again]
    assert forget.blocked(alice, statement=again, said_at=earlier) == deletion
    assert forget.blocked(alice, statement=statement, said_at=now + timedelta(hours=1)) is None


@pytest.mark.parametrize(
    ("said", "statement", "answer", "asked"),
    [
        ("我住在台南。", "使用者住在台南。", "Tainan is lovely in spring.", True),
        ("I keep bees.", "The user keeps bees.", "養蜂很有意思。", True),
        ("I keep bees.", "The user keeps bees.", "Spring is lovely.", False),
    ],
)
def test_where_no_word_can_tell_whether_the_answer_repeats_it_the_person_is_asked(
    said: str, statement: str, answer: str, asked: bool, alice: Person, now: datetime, earlier: datetime
) -> None:
    chat = converse(alice, said, answer, at=earlier)
    memory = learn(alice, statement, (passage(chat, 0), said[:-1]))

    plan = forget.plan(alice, memories=[memory], now=now)

    assert [part.why for part in plan.spans] == [Why.EVIDENCE]
    assert [part.words for part in plan.doubtful_spans] == ([answer] if asked else [])
