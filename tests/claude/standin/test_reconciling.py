"""Whether a new statement repeats, replaces or joins what is remembered."""

from __future__ import annotations

from datetime import date

import pytest

from claude.prompts import fence
from claude.standin.reconcile import reconcile
from claude.standin.requests import MemoryLine, Proposed, proposed

OLD, NEW = date(2026, 1, 1), date(2026, 3, 1)


def verdict(statement: str, *lines: MemoryLine, said: date = NEW) -> tuple[str, str]:
    (block,) = reconcile([Proposed("c1", said, statement, lines)])
    return block["verdict"], block["memory"]


def memory(
    statement: str, *, plan: bool = False, past: bool = False, said: date = OLD, label: str = "m1"
) -> MemoryLine:
    return MemoryLine(label, said, "semantic", "other", statement, plan=plan, past=past)


@pytest.mark.parametrize(
    ("new", "old"),
    [
        ("The user lives in Porto.", "The user lives in Lyon."),
        ("The user moved to Porto in March 2026.", "The user lives in Lyon."),
        ("The user works at Tartine.", "The user works for a bank."),
        ("The user takes the bus now.", "The user cycles to work."),
        ("The user eats meat again.", "The user is vegetarian."),
        ("The user hates jazz.", "The user loves jazz."),
        ("The user sold the boat.", "The user owns a boat."),
        ("The user no longer drinks coffee.", "The user drinks coffee every morning."),
        ("The user's yoga class moved to Mondays.", "The user's yoga class is on Thursdays."),
        ("The user delivers reports as DOCX.", "The user delivers reports as PDF."),
        ("使用者搬到台中了。", "使用者住在台南。"),
        ("使用者現在改搭捷運上班。", "使用者每天騎機車上班。"),
        ("使用者改吃葷了。", "使用者吃素。"),
        ("使用者喜歡香菜了。", "使用者討厭香菜。"),
        ("使用者現在在京都上班。", "使用者在嘉義的動物醫院上班。"),
        ("使用者的瑜伽課改到禮拜一。", "使用者的瑜伽課在禮拜四。"),
    ],
)
def test_a_newer_value_replaces_an_older(new: str, old: str) -> None:
    assert verdict(new, memory(old)) == ("replaces", "m1")


@pytest.mark.parametrize(
    ("new", "old"),
    [
        ("The user can't stand jazz.", "The user hates jazz."),
        ("The user is allergic to peanuts.", "The user has a peanut allergy."),
        ("使用者對花生過敏。", "The user is allergic to peanuts."),
        ("使用者討厭香菇。", "The user hates mushrooms."),
        ("The user lives in Lyon.", "The user lives in Lyon, France."),
        ("使用者不喜歡茄子。", "使用者討厭茄子。"),
        ("使用者住在台南", "使用者住在台南。"),
    ],
)
def test_the_same_in_other_words_or_another_language_is_the_same(new: str, old: str) -> None:
    assert verdict(new, memory(old)) == ("same", "m1")


@pytest.mark.parametrize(
    ("new", "old"),
    [
        ("The user handed in Form 053.", "The user handed in Form 052."),
        ("The user's cat is called Miso.", "The user's dog is called Biscuit."),
        ("The user is allergic to shrimp.", "The user is allergic to peanuts."),
        ("The user hates tea.", "The user drinks coffee."),
        ("The user's friend Bo is vegan.", "The user eats meat."),
        ("The user might move to Porto.", "The user lives in Lyon."),
        ("使用者可能要搬到台中。", "使用者住在台南。"),
        ("使用者的工作是獸醫。", "使用者在嘉義的動物醫院上班。"),
        ("The user plays chess on Mondays.", "The user swims on Thursdays."),
    ],
)
def test_what_only_looks_alike_is_new(new: str, old: str) -> None:
    assert verdict(new, memory(old)) == ("new", "")


def test_an_older_statement_never_replaces_a_newer() -> None:
    line = memory("The user lives in Lyon.", said=NEW)
    assert verdict("The user lives in Porto.", line, said=OLD)[0] != "replaces"


def test_going_back_to_what_was_replaced_is_new() -> None:
    assert verdict("The user lives in Lyon.", memory("The user lives in Lyon.", past=True)) == ("new", "")


def test_a_plan_that_came_true_does_not_replace_the_plan_but_the_present() -> None:
    lines = (memory("The user might move to Porto.", plan=True), memory("The user lives in Lyon.", label="m2"))
    assert verdict("The user moved to Porto.", *lines) == ("replaces", "m2")


def test_one_memory_is_replaced_by_the_one_candidate_that_fits_best() -> None:
    line = memory("The user drives a green car to work.")
    blocks = reconcile(
        [
            Proposed("c1", NEW, "The user sold the car.", (line,)),
            Proposed("c2", NEW, "The user takes the tram now.", (line,)),
        ]
    )
    assert [(block["verdict"], block["memory"]) for block in blocks] == [("new", ""), ("replaces", "m1")]


@pytest.mark.parametrize(
    ("new", "old"),
    [
        ("使用者養了一隻兔子叫麻糬。", "使用者叫陳小安。"),
        ("使用者的船叫海風。", "使用者叫陳小安。"),
        ("The user's boat is called Gull.", "The user's name is Dora."),
        ("使用者記住喔。", "使用者住在高雄。"),
        ("使用者養了一隻兔子叫麻糬。", "使用者的兔子叫雪球。"),
    ],
)
def test_only_the_same_attribute_of_the_same_subject_is_replaced(new: str, old: str) -> None:
    assert verdict(new, memory(old)) == ("new", "")


def test_a_candidate_is_compared_with_its_own_nearest_of_the_list_that_all_share() -> None:
    listed = fence(
        "nearest",
        "[m1] (said 2026-01-01; semantic, place) The user lives in Lyon.",
        "[m2] (said 2026-01-01; semantic, taste) The user loves jazz.",
    )
    candidates = fence(
        "candidates",
        fence("candidate", "The user lives in Porto.", id="c1", said="2026-03-01", nearest="m2 m1"),
        fence("candidate", "The user hates jazz.", id="c2", said="2026-03-01", nearest="m1 m9"),
    )
    first, second = proposed(f"{listed}\n{candidates}")
    assert [line.id for line in first.nearest] == ["m2", "m1"]
    assert [line.id for line in second.nearest] == ["m1"]
    verdicts = [(block["candidate"], block["verdict"], block["memory"]) for block in reconcile([first, second])]
    assert verdicts == [("c1", "replaces", "m1"), ("c2", "new", "")]
