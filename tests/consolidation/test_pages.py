from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from claude.client import using
from consolidation.wording import keeps_to
from memories import asking
from memories.edit import edit
from memories.models import About, AskedBy, Category, Kind, Line, Memory, Person
from memories.remember import Proposal, remember
from tests.consolidation.conftest import Dream, Say
from tests.fakes import wire
from tests.fakes.batches import shape
from tests.fakes.scripted import Finds, ScriptedModel


@pytest.mark.parametrize(
    ("text", "statement", "holds"),
    [
        ("Takes the train to work.", "The user takes the train to work.", True),
        ("Takes the bus to work.", "The user takes the train to work.", False),
        ("Works 3 days a week.", "The user works 4 days a week.", False),
        ("Eats coriander.", "The user does not eat coriander.", False),
        ("Takes the train to work with Quillon.", "The user takes the train to work.", False),
        ("吃香菜。", "使用者不吃香菜。", False),
        ("不吃香菜。", "使用者不吃香菜。", True),
    ],
)
def test_a_line_says_only_what_its_memories_say(text: str, statement: str, holds: bool) -> None:
    assert keeps_to(text, [Memory(statement=statement)]) is holds


@pytest.mark.django_db
def test_only_sections_whose_memories_changed_are_written_again(
    model: ScriptedModel, says: Say, dream: Dream, alice: Person, now: datetime
) -> None:
    model.finds = [
        Finds("I play the oboe", "The user plays the oboe.", category="taste"),
        Finds("I live in Cork", "The user lives in Cork.", category="place"),
    ]
    says("I play the oboe. I live in Cork.")
    dream()
    assert model.asked["lines"] == 2
    kept = Line.objects.get(section="place").pk
    memory = Memory.objects.of(alice).get(category="taste")
    edit(alice, memory.number, "The user plays the flute.", version=1, now=now)
    dream(at=now + timedelta(days=1))
    assert model.asked["lines"] == 3
    assert Line.objects.get(section="place").pk == kept
    assert Line.objects.get(section="taste").text == "The user plays the flute."


@pytest.mark.django_db
def test_a_line_that_invents_is_put_back_to_the_statement(
    model: ScriptedModel, says: Say, dream: Dream, alice: Person
) -> None:
    model.finds = [Finds("I play the oboe", "The user plays the oboe.", category="taste")]
    says("I play the oboe.")

    def invents(request: wire.Request) -> wire.Answer:
        (shape,) = request["output_config"]["format"]["schema"]["properties"]
        if shape != "lines":
            return model.answer(request)
        return wire.filled({"lines": [{"section": "taste", "text": "Plays in Zibberel.", "memories": ["m1", "m99"]}]})

    with using(wire.FakeWire(otherwise=invents)):
        dream()
    assert Line.objects.get().text == "The user plays the oboe."


@pytest.mark.django_db
def test_a_long_section_costs_by_what_is_new(
    model: ScriptedModel, says: Say, dream: Dream, alice: Person, now: datetime, settings: object
) -> None:
    settings.NIGHT_PAGE_WHOLE = 3  # type: ignore[attr-defined]
    places = ["Cork", "Galway", "Sligo", "Ennis", "Tralee"]
    model.finds = [Finds(f"I know {p}", f"The user knows {p}.", category="place") for p in [*places, "Bray"]]
    says(". ".join(f"I know {p}" for p in places))
    dream()
    before = set(Line.objects.values_list("pk", flat=True))
    says("I know Bray.", at=now + timedelta(hours=1))
    dream(at=now + timedelta(days=1))
    assert before < set(Line.objects.values_list("pk", flat=True))
    assert Line.objects.count() == 6


@pytest.mark.django_db
def test_an_edit_takes_the_old_words_off_the_pages_at_once_and_the_next_night_words_it_well(
    model: ScriptedModel, says: Say, dream: Dream, alice: Person, now: datetime
) -> None:
    model.finds = [
        Finds("I play the oboe", "The user plays the oboe.", category="taste"),
        Finds("I like plums", "The user likes plums.", category="taste"),
    ]
    says("I play the oboe. I like plums.")

    def joins(request: wire.Request) -> wire.Answer:
        if shape(request) != "lines":
            return model.answer(request)
        text = "Plays the oboe and likes plums."
        return wire.filled({"lines": [{"section": "taste", "text": text, "memories": ["m1", "m2"]}]})

    with using(wire.FakeWire(otherwise=joins)):
        dream()
    assert Line.objects.get().text == "Plays the oboe and likes plums."
    edit(alice, 1, "The user plays the horn.", version=1, now=now)
    assert sorted(Line.objects.values_list("text", flat=True)) == ["The user likes plums.", "The user plays the horn."]
    asking.answer(asking.ask(Memory.objects.get(number=2), About.FADING, now=now), "no", now=now)  # type: ignore[arg-type]
    assert Line.objects.get().text == "The user plays the horn."
    asked = model.asked.get("lines", 0)
    dream(at=now + timedelta(days=1))
    assert model.asked["lines"] == asked + 1


@pytest.mark.django_db
def test_what_a_reply_replaces_is_off_the_pages_at_once(
    model: ScriptedModel, says: Say, dream: Dream, alice: Person, now: datetime
) -> None:
    model.finds = [Finds("I live in Cork", "The user lives in Cork.", category="place")]
    says("I live in Cork.")
    dream()
    said = says("I live in Galway now.", at=now)
    quoted = Proposal(
        "The user lives in Galway.", "I live in Galway now", said.passages.get().pk, Kind.SEMANTIC, Category.PLACE,
        replaces=1,
    )  # fmt: skip
    remember(alice, quoted, now=now, asked_by=AskedBy.CHAT)
    assert Line.objects.get().text == "The user lives in Galway."
