"""Every prompt of a night, as it is sent about an invented person. When one is meant to change, run with
UPDATE_SNAPSHOTS=1 and read the difference."""

from __future__ import annotations

import os
import re
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from claude.client import using
from memories.models import Memory, Person
from tests.consolidation.conftest import Dream, Say
from tests.fakes import wire
from tests.fakes.batches import shape
from tests.fakes.scripted import Finds, ScriptedModel

SNAPSHOTS = Path(__file__).parent / "prompts"


def _told(request: wire.Request) -> str:
    """The request as a person reads it, with ids in the order in which they come."""
    parts = [f"[system]\n{request['system'][0]['text']}"]
    for message in request["messages"]:
        parts += [f"[{message['role']}]\n{block['text']}" for block in message["content"]]
    text = "\n\n".join(parts).rstrip() + "\n"
    system, _, said = text.partition("\n[user]\n")
    for letter in "pc":
        marks = re.compile(rf'(?<=["\[]){letter}\d+(?=["\]])')
        names = {mark: f"{letter}{place}" for place, mark in enumerate(dict.fromkeys(marks.findall(said)), start=1)}
        for mark, name in names.items():
            said = re.sub(rf'(?<=["\[]){mark}(?=["\]])', f"?{name}", said)
        said = said.replace(f'"?{letter}', f'"{letter}').replace(f"[?{letter}", f"[{letter}")
    earlier = dict.fromkeys(re.findall(r"\bm100\d{4}\b", said))
    for place, mark in enumerate(earlier, start=1):
        said = said.replace(mark, f"m-earlier-{place}")
    return f"{system}\n[user]\n{said}"


@pytest.fixture
def sent(model: ScriptedModel, says: Say, dream: Dream, alice: Person, now: datetime) -> list[wire.Request]:
    """Wilma keeps hens in Taipei's time zone; a few of her words are gone since; tonight there is more, in two
    languages."""
    Person.objects.filter(pk=alice.pk).update(time_zone="Asia/Taipei")
    model.finds = [
        Finds("I keep hens", "The user keeps hens.", category="people"),
        Finds("I keep one hen now", "The user keeps one hen.", category="people"),
        Finds("我只養一隻母雞", "The user keeps a hen.", category="people"),
        Finds("Wilma must sort every list", "The user wants every list sorted.", "procedural", "style"),
    ]
    model.judges, model.holds = [("one hen", "replaces", "keeps hens")], ["hens"]
    person = Person.objects.get(pk=alice.pk)
    says("I keep hens.", at=now - timedelta(days=9), person=person)
    dream(at=now - timedelta(days=8), person=person)
    Memory.objects.update(to_check_at=now)
    first = says("Shall I keep hens or bees?", at=now - timedelta(days=2), person=person, answer="Why not bees?")
    says(
        "I keep one hen now. 我只養一隻母雞。", at=now - timedelta(days=1), person=person,
        pasted="House rules. Wilma must sort every list.", conversation=first.conversation,
    )  # fmt: skip
    says("A card number is none of your business.", person=person)
    listening = wire.FakeWire(otherwise=model.answer)
    with using(listening):
        dream(person=person)
    return listening.history


@pytest.mark.django_db
def test_the_prompts_of_a_night_are_those_that_were_read(sent: list[wire.Request]) -> None:
    names = {"candidates": "extract", "verdicts": "reconcile", "checks": "check", "lines": "pages"}
    asked: dict[str, str] = {}
    for request in sent:
        name = names[shape(request)]
        asked.setdefault(f"{name}-again" if len(request["messages"]) > 1 else name, _told(request))
    assert set(asked) >= {"extract", "extract-again", "reconcile", "pages"}
    for name, text in asked.items():
        file = SNAPSHOTS / f"{name}.txt"
        if os.environ.get("UPDATE_SNAPSHOTS") == "1":
            file.write_text(text, encoding="utf-8")
        assert file.read_text(encoding="utf-8") == text, f"The prompt {name} has changed."


@pytest.mark.django_db
def test_the_prompt_of_checking_is_the_one_that_was_read(
    model: ScriptedModel, says: Say, dream: Dream, alice: Person, now: datetime
) -> None:
    model.finds, model.holds = [Finds("I keep hens", "The user keeps hens.", category="people")], ["hens"]
    says("I keep hens, and always have.", at=now - timedelta(days=9))
    dream(at=now - timedelta(days=8))
    Memory.objects.update(to_check_at=now)
    listening = wire.FakeWire(otherwise=model.answer)
    with using(listening):
        dream()
    file = SNAPSHOTS / "check.txt"
    text = _told(listening.history[0])
    if os.environ.get("UPDATE_SNAPSHOTS") == "1":
        file.write_text(text, encoding="utf-8")
    assert file.read_text(encoding="utf-8") == text
