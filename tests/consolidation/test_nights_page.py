from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from django.test import Client
from django.urls import reverse

from consolidation import tasks
from consolidation.models import AskedFor, Night, NightState
from memories.edit import edit
from memories.models import Memory, Person, Tombstone
from tests.consolidation.conftest import Dream, Say
from tests.fakes.scripted import Finds, ScriptedModel

pytestmark = pytest.mark.django_db


@pytest.fixture
def enqueued(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The nights handed to the workers."""
    ids: list[int] = []
    monkeypatch.setattr(tasks.run_night, "delay", lambda *, night_id: ids.append(night_id))
    return ids


def test_the_page_says_in_plain_words_what_a_night_did_and_with_which_words(
    client: Client, model: ScriptedModel, says: Say, dream: Dream, alice: Person
) -> None:
    model.finds = [
        Finds("I play the oboe", "The user plays the oboe.", category="taste"),
        Finds("I see a cardiologist", "The user sees a cardiologist.", category="health"),
        Finds("a standing desk", "The user wants a standing desk."),
    ]
    said = says("I play the oboe. I see a cardiologist.", answer="Maybe try a standing desk?")
    dream()
    page = client.get(reverse("nights:list")).content.decode()
    memory = Memory.objects.of(alice).active().get()
    assert "Added" in page
    assert "The user plays the oboe." in page
    assert reverse("memories:detail", args=[memory.number]) in page
    assert f"#message-{said.pk}" in page
    assert "I play the oboe" in page
    assert "It is sensitive, and you did not ask outright to keep it." in page
    assert "The words are the assistant&#x27;s, not yours." in page


def test_an_empty_page_teaches(client: Client) -> None:
    page = client.get(reverse("nights:list")).content.decode()
    assert "No night yet" in page
    assert "Dream now" in page


def test_dream_now_begins_a_night_and_the_page_follows_it(
    client: Client, alice: Person, enqueued: list[int], django_capture_on_commit_callbacks: object
) -> None:
    with django_capture_on_commit_callbacks(execute=True):  # type: ignore[operator]
        answer = client.post(reverse("nights:begin"), follow=True)
    begun = Night.objects.of(alice).get()
    assert enqueued == [begun.pk]
    assert begun.asked_for == AskedFor.PERSON
    page = answer.content.decode()
    assert 'hx-trigger="every 2s"' in page
    part = client.get(reverse("nights:list"), headers={"HX-Request": "true"}).content.decode()
    assert part.lstrip().startswith('<div id="nights"')
    client.post(reverse("nights:begin"))
    assert Night.objects.of(alice).count() == 1


def test_a_failed_night_is_shown_as_one_and_a_quiet_one_says_that_nothing_was_done(
    client: Client, alice: Person, now: datetime
) -> None:
    for day, state, error in [(1, NightState.FAILED, "overloaded"), (2, NightState.DONE, "")]:
        at = now + timedelta(days=day)
        Night.objects.create(
            person=alice, local_date=at.date(), state=state, error=error, started_at=at, leased_until=at, reads_until=at
        )
    page = client.get(reverse("nights:list")).content.decode()
    assert "Failed; tried again later" in page
    assert "Nothing new: nothing was read and nothing was changed." in page


def test_words_under_a_tombstone_are_not_shown_again(
    client: Client, model: ScriptedModel, says: Say, dream: Dream, alice: Person, now: datetime
) -> None:
    from memories.forget import carry_out, plan
    from memories.models import Via

    model.finds = [Finds("I play the oboe", "The user plays the oboe.", category="taste")]
    says("I play the oboe.")
    dream()
    carry_out(plan(alice, memories=list(Memory.objects.of(alice)), now=now), now=now, via=Via.LIST)
    assert Tombstone.objects.exists()
    page = client.get(reverse("nights:list")).content.decode()
    assert "oboe" not in page
    assert "deleted since" in page


def test_a_night_is_undone_from_the_page(
    client: Client, model: ScriptedModel, says: Say, dream: Dream, alice: Person
) -> None:
    model.finds = [Finds("I play the oboe", "The user plays the oboe.", category="taste")]
    says("I play the oboe.")
    over = dream()
    page = client.post(reverse("nights:undo", args=[over.pk]), follow=True).content.decode()
    assert "That night is undone" in page
    assert Memory.objects.of(alice).get().waiting_reason == "undone"


@pytest.mark.parametrize("name", ["approve", "dismiss", "undo"])
def test_a_strangers_night_does_not_exist(name: str, bobs_client: Client, dream: Dream, model: ScriptedModel) -> None:
    over = dream()
    assert bobs_client.post(reverse(f"nights:{name}", args=[over.pk])).status_code == 404


def test_the_page_asks_the_same_few_queries_however_much_a_night_did(
    client: Client, model: ScriptedModel, says: Say, dream: Dream, django_assert_max_num_queries: object
) -> None:
    words = [f"I know {place}" for place in ("Cork", "Galway", "Sligo", "Ennis", "Tralee", "Bray", "Navan", "Trim")]
    model.finds = [Finds(w, w.replace("I know", "The user knows") + ".", category="place") for w in words]
    says(". ".join(words))
    dream()
    with django_assert_max_num_queries(16):  # type: ignore[operator]
        client.get(reverse("nights:list"))


def test_a_night_is_told_as_it_was_and_what_the_person_changed_since_beside_it(
    client: Client, model: ScriptedModel, says: Say, dream: Dream, alice: Person, now: datetime
) -> None:
    model.finds = [Finds("I play the oboe", "The user plays the oboe.", category="taste")]
    says("I play the oboe.")
    dream()
    for version, statement in enumerate(["The user plays the horn.", "The user plays the harp."], start=1):
        edit(alice, 1, statement, version=version, now=now + timedelta(hours=version))
    page = client.get(reverse("nights:list")).content.decode()
    told = page[page.index("The user plays the oboe.") :]
    assert "You have changed it since." in told
    assert "The user plays the harp." in told
    assert "horn" not in page
