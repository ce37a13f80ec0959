from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from django.test import Client
from django.urls import reverse

from consolidation.models import Did
from consolidation.undo import undo
from memories import asking
from memories.models import About, Conversation, Memory, Message, Person, Question, Status
from tests.consolidation.conftest import Dream, Say
from tests.fakes.scripted import Finds, ScriptedModel

pytestmark = pytest.mark.django_db
BEES, HENS = Finds("I keep bees", "The user keeps bees."), Finds("I keep hens", "The user keeps hens.")


@pytest.fixture
def bees(model: ScriptedModel, says: Say, dream: Dream, alice: Person, now: datetime) -> Memory:
    model.finds = [BEES]
    says("I keep bees.", at=now - timedelta(days=2))
    dream(at=now - timedelta(days=1))
    return Memory.objects.of(alice).get()


def _some_words_are_gone(memory: Memory, now: datetime) -> None:
    """As forgetting leaves it."""
    Memory.objects.filter(pk=memory.pk).update(to_check_at=now)


def _written_by_a_reply(memory: Memory, now: datetime) -> None:
    Memory.objects.filter(pk=memory.pk).update(
        reply=Message.objects.filter(role="assistant").first(), created_at=now - timedelta(hours=1)
    )


def test_what_the_words_that_are_left_still_say_is_checked_once_and_stays(
    bees: Memory, model: ScriptedModel, dream: Dream, now: datetime
) -> None:
    _some_words_are_gone(bees, now)
    model.holds = ["bees"]
    over = dream()
    bees.refresh_from_db()
    assert (bees.status, bees.to_check_at) == (Status.ACTIVE, None)
    assert over.decisions.get().did == Did.CHECKED
    assert dream(at=now + timedelta(days=1)).is_quiet
    assert model.asked["checks"] == 1


def test_what_they_no_longer_say_is_asked_of_the_person_once_and_costs_no_further_call(
    bees: Memory, model: ScriptedModel, dream: Dream, client: Client, now: datetime
) -> None:
    _some_words_are_gone(bees, now)
    dream()
    for day in range(1, 4):
        assert dream(at=now + timedelta(days=day)).is_quiet
    assert model.asked["checks"] == 1
    question = Question.objects.get()
    assert question.about == About.EVIDENCE
    page = client.get(reverse("memories:waiting")).content.decode()
    assert "The user keeps bees." in page
    assert "Is it still so?" in page
    client.post(reverse("memories:answer", args=[question.pk]), {"answer": "yes"})
    bees.refresh_from_db()
    assert (bees.status, bees.to_check_at) == (Status.ACTIVE, None)
    assert "Is it still so?" not in client.get(reverse("memories:waiting")).content.decode()


def test_no_longer_lets_it_go_and_a_stranger_cannot_answer(
    bees: Memory, client: Client, bobs_client: Client, now: datetime
) -> None:
    question = asking.ask(bees, About.FADING, now=now)
    assert question is not None
    url = reverse("memories:answer", args=[question.pk])
    assert bobs_client.post(url, {"answer": "no"}).status_code == 404
    assert client.post(url, {"answer": "perhaps"}).status_code == 422
    client.post(url, {"answer": "no"})
    bees.refresh_from_db()
    assert bees.status == Status.FADED
    assert "It was decided already." in client.post(url, {"answer": "yes"}, follow=True).content.decode()


def test_a_few_questions_are_asked_at_a_time(
    model: ScriptedModel, says: Say, dream: Dream, client: Client, alice: Person, now: datetime
) -> None:
    places = ["Cork", "Galway", "Sligo", "Ennis", "Tralee"]
    model.finds = [Finds(f"I know {p}", f"The user knows {p}.") for p in places]
    says(". ".join(f"I know {p}" for p in places))
    dream()
    for memory in Memory.objects.of(alice):
        asking.ask(memory, About.FADING, now=now)
    assert client.get(reverse("memories:waiting")).content.decode().count('id="question-') == 3


def test_what_a_reply_wrote_down_beside_its_contrary_is_settled_and_the_night_can_be_undone(
    bees: Memory, model: ScriptedModel, says: Say, dream: Dream, alice: Person, now: datetime
) -> None:
    model.finds = [Finds("I sold my bees", "The user sold the bees they kept.")]
    says("I sold my bees.", at=now - timedelta(hours=2))
    dream(at=now - timedelta(hours=1))
    sold = Memory.objects.of(alice).get(statement__contains="sold")
    _written_by_a_reply(sold, now + timedelta(hours=1))
    model.judges = [("sold", "replaces", "keeps bees")]
    over = dream(at=now + timedelta(hours=2))
    bees.refresh_from_db()
    assert (bees.status, bees.superseded_by) == (Status.SUPERSEDED, sold)
    assert over.decisions.get().did == Did.SETTLED
    asked = model.asked["verdicts"]
    assert dream(at=now + timedelta(days=1)).is_quiet
    assert model.asked["verdicts"] == asked
    assert undo(over, now=now + timedelta(days=1))
    bees.refresh_from_db()
    sold.refresh_from_db()
    assert (bees.status, sold.status) == (Status.ACTIVE, Status.ACTIVE)


@pytest.mark.parametrize(("answer", "holding"), [("yes", {"sold"}), ("no", {"keeps"}), ("both", {"sold", "keeps"})])
def test_two_that_may_contradict_are_put_before_the_person(
    answer: str, holding: set[str], bees: Memory, model: ScriptedModel, says: Say, dream: Dream, client: Client,
    alice: Person, now: datetime,
) -> None:  # fmt: skip
    model.finds = [Finds("I sold my bees", "The user sold the bees they kept.")]
    says("I sold my bees.", at=now - timedelta(hours=2))
    dream(at=now - timedelta(hours=1))
    _written_by_a_reply(Memory.objects.of(alice).get(statement__contains="sold"), now + timedelta(hours=1))
    model.judges = [("sold", "unclear", "keeps bees")]
    dream(at=now + timedelta(hours=2))
    question = Question.objects.open().get()
    page = client.get(reverse("memories:waiting")).content.decode()
    assert "sold the bees" in page
    assert "keeps bees" in page
    client.post(reverse("memories:answer", args=[question.pk]), {"answer": answer})
    kept = " ".join(Memory.objects.of(alice).active().values_list("statement", flat=True))
    assert {word for word in ("sold", "keeps") if word in kept} == holding


def test_a_contradiction_that_the_model_cannot_tell_waits_for_the_person(
    bees: Memory, model: ScriptedModel, says: Say, dream: Dream, client: Client, alice: Person
) -> None:
    model.finds, model.judges = [Finds("no more bees", "The user has no bees.")], [("no bees", "unclear", "keeps")]
    says("So, no more bees.")
    dream()
    waiting = Memory.objects.of(alice).waiting().get()
    assert waiting.waiting_reason == "contradicts"
    assert "keeps bees" in client.get(reverse("memories:waiting")).content.decode()


def test_a_fading_memory_that_matters_is_asked_about_before_it_goes(
    model: ScriptedModel, says: Say, dream: Dream, alice: Person, now: datetime
) -> None:
    model.finds = [Finds("I am a nurse", "The user is a nurse.", category="profile"), BEES]
    says("I am a nurse. I keep bees.")
    dream()
    nurse, bees = (Memory.objects.of(alice).get(statement__contains=word) for word in ("nurse", "bees"))
    dream(at=now + timedelta(days=740))
    nurse.refresh_from_db()
    bees.refresh_from_db()
    assert (nurse.status, bees.status) == (Status.ACTIVE, Status.FADED)
    assert Question.objects.get().memory == nurse
    dream(at=now + timedelta(days=790))
    nurse.refresh_from_db()
    assert nurse.status == Status.ACTIVE
    dream(at=now + timedelta(days=810))
    nurse.refresh_from_db()
    assert nurse.status == Status.FADED
    assert not Question.objects.open().exists()


def test_what_is_only_inferred_waits_with_a_question_and_a_few_at_a_time(
    model: ScriptedModel, says: Say, dream: Dream, client: Client, alice: Person
) -> None:
    words = ["plums", "pears", "figs", "dates"]
    model.finds = [Finds(f"more {w}", f"The user prefers {w}.", category="taste", confidence="low") for w in words]
    says(". ".join(f"Tell me more {w}" for w in words))
    over = dream()
    assert set(Memory.objects.of(alice).values_list("waiting_reason", flat=True)) == {"inferred"}
    assert Memory.objects.of(alice).count() == 3
    assert over.decisions.get(did=Did.HELD_BACK).reason == "enough_asked"
    assert "shall it be remembered?" in client.get(reverse("memories:waiting")).content.decode()


def test_a_statement_in_another_language_is_kept_by_the_person_in_theirs(
    model: ScriptedModel, says: Say, dream: Dream, client: Client, alice: Person
) -> None:
    model.finds = [Finds("我最近在準備答辯", "The user is preparing a thesis defence.", category="learning")]
    says("我最近在準備答辯。")
    dream()
    waiting = Memory.objects.of(alice).get()
    client.post(reverse("memories:accept", args=[waiting.number]), {"statement": "使用者最近在準備答辯。"})
    waiting.refresh_from_db()
    assert (waiting.status, waiting.statement) == (Status.ACTIVE, "使用者最近在準備答辯。")
    assert Conversation.objects.exists()
