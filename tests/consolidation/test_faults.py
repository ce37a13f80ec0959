"""Whatever breaks, at whichever step: nothing lost, nothing double, the state visible, and the next run completes."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime, timedelta

import pytest

from claude.client import using
from consolidation import apply, comparing, evidence, extract, fade, night, pages, reconcile, windows
from consolidation.models import AskedFor, Did, Guard, Night, NightState, Step
from memories.models import Line, Memory, Message, Person
from tests.consolidation.conftest import Say, assert_it_came_out_well
from tests.fakes import wire
from tests.fakes.batches import shape
from tests.fakes.scripted import Finds, ScriptedModel

pytestmark = pytest.mark.django_db

# Each question of a night: the step it belongs to, and the shape of its answer.
QUESTIONS = {
    "extract": (Step.EXTRACT, "candidates"),
    "reconcile": (Step.RECONCILE, "verdicts"),
    "check the evidence": (Step.CHECK, "checks"),
    "check what was not compared": (Step.CHECK, "verdicts"),
    "pages": (Step.PAGES, "lines"),
}
FAULTS: dict[str, tuple[Callable[[], wire.Answer], str]] = {
    "429": (wire.rate_limited, "rate_limited"),
    "529": (wire.overloaded, "overloaded"),
    "timeout": (wire.timeout, "timed_out"),
    "unreachable": (wire.unreachable, "unreachable"),
    "refusal": (wire.refusal, "refused"),
    "cut off": (lambda: wire.out_of_tokens('{"candidates": ['), "truncated"),
    "no json": (lambda: wire.text("Sorry, I would rather chat about ice cream."), "malformed"),
    "broken": (wire.malformed, "interrupted"),
    "poisoned": (lambda: wire.filled({"candidates": "all", "drop": "tables"}), "malformed"),
}


def _begin(person: Person, now: datetime) -> Night:
    begun = night.begin(person, now=now, asked_for=AskedFor.PERSON)
    assert begun is not None
    return begun


def _failing(model: ScriptedModel, question: str, answer: Callable[[], wire.Answer]) -> wire.FakeWire:
    """Answers well, but for one of a night's questions."""
    step, wanted = QUESTIONS[question]

    def answers(request: wire.Request) -> wire.Answer:
        running = Night.objects.running().get()
        return answer() if (running.step, shape(request)) == (step, wanted) else model.answer(request)

    return wire.FakeWire(otherwise=answers)


@pytest.mark.parametrize("question", QUESTIONS)
@pytest.mark.parametrize("fault", FAULTS)
def test_a_model_that_fails_changes_nothing_and_the_next_run_completes(
    fault: str, question: str, eventful: ScriptedModel, alice: Person, now: datetime
) -> None:
    answer, code = FAULTS[fault]
    begun = _begin(alice, now)
    before = list(Memory.objects.values())
    with using(_failing(eventful, question, answer)):
        failed = night.run(begun.pk, now=now)
    assert (failed.state, failed.error, failed.step) == (NightState.FAILED, code, QUESTIONS[question][0])
    if failed.step in {Step.EXTRACT, Step.RECONCILE}:
        assert list(Memory.objects.values()) == before
        assert Message.objects.unread_by_night().shown().exists()
    again = _begin(alice, now + timedelta(hours=1))
    assert again.pk == begun.pk
    assert night.run(again.pk, now=now + timedelta(hours=1)).state == NightState.DONE
    assert_it_came_out_well(alice)


@pytest.mark.parametrize("question", QUESTIONS)
@pytest.mark.parametrize("answer", [wire.refusal, lambda: wire.text("I would rather not.")])
def test_what_the_model_never_answers_about_does_not_keep_a_night_from_its_end(
    answer: Callable[[], wire.Answer], question: str, eventful: ScriptedModel, alice: Person, now: datetime
) -> None:
    with using(_failing(eventful, question, answer)):
        for attempt in range(4):
            if begun := night.begin(alice, now=now + timedelta(hours=attempt), asked_for=AskedFor.SCHEDULE):
                over = night.run(begun.pk, now=now + timedelta(hours=attempt))
    assert (over.state, over.attempts) == (NightState.DONE, 3)
    # Nothing was guessed: it is skipped, left as it was, asked of the person, or told by the statements themselves.
    assert Memory.objects.of(alice).active().filter(statement__contains="hens").exists()
    told = set(over.decisions.values_list("did", "reason"))
    expected = {
        "extract": (Did.HELD_BACK, Guard.NOT_READ),
        "reconcile": (Did.WAITING, "unclear"),
        "check the evidence": (Did.ASKED, Guard.LESS_SAID),
        "check what was not compared": (Did.REPLACED, ""),
        "pages": (Did.REPLACED, ""),
    }[question]
    assert expected in told
    if question != "reconcile":
        assert Line.objects.exists()


class Killed(BaseException):
    """As a worker that is killed: nothing of ours runs after it."""


@pytest.mark.parametrize(
    ("module", "name"),
    [
        (windows, "plan_windows"),
        (extract, "read_window"),
        (reconcile, "judge"),
        (apply, "apply"),
        (evidence, "check"),
        (comparing, "compare"),
        (fade, "fade"),
        (pages, "rebuild"),
    ],
)
@pytest.mark.parametrize("when", ["before", "after"])
def test_a_worker_that_dies_at_any_step_is_followed_by_another(
    module: object, name: str, when: str, eventful: ScriptedModel, alice: Person, now: datetime,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    real = getattr(module, name)

    def dies(*args: object, **more: object) -> None:
        if when == "after":
            real(*args, **more)
        raise Killed

    begun = _begin(alice, now)
    with monkeypatch.context() as patched:
        patched.setattr(module, name, dies)
        with pytest.raises(Killed):
            night.run(begun.pk, now=now)
    begun.refresh_from_db()
    assert begun.state == NightState.RUNNING
    # While the lease lasts nobody else takes it.
    assert night.run(begun.pk, now=now + timedelta(seconds=10)).state == NightState.RUNNING
    later = now + timedelta(hours=1)
    assert list(Night.objects.abandoned(later)) == [begun]
    assert night.run(begun.pk, now=later).state == NightState.DONE
    assert_it_came_out_well(alice)


def test_a_worker_that_lost_its_lease_applies_nothing(
    eventful: ScriptedModel, alice: Person, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun = _begin(alice, now)
    real = apply.apply

    def after_the_other_has_finished(slow: Night, **more: object) -> None:
        with monkeypatch.context() as patched:
            patched.setattr(apply, "apply", real)
            Night.objects.filter(pk=begun.pk).update(leased_until=now)
            assert night.run(begun.pk, now=now + timedelta(hours=1)).state == NightState.DONE
        real(slow, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(apply, "apply", after_the_other_has_finished)
    night.run(begun.pk, now=now)
    assert_it_came_out_well(alice)


def test_words_that_the_model_refuses_are_parted_from_the_others_and_skipped_and_the_night_says_so(
    model: ScriptedModel, says: Say, alice: Person, now: datetime
) -> None:
    model.finds = [Finds("I keep bees", "The user keeps bees."), Finds("I bake", "The user bakes.")]
    for words in ("I keep bees.", "Something unspeakable.", "I bake."):
        says(words)

    def refuses(request: wire.Request) -> wire.Answer:
        return wire.refusal() if "unspeakable" in str(request["messages"]) else model.answer(request)

    with using(wire.FakeWire(otherwise=refuses)):
        for attempt in range(3):
            at = now + timedelta(hours=attempt)
            over = night.run(_begin(alice, at).pk, now=at)
    assert over.state == NightState.DONE
    assert Memory.objects.of(alice).active().count() == 2
    skipped = over.decisions.get(reason=Guard.NOT_READ).passage
    assert skipped is not None
    assert skipped.text == "Something unspeakable."


@pytest.mark.parametrize("answer", [wire.bad_key, wire.no_credit])
def test_an_account_that_does_not_work_skips_no_words(
    answer: Callable[[], wire.Answer], eventful: ScriptedModel, alice: Person, now: datetime
) -> None:
    with using(wire.FakeWire(otherwise=answer())):
        for attempt in range(5):
            at = now + timedelta(hours=attempt)
            assert night.run(_begin(alice, at).pk, now=at).state == NightState.FAILED
    later = now + timedelta(days=1)
    assert night.run(_begin(alice, later).pk, now=later).state == NightState.DONE
    assert_it_came_out_well(alice)


def test_an_answer_that_is_cut_off_is_asked_for_in_halves(
    model: ScriptedModel, says: Say, alice: Person, now: datetime
) -> None:
    model.finds = [Finds("I keep bees", "The user keeps bees."), Finds("I bake", "The user bakes.")]
    first = says("I keep bees.")
    says("I bake.", conversation=first.conversation)
    cut = [wire.out_of_tokens('{"candidates": [')]

    def cut_once(request: wire.Request) -> wire.Answer:
        return cut.pop() if cut else model.answer(request)

    with using(wire.FakeWire(otherwise=cut_once)):
        over = night.run(_begin(alice, now).pk, now=now)
    assert over.state == NightState.DONE, over.error
    assert Memory.objects.of(alice).active().count() == 2


def test_an_id_that_does_not_exist_names_no_memory(eventful: ScriptedModel, alice: Person, now: datetime) -> None:
    def invents(request: wire.Request) -> wire.Answer:
        answer = eventful.answer(request)
        assert isinstance(answer, wire.Scripted)
        return wire.text(re.sub(r'"memory": "m\d+"', '"memory": "m77"', answer.blocks[0]["text"]))

    with using(wire.FakeWire(otherwise=invents)):
        over = night.run(_begin(alice, now).pk, now=now)
    assert over.state == NightState.DONE
    assert Memory.objects.of(alice).active().count() == 4
    assert over.decisions.filter(reason=Guard.UNKNOWN_MEMORY).count() == 1
