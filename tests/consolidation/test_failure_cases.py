"""Failures that people reported of systems like this one, each under its report. What code can hold is shown over the
wire with a model that errs as the report has it; what only a model can do is asked of it in the prompt, word for word.

`WHERE` says which test stands for each report of the night, of who said it, of time, language and contradictions."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest

from claude.client import using
from claude.prompts import render
from consolidation import extract, reconcile
from memories.models import Line, Memory, Passage, Person, Status
from memories.transcript import NothingSaid
from tests.consolidation.conftest import Dream, Say
from tests.fakes import wire
from tests.fakes.batches import shape
from tests.fakes.scripted import Finds, ScriptedModel

pytestmark = pytest.mark.django_db

ASKED_OF_THE_MODEL = {
    # What is to be left out, in the extracting prompt.
    "claude-code#69847": "questions, and what a question would presuppose",
    "kernel-ai-assistant#448": "the fact that the person asked about something",
    "netclaw#379": "questions, and what a question would presuppose",
    "XE3-ESL#206": "what is imagined, supposed, quoted, played or meant for one answer only",
    "mem0#1528": "traits of other people as if they were the person's",
    "mem0#4550": "the time of day",
    "openhanako#2053": "what the assistant suggested and the person did not take up",
    "odysseus#2429": "keeps what is denied denied",
    "mem0#4963": 'counted from the turn\'s own "at"',
    "hindsight#3166": "in the language of the quote",
    "mem0#3707": "with names, numbers and product names exactly as written",
}
WHERE = {
    "mem0#4963": "test_a_date_is_counted_from_the_message_and_not_from_the_night",
    "hindsight#2974": "test_what_happened_keeps_the_date_of_its_message_and_an_exact_day_stays_one_day",
    "MemOS#2369": "test_half_past_midnight_is_told_by_the_persons_own_clock",
    "mem0#6931": "test_a_night_belongs_to_the_persons_own_day",
    "vellum#30951": "test_a_night_belongs_to_the_persons_own_day",
    "hindsight#3217": "test_a_date_that_no_calendar_has_breaks_nothing",
    "hindsight#2791": "test_what_happened_keeps_the_date_of_its_message_and_an_exact_day_stays_one_day",
    "hindsight#3166": "test_another_language_or_script_is_never_believed_by_itself",
    "mem0#3707": "test_another_language_or_script_is_never_believed_by_itself",
    "hindsight#4410": "test_another_language_or_script_is_never_believed_by_itself",
    "hindsight#3566": "test_a_secret_is_never_kept_whatever_stands_next_to_it",
    "hindsight#1875": "test_odd_characters_break_nothing_and_lose_nothing",
    "graphiti#1531": "test_odd_characters_break_nothing_and_lose_nothing",
    "MemOS-Cloud-OpenClaw-Plugin#10": "test_what_the_assistant_suggested_is_nobodys_preference",
    "openhanako#2053": "test_what_the_assistant_suggested_is_nobodys_preference",
    "mem0#1528": "test_a_friends_trait_does_not_replace_the_users",
    "odysseus#2429": "test_a_statement_that_turns_the_words_round_is_not_believed",
    "mem0#4573": "test_what_stands_in_no_message_of_theirs_is_no_memory",
    "mem0#5545": "test_blank_messages_are_not_even_asked_about",
    "openhuman#6048": "test_a_night_that_did_nothing_says_so",
    "mem0#4536": "test_a_contradiction_loses_neither_the_old_nor_the_new",
    "mem0#5569": "test_a_changed_mind_replaces_and_keeps_the_old_one",
    "graphiti#1666": "test_what_is_over_replaces_what_was",
    "graphiti#1841": "test_what_is_over_replaces_what_was",
    "AutoGPT#13387": "test_one_preference_in_three_wordings_on_three_nights_is_one_memory_with_three_sources",
    "mem0#3206": "test_the_same_said_in_two_languages_is_one_memory",
    "claude-code#47959": "test_too_many_retirements_hold_the_night_and_change_nothing_until_the_person_says_so",
    "vellum#24045": "test_too_many_retirements_hold_the_night_and_change_nothing_until_the_person_says_so",
    "hindsight#3112": "test_a_page_is_not_overwritten_by_half_a_draft",
    "letta-code#2540": "test_a_night_that_did_nothing_says_so",
    "muninndb#779": "test_the_old_is_current_until_the_new_is",
}


def test_every_report_has_its_test() -> None:
    sources = "".join(file.read_text(encoding="utf-8") for file in Path(__file__).parent.glob("test_*.py"))
    missing = {case: name for case, name in WHERE.items() if not re.search(rf"^def {name}\(", sources, re.MULTILINE)}
    assert missing == {}


@pytest.mark.parametrize("case", ASKED_OF_THE_MODEL)
def test_what_only_a_model_can_tell_is_asked_of_it(case: str) -> None:
    assert ASKED_OF_THE_MODEL[case] in render(extract.PROMPT)


def _requests(model: ScriptedModel) -> tuple[wire.FakeWire, list[wire.Request]]:
    listening = wire.FakeWire(otherwise=model.answer)
    return listening, listening.history


def test_a_date_is_counted_from_the_message_and_not_from_the_night(
    model: ScriptedModel, says: Say, dream: Dream, alice: Person
) -> None:
    said_at = datetime(2024, 2, 10, 9, 0, tzinfo=UTC)
    model.finds = [
        Finds("I moved flats last week", "The user moved flats.", "episodic", "event",
              event_from="2024-01-29", event_until="2024-02-04"),
    ]  # fmt: skip
    says("I moved flats last week.", at=said_at)
    listening, sent = _requests(model)
    with using(listening):
        dream()
    assert 'at="2024-02-10 09:00 Saturday"' in str(sent[0]["messages"])
    memory = Memory.objects.of(alice).get()
    assert (memory.said_at, memory.event_from, memory.event_until) == (said_at, date(2024, 1, 29), date(2024, 2, 4))


def test_half_past_midnight_is_told_by_the_persons_own_clock(
    model: ScriptedModel, says: Say, dream: Dream, alice: Person
) -> None:
    Person.objects.filter(pk=alice.pk).update(time_zone="Asia/Taipei")
    says("今天約了牙醫。", at=datetime(2026, 3, 16, 16, 30, tzinfo=UTC))
    listening, sent = _requests(model)
    with using(listening):
        dream()
    assert 'at="2026-03-17 00:30 Tuesday" zone="Asia/Taipei"' in str(sent[0]["messages"])


@pytest.mark.parametrize("day", ["-98000-01-01", "100000-01-01", "0001-01-01", "yesterday", "2024-02-30"])
def test_a_date_that_no_calendar_has_breaks_nothing(
    day: str, model: ScriptedModel, says: Say, dream: Dream, alice: Person
) -> None:
    model.finds = [Finds("十萬年前的化石", "使用者買了十萬年前的化石。", "episodic", "event", event_from=day)]
    says("我買了十萬年前的化石。")
    assert dream().state == "done"
    assert Memory.objects.of(alice).get().event_from is None


@pytest.mark.parametrize(
    ("words", "statement"),
    [("I hate coriander", "The user likes coriander."), ("我不吃香菜", "使用者吃香菜。")],
)
def test_a_statement_that_turns_the_words_round_is_not_believed(
    words: str, statement: str, model: ScriptedModel, says: Say, dream: Dream, alice: Person
) -> None:
    model.finds = [Finds(words, statement, category="taste")]
    says(words)
    dream()
    assert not Memory.objects.of(alice).active().exists()


def test_what_stands_in_no_message_of_theirs_is_no_memory(
    model: ScriptedModel, says: Say, dream: Dream, alice: Person
) -> None:
    """The system prompt, or an invention, given back as a memory."""
    of_ours = "You read what a person wrote to their assistant"
    says("hi")

    def parrots(request: wire.Request) -> wire.Answer:
        passage = re.search(r'id="(p\d+)" origin="typed"', str(request["messages"]))
        assert passage is not None
        found = [Finds(of_ours, "The user reads what a person wrote."), Finds("hi", "The user's name is Quillon.")]
        return {"candidates": [each.candidate(passage[1]) for each in found]}

    with using(wire.FakeWire(otherwise=parrots)):
        dream()
    assert not Memory.objects.of(alice).active().exists()
    assert not Line.objects.exists()


def test_blank_messages_are_not_even_asked_about(model: ScriptedModel, says: Say, dream: Dream, alice: Person) -> None:
    with pytest.raises(NothingSaid):
        says(" \n ")
    # Erased, or from a place that keeps blanks.
    Passage.objects.filter(message=says("I keep bees.")).update(text=" \n ")
    over = dream()
    assert over.state == "done"
    assert model.asked == {}
    assert not Memory.objects.exists()


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (("I own a van", "The user owns a van."), ("I sold the van", "The user sold the van.")),
        (("I'm on Project A", "The user is on Project A."), ("I moved to Project B", "The user moved to Project B.")),
    ],
)
def test_what_is_over_replaces_what_was(
    before: tuple[str, str], after: tuple[str, str], model: ScriptedModel, says: Say, dream: Dream, alice: Person,
    now: datetime,
) -> None:  # fmt: skip
    model.finds = [Finds(*before, category="work"), Finds(*after, category="work")]
    model.judges = [(after[1], "replaces", before[1])]
    says(before[0], at=now - timedelta(days=2))
    dream(at=now - timedelta(days=1))
    says(after[0])
    dream()
    found = dict(Memory.objects.of(alice).values_list("statement", "status"))
    assert found == {before[1]: Status.SUPERSEDED, after[1]: Status.ACTIVE}
    # And the model is told to look for just that.
    assert "What was owned and is sold" in render(reconcile.PROMPT)


@pytest.mark.parametrize(
    "half", [wire.out_of_tokens('{"lines": [{"sec'), wire.truncated('{"lines": ['), wire.refusal()]
)
def test_a_page_is_not_overwritten_by_half_a_draft(
    half: wire.Scripted, model: ScriptedModel, says: Say, dream: Dream, alice: Person, now: datetime
) -> None:
    model.finds = [Finds("I like plums", "The user likes plums."), Finds("I like figs", "The user likes figs.")]
    says("I like plums.")
    dream()
    says("I like figs.", at=now + timedelta(hours=1))

    def breaks_off(request: wire.Request) -> wire.Answer:
        return half if shape(request) == "lines" else model.answer(request)

    with using(wire.FakeWire(otherwise=breaks_off)):
        assert dream(at=now + timedelta(days=1)).state == "failed"
    assert [line.text for line in Line.objects.all()] == ["The user likes plums."]


def test_a_night_that_did_nothing_says_so(model: ScriptedModel, says: Say, dream: Dream, alice: Person) -> None:
    says("Thanks, that will do.")
    over = dream()
    assert over.counts == {"read": 2}
    assert not over.decisions.exists()
