from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from django.test import Client
from django.urls import reverse

from consolidation.topics import names_in
from consolidation.undo import undo
from memories import forget
from memories.edit import edit
from memories.models import Line, Memory, Page, Person, Via
from tests.consolidation.conftest import Dream, Say
from tests.fakes.scripted import Finds, ScriptedModel

pytestmark = pytest.mark.django_db
OF_ORLA = ["The user minds Orla.", "The user taught Orla to swim.", "The user reads with Orla.",
           "The user cooks with Orla.", "The user sings with Orla."]  # fmt: skip
OTHERS = [f"The user has visited town {n}." for n in ("one", "two", "three", "four", "five")]


def _tell(model: ScriptedModel, says: Say, statements: list[str], at: datetime) -> None:
    model.finds += [Finds(statement, statement, category="people") for statement in statements]
    says(" ".join(statements), at=at)


@pytest.fixture
def orla(model: ScriptedModel, says: Say, dream: Dream, alice: Person, now: datetime) -> Page:
    _tell(model, says, [*OF_ORLA, *OTHERS], now - timedelta(hours=3))
    dream()
    return Page.objects.of(alice).get(title="Orla")


def test_where_enough_gathers_a_page_comes_with_each_line_on_its_memories(
    orla: Page, client: Client, alice: Person
) -> None:
    assert sorted(orla.lines.values_list("text", flat=True)) == sorted(OF_ORLA)
    assert all(line.memories.count() == 1 for line in orla.lines.all())
    assert Page.objects.of(alice).count() == 2
    page = client.get(reverse("memories:page", args=[orla.slug])).content.decode()
    assert "The user taught Orla to swim." in page


def test_it_is_written_again_only_when_its_memories_change(
    orla: Page, model: ScriptedModel, says: Say, dream: Dream, alice: Person, now: datetime
) -> None:
    lines = model.asked["lines"]
    for day in range(1, 4):
        assert dream(at=now + timedelta(days=day)).is_quiet
    assert model.asked["lines"] == lines
    memory = Memory.objects.of(alice).get(statement__contains="swim")
    edit(alice, memory.number, "The user taught Orla to dive.", version=1, now=now)
    dream(at=now + timedelta(days=5))
    assert Line.objects.filter(page=orla, text="The user taught Orla to dive.").exists()
    # Its section of the preference page and this page, and nothing else.
    assert model.asked["lines"] == lines + 2


def test_fewer_than_enough_have_no_page_and_what_is_forgotten_takes_the_page_along(
    orla: Page, dream: Dream, alice: Person, now: datetime
) -> None:
    memory = Memory.objects.of(alice).get(statement__contains="swim")
    forget.carry_out(forget.plan(alice, memories=[memory], now=now), via=Via.LIST, now=now)
    assert not Page.objects.filter(title="Orla").exists()
    dream(at=now + timedelta(days=1))
    assert not Page.objects.filter(title="Orla").exists()


def test_undoing_a_night_puts_the_pages_right_at_once(
    orla: Page, model: ScriptedModel, says: Say, dream: Dream, alice: Person, now: datetime
) -> None:
    model.finds, model.judges = [], [("Orla to ski", "replaces", "to swim")]
    _tell(model, says, ["The user taught Orla to ski."], now + timedelta(hours=1))
    over = dream(at=now + timedelta(days=1))
    assert "to ski" in " ".join(Line.objects.values_list("text", flat=True))
    asked = dict(model.asked)
    assert undo(over, now=now + timedelta(days=2))
    for page in Page.objects.of(alice):
        told = " ".join(page.lines.values_list("text", flat=True))
        assert "to swim" in told
        assert "to ski" not in told
    assert model.asked == asked


@pytest.mark.parametrize(
    ("statement", "names"),
    [
        ("The user minds their niece Orla on Fridays.", {"Orla"}),
        ("Every Monday the user plays with Ann's band.", {"Ann"}),
        ("使用者在做「候車亭色彩規範」。", {"候車亭色彩規範", "候車", "車亭", "亭色", "色彩", "彩規", "規範"}),
        ("使用者喜歡自己做。", set()),
    ],
)
def test_names_are_told_from_words(statement: str, names: set[str]) -> None:
    assert names_in(statement) == names
