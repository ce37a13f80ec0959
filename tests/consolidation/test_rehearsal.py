from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from io import StringIO
from typing import Any

import pytest
from django.apps import apps
from django.core.management import CommandError, call_command
from django.db import connection
from django.utils import timezone, translation

from claude.client import using
from claude.models import Call
from consolidation import night
from consolidation.models import AskedFor, Night
from memories.models import Confidence, Line, Memory, Message, Person, Status
from tests.consolidation.conftest import Dream, Say
from tests.fakes.scripted import Finds, ScriptedModel
from tests.fakes.wire import Answer, FakeWire, Request

type DryRun = Callable[[], str]


@pytest.fixture
def now() -> datetime:
    """The command takes the clock of the machine."""
    return timezone.now()


@pytest.fixture
def dry_run(alice: Person) -> DryRun:
    """Prints, and has changed no row of any table but the ledger."""

    def rehearse() -> str:
        before, out = _everything(), StringIO()
        call_command("dream", "--user", "alice", "--dry-run", stdout=out)
        assert _everything() == before
        return out.getvalue()

    return rehearse


def _everything() -> dict[str, list[dict[str, Any]]]:
    return {
        model._meta.label: list(model._base_manager.order_by("pk").values())
        for model in apps.get_models(include_auto_created=True)
        if model is not Call
    }


def _told(printed: str, heading: str) -> list[str]:
    """What stands below a heading."""
    _, found, rest = printed.partition(f"\n{heading} (")
    assert found, printed
    return [line.strip() for line in rest.partition("\n\n")[0].splitlines()[1:]]


@pytest.mark.django_db(transaction=True)
def test_a_dry_run_of_every_step_changes_nothing_and_asks_the_model_outside_of_any_transaction(
    eventful: ScriptedModel, dry_run: DryRun
) -> None:
    held: list[bool] = []

    def listens(request: Request) -> Answer:
        held.append(connection.in_atomic_block)
        return eventful.answer(request)

    booked, eventful.asked = Call.objects.count(), {}
    with using(FakeWire(otherwise=listens)):
        printed = dry_run()
    assert eventful.asked.keys() == {"candidates", "verdicts", "checks", "lines"}
    assert held == [False] * sum(eventful.asked.values())
    assert Call.objects.count() - booked == len(held)
    assert printed.splitlines()[-1].endswith("Nothing was changed. The calls of the model are booked.")


@pytest.mark.django_db
def test_it_tells_what_the_night_then_does(
    eventful: ScriptedModel, dry_run: DryRun, dream: Dream, alice: Person, now: datetime
) -> None:
    eventful.asked = {}
    printed = dry_run()
    assert _told(printed, "New") == [
        "m3 The user keeps bees.",
        'quoted: "I keep bees" (typed)',
        "semantic, people, high confidence, retired since",
        "reason: Nothing that is remembered says it.",
    ]
    assert _told(printed, "Replaces an older one") == [
        "m4 The user sold the bees.",
        'quoted: "I sold my bees" (typed)',
        "semantic, people, high confidence",
        "retires m3 The user keeps bees.",
        "reason: It was said later, about the same.",
    ]
    assert _told(printed, "Checked, and it still holds")[0] == "m1 The user keeps hens."
    assert _told(printed, "Page lines: People and animals") == ["+ The user sold the bees. (m4)", "2 lines as before"]
    asked, eventful.asked = eventful.asked, {}
    dream(at=now)
    assert eventful.asked == asked
    for memory in Memory.objects.of(alice).exclude(statement__contains="cats"):
        assert f"{memory.label} {memory.statement}" in printed
    assert Line.objects.filter(text="The user sold the bees.", memories__number=4).exists()


@pytest.mark.django_db
def test_the_night_itself_is_told_in_the_same_words(model: ScriptedModel, says: Say, dry_run: DryRun) -> None:
    model.finds = [Finds("I keep bees", "The user keeps bees.")]
    says("I keep bees.")
    rehearsed, out = dry_run(), StringIO()
    call_command("dream", "--user", "alice", stdout=out)
    assert _told(out.getvalue().rstrip(), "New") == _told(rehearsed, "New")
    assert Memory.objects.get().status == Status.ACTIVE


@pytest.mark.django_db
def test_calls_and_tokens_are_told_by_step_and_in_all(model: ScriptedModel, says: Say, dry_run: DryRun) -> None:
    model.finds = [Finds("I keep bees", "The user keeps bees.", category="taste")]
    says("I keep bees.")
    *_, extracting, pages, total = dry_run().splitlines()
    calls = {call.purpose: call for call in Call.objects.all()}
    for line, purpose in [(extracting, "extract"), (pages, "pages")]:
        call = calls[purpose]
        assert line == (
            f"{call.get_purpose_display()}: 1 call, {call.tokens_in:,} tokens in, {call.tokens_out:,} out,"
            f" USD {call.cost:.4f}"
        )
    read, written = (sum(getattr(call, name) for call in calls.values()) for name in ("tokens_in", "tokens_out"))
    assert total.startswith(f"Total: new 1, page lines 1; 2 calls, {read:,} tokens in, {written:,} out, USD ")


@pytest.mark.django_db
def test_a_cost_that_nobody_knows_is_called_unknown(
    model: ScriptedModel, says: Say, dry_run: DryRun, settings: Any
) -> None:
    settings.CLAUDE_MODELS = {**settings.CLAUDE_MODELS, "extract": "a-model-without-a-price"}
    model.finds = [Finds("I keep bees", "The user keeps bees.")]
    says("I keep bees.")
    *_, extracting, _, total = dry_run().splitlines()
    assert extracting.endswith(", cost unknown")
    assert ", cost unknown, at least USD " in total


@pytest.mark.django_db
def test_it_is_told_in_the_words_of_who_speaks_chinese(
    model: ScriptedModel, says: Say, dream: Dream, dry_run: DryRun, now: datetime
) -> None:
    model.finds = [
        Finds("我在書店上班", "使用者在書店上班。", category="work"),
        Finds("我改在花店上班", "使用者在花店上班。", category="work"),
        Finds("我有氣喘", "使用者有氣喘。", category="health"),
    ]
    model.judges = [("花店", "replaces", "書店")]
    says("我在書店上班。", at=now - timedelta(days=9))
    dream(at=now - timedelta(days=8))
    says("我改在花店上班。我有氣喘。", at=now - timedelta(days=1))
    with translation.override("zh-hant"):
        printed = dry_run()
    assert _told(printed, "Replaces an older one") == [
        "m2 使用者在花店上班。",
        'quoted: "我改在花店上班" (typed)',
        "semantic, work, high confidence",
        "retires m1 使用者在書店上班。",
        "reason: It was said later, about the same.",
    ]
    assert _told(printed, "Waits for the person") == [
        "m3 使用者有氣喘。",
        'quoted: "我有氣喘" (typed)',
        "semantic, health, high confidence",
        "reason: It is sensitive, and you did not ask outright to keep it.",
    ]
    assert _told(printed, "Page lines: Work") == ["+ 使用者在花店上班。 (m2)", "- 使用者在書店上班。 (m1)"]


@pytest.mark.django_db
def test_what_is_held_back_is_told_with_its_statement_and_reason(
    model: ScriptedModel, says: Say, dream: Dream, dry_run: DryRun, now: datetime
) -> None:
    bees = Finds("I keep bees", "The user keeps bees.")
    model.finds = [bees, Finds("My bees are fine", "The user's bees are fine.")]
    model.judges = [("fine", "nothing", "keeps bees")]
    says("I keep bees.", at=now - timedelta(days=9))
    dream(at=now - timedelta(days=8))
    says("My bees are fine.", at=now - timedelta(days=1))
    assert _told(dry_run(), "Held back") == [
        "The user's bees are fine.",
        'quoted: "My bees are fine" (typed)',
        "reason: It adds nothing to what is remembered.",
    ]


@pytest.mark.django_db
def test_what_would_fade_be_asked_about_and_lose_confidence_is_told(
    model: ScriptedModel, says: Say, dream: Dream, dry_run: DryRun, now: datetime, settings: Any
) -> None:
    settings.NIGHT_FADE_DAYS, settings.NIGHT_FADE_PASSING_DAYS = {"semantic": 100}, 0
    model.finds = [
        Finds(f"I have a {pet}", f"The user has a {pet}.", category="goal" if pet == "mule" else "other")
        for pet in ("mule", "crow", "toad")
    ]
    says("I have a mule. I have a crow. I have a toad.", at=now - timedelta(days=1))
    dream(at=now - timedelta(hours=9))
    for pet, days in [("mule", 210), ("crow", 210), ("toad", 110)]:
        at = now - timedelta(days=days)
        Memory.objects.filter(statement__contains=pet).update(said_at=at, created_at=at, confirmed_at=None)
    Memory.objects.exclude(statement__contains="toad").update(confidence=Confidence.LOW)
    printed = dry_run()
    assert _told(printed, "Asks the person: is it still so?")[0].endswith("The user has a mule.")
    assert _told(printed, "Fades")[0].endswith("The user has a crow.")
    sure = _told(printed, "Less sure of")
    assert sure[0].endswith("The user has a toad.")
    assert sure[1].startswith("confidence: high to medium")
    assert not Memory.objects.filter(status=Status.FADED).exists()


@pytest.mark.django_db
def test_a_night_that_would_be_held_says_so_and_tells_what_passing_it_would_do(
    model: ScriptedModel, says: Say, dream: Dream, dry_run: DryRun, now: datetime, settings: Any
) -> None:
    settings.NIGHT_RETIRED_ALWAYS = settings.NIGHT_MAX_RETIRED_SHARE = 0
    model.finds = [Finds("I keep bees", "The user keeps bees."), Finds("I sold my bees", "The user sold the bees.")]
    model.judges = [("sold", "replaces", "keeps bees")]
    says("I keep bees.", at=now - timedelta(days=9))
    dream(at=now - timedelta(days=8))
    says("I sold my bees.", at=now - timedelta(days=1))
    printed = dry_run()
    assert "It would first be held for a look: it would retire 1, more than one night may." in printed
    assert "retires m1 The user keeps bees." in _told(printed, "Replaces an older one")


@pytest.mark.django_db
def test_nothing_that_a_terminal_would_obey_is_printed(model: ScriptedModel, says: Say, dry_run: DryRun) -> None:
    model.finds = [Finds("I keep \x1b[2Jbees", "The user keeps \x1b[2Jbees.")]
    says("I keep \x1b[2Jbees.")
    assert "\x1b" not in dry_run()


@pytest.mark.django_db
def test_a_credential_is_held_back_and_not_printed(model: ScriptedModel, says: Say, dry_run: DryRun) -> None:
    model.finds = [Finds("Heron-4417-x", "The user's password is Heron-4417-x.")]
    says("By the way, my password is Heron-4417-x.")
    printed = dry_run()
    assert _told(printed, "Held back")[0] == "(a credential, not shown)"
    assert "Heron" not in printed


@pytest.mark.django_db
def test_with_nothing_said_it_has_nothing_to_do_and_asks_nothing(model: ScriptedModel, dry_run: DryRun) -> None:
    assert dry_run().splitlines()[-1].startswith("Total: nothing to do; 0 calls, 0 tokens in, 0 out, no cost.")
    assert not model.asked


@pytest.mark.django_db
def test_where_the_model_fails_nothing_is_changed_and_the_failure_is_named(says: Say, alice: Person) -> None:
    says("I keep bees.")
    before = _everything()
    with (
        using(FakeWire(otherwise=lambda request: "not what was asked for")),
        pytest.raises(CommandError, match=r"malformed\. Nothing was changed\."),
    ):
        call_command("dream", "--user", "alice", "--dry-run", stdout=StringIO())
    assert _everything() == before
    assert Message.objects.unread_by_night().shown().count() == 2


@pytest.mark.django_db
def test_a_rehearsal_that_broke_off_is_never_carried_out(alice: Person) -> None:
    now = timezone.now()
    left = Night.objects.create(
        person=alice, local_date=now.date(), asked_for=AskedFor.REHEARSAL, started_at=now, leased_until=now,
        reads_until=now,
    )  # fmt: skip
    later = now + timedelta(hours=1)
    assert not Night.objects.abandoned(later).exists()
    assert night.run(left.pk, now=later).counts == {}
    assert night.begin(alice, now=later, asked_for=AskedFor.PERSON) is not None
    assert not Night.objects.filter(pk=left.pk).exists()
