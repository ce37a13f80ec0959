"""Whatever breaks, at whichever step: nothing lost, nothing double, the state visible, and the next run completes."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta

import pytest

from claude.client import using
from consolidation import apply, extract, night, pages, reconcile
from consolidation.models import AskedFor, Decision, Night, NightState
from memories.models import Line, Memory, Message, Person
from tests.consolidation.conftest import Say
from tests.fakes import wire
from tests.fakes.scripted import Finds, ScriptedModel

pytestmark = pytest.mark.django_db

STEPS = ["candidates", "verdicts", "lines"]
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


@pytest.fixture
def told(model: ScriptedModel, says: Say, alice: Person, now: datetime) -> ScriptedModel:
    """One memory is there; there is something new that must be compared with it."""
    model.finds = [
        Finds("I keep bees", "The user keeps bees.", category="people"),
        Finds("I sold my bees", "The user sold the bees they kept.", category="people"),
    ]
    model.judges = [("sold", "replaces", "keeps bees")]
    says("I keep bees.", at=now - timedelta(days=2))
    begun = night.begin(alice, now=now - timedelta(days=1), asked_for=AskedFor.PERSON)
    assert begun is not None
    assert night.run(begun.pk, now=now - timedelta(days=1)).state == NightState.DONE
    says("I sold my bees.")
    return model


def _begin(person: Person, now: datetime) -> Night:
    begun = night.begin(person, now=now, asked_for=AskedFor.PERSON)
    assert begun is not None
    return begun


def _holds(alice: Person) -> None:
    assert [m.statement for m in Memory.objects.of(alice).active()] == ["The user sold the bees they kept."]
    assert [m.statement for m in Memory.objects.of(alice).superseded()] == ["The user keeps bees."]
    assert [line.text for line in Line.objects.all()] == ["The user sold the bees they kept."]
    assert not Message.objects.unread_by_night().shown().exists()
    assert Decision.objects.count() == 2


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("fault", FAULTS)
def test_a_model_that_fails_changes_nothing_and_the_next_run_completes(
    fault: str, step: str, told: ScriptedModel, alice: Person, now: datetime
) -> None:
    broken, code = FAULTS[fault]

    def fails_at_the_step(request: wire.Request) -> wire.Answer:
        (shape,) = request["output_config"]["format"]["schema"]["properties"]
        return broken() if shape == step else told.answer(request)

    begun = _begin(alice, now)
    before = list(Memory.objects.values())
    with using(wire.FakeWire(otherwise=fails_at_the_step)):
        failed = night.run(begun.pk, now=now)
    assert (failed.state, failed.error) == (NightState.FAILED, code)
    if step != "lines":
        assert list(Memory.objects.values()) == before
        assert Message.objects.unread_by_night().shown().exists()
    again = _begin(alice, now + timedelta(hours=1))
    assert again.pk == begun.pk
    assert night.run(again.pk, now=now + timedelta(hours=1)).state == NightState.DONE
    _holds(alice)


class Killed(BaseException):
    """As a worker that is killed: nothing of ours runs after it."""


@pytest.mark.parametrize(
    ("module", "name"),
    [
        (extract, "plan_windows"),
        (extract, "read_window"),
        (reconcile, "judge"),
        (apply, "apply"),
        (pages, "rebuild"),
    ],
)
@pytest.mark.parametrize("when", ["before", "after"])
def test_a_worker_that_dies_at_any_step_is_followed_by_another(
    module: object, name: str, when: str, told: ScriptedModel, alice: Person, now: datetime,
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
    _holds(alice)


def test_a_worker_that_lost_its_lease_applies_nothing(
    told: ScriptedModel, alice: Person, now: datetime, monkeypatch: pytest.MonkeyPatch
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
    _holds(alice)


def test_words_that_the_model_always_refuses_are_skipped_in_the_end_and_the_night_says_so(
    told: ScriptedModel, alice: Person, now: datetime
) -> None:
    with using(wire.FakeWire(otherwise=wire.refusal())):
        for attempt in range(3):
            at = now + timedelta(hours=attempt)
            night.run(_begin(alice, at).pk, now=at)
        over = night.run(_begin(alice, now + timedelta(hours=4)).pk, now=now + timedelta(hours=4))
    assert over.state == NightState.DONE
    assert over.decisions.get().reason == "not_read"


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


def test_an_id_that_does_not_exist_names_no_memory(told: ScriptedModel, alice: Person, now: datetime) -> None:
    def invents(request: wire.Request) -> wire.Answer:
        answer = told.answer(request)
        assert isinstance(answer, wire.Scripted)
        text = answer.blocks[0]["text"].replace('"memory": "m1"', '"memory": "m77"')
        return wire.text(text)

    with using(wire.FakeWire(otherwise=invents)):
        over = night.run(_begin(alice, now).pk, now=now)
    assert over.state == NightState.DONE
    assert Memory.objects.of(alice).active().count() == 2
    assert over.decisions.get().reason == "unknown_memory"
