"""What may replace what: a good model's true updates pass, and what has nothing in common asks the person."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from consolidation import guards
from consolidation.models import Guard, Verdict
from memories.models import Memory, Person, WaitingReason
from tests.consolidation.conftest import Dream, Say
from tests.fakes.scripted import Finds, ScriptedModel

REPLACED, ASKED = (Verdict.REPLACES, ""), (Verdict.UNCLEAR, Guard.UNRELATED)
TRUE_UPDATES = [
    ("The user lives in Leeds.", "The user moved from Leeds to York.", "place"),
    ("The user lives in Leeds.", "The user lives in York.", "place"),
    ("The user is vegetarian.", "The user eats meat again.", "taste"),
    ("The user owns a van.", "The user sold the van.", "other"),
    ("The user works on Project A.", "The user moved to Project B.", "work"),
    ("The user loves coriander.", "The user hates coriander.", "taste"),
    ("The user swims on Mondays.", "The user swims on Thursdays.", "routine"),
    ("The user keeps two ferrets.", "The user keeps one ferret.", "people"),
    ("The user is a nurse.", "The user works as a gardener now.", "work"),
    ("The user plans to move to York.", "The user is settled in York.", "place"),
    ("使用者住在台南。", "使用者搬到新竹了。", "place"),
    ("使用者吃素。", "使用者又開始吃肉了。", "taste"),
    ("使用者有一台車。", "使用者把車賣了。", "other"),
    ("使用者喜歡香菜。", "使用者討厭香菜。", "taste"),
    ("使用者每週五照顧小雨。", "使用者每週三照顧小雨。", "people"),
    ("使用者每週一游泳。", "使用者改成每週四游泳。", "routine"),
]
UNRELATED = [
    ("The user minds Orla on Fridays.", "The user taught Orla to dive.", "people"),
    ("The user is left-handed.", "The user is a gardener.", "profile"),
    ("The user likes jazz.", "The user likes plums.", "taste"),
    ("The user plays the oboe.", "The user drives a van.", "routine"),
    ("The user met Quin in York.", "The user buys flour in York.", "other"),
    ("使用者喜歡爵士樂。", "使用者喜歡李子。", "taste"),
    ("使用者養貓。", "使用者在學法文。", "learning"),
    ("使用者週五接送小雨。", "使用者教小雨游泳。", "people"),
]


def _check(old: str, new: str, category: str) -> tuple[str, str]:
    at = datetime(2026, 3, 1, tzinfo=UTC)
    memory = Memory(
        number=1, statement=old, category=category, said_at=at, trusted=True, plan=" plans to " in old
    )  # fmt: skip
    return guards.check(Verdict.REPLACES, guards.Said(new, at, True, False, category=category), memory, among=[memory])


@pytest.mark.parametrize(("old", "new", "category"), TRUE_UPDATES)
def test_a_true_update_replaces(old: str, new: str, category: str) -> None:
    assert _check(old, new, category) == REPLACED


@pytest.mark.parametrize(("old", "new", "category"), UNRELATED)
def test_what_has_nothing_in_common_but_a_name_or_a_common_word_is_asked_about(
    old: str, new: str, category: str
) -> None:
    assert _check(old, new, category) == ASKED


def test_where_only_the_category_is_shared_the_nearest_is_meant_and_no_other() -> None:
    at = datetime(2026, 3, 1, tzinfo=UTC)
    diet, jazz = (
        Memory(number=number, statement=statement, category="taste", said_at=at, trusted=True, plan=False)
        for number, statement in enumerate(["The user is vegetarian.", "The user likes jazz."])
    )
    new = guards.Said("The user eats meat again.", at, True, False, category="taste")
    assert guards.check(Verdict.REPLACES, new, diet, among=[diet, jazz]) == REPLACED
    assert guards.check(Verdict.REPLACES, new, jazz, among=[diet, jazz]) == ASKED


@pytest.mark.django_db
def test_an_unrelated_replacement_waits_beside_what_it_would_replace_and_both_stay(
    model: ScriptedModel, says: Say, dream: Dream, alice: Person, now: datetime
) -> None:
    model.finds = [
        Finds("I minded Orla on Friday", "The user minds Orla on Fridays.", category="people"),
        Finds("I taught Orla to dive", "The user taught Orla to dive.", category="people"),
    ]
    model.judges = [("dive", "replaces", "Fridays")]
    says("I minded Orla on Friday.", at=now - timedelta(days=2))
    dream(at=now - timedelta(days=1))
    says("I taught Orla to dive.")
    over = dream()
    assert Memory.objects.of(alice).active().get().statement == "The user minds Orla on Fridays."
    assert Memory.objects.of(alice).waiting().get().waiting_reason == WaitingReason.CONTRADICTS
    assert over.decisions.get().other == Memory.objects.of(alice).active().get()
