from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.apps import apps
from django.contrib.sessions.models import Session
from django.db import models
from django.test import Client
from django.urls import reverse

from consolidation import night
from memories import forget
from memories.models import Memory, Person, Via
from tests.chat.saying import answer, ask, keeping, nothing_queued
from tests.fakes.wire import tool_use


def _lived(person: Person, *, now: datetime) -> None:
    """A person with something in every layer."""
    reply = ask(person, "I take the train to work now.", now=now)
    words = keeping("I take the train to work", "The user takes the train to work.")
    answer(reply, tool_use("remember", words), "Good [m1].", now=now)
    kept = ask(person, "My cat is called Tofu.", now=now)
    answer(kept, "Nice name.", now=now)
    with nothing_queued():
        begun = night.begin(person, now=now + timedelta(hours=8))
        assert begun is not None
        night.run(begun.pk, now=now + timedelta(hours=8))
    later = now + timedelta(hours=9)
    forget.propose(person, "forget the train", reply=reply, now=later)
    memory = Memory.objects.of(person).kept().order_by("pk")[0]
    forget.carry_out(forget.plan(person, memories=[memory], now=later), now=later, via=Via.LIST)


def rows_that_lead_to(person_id: int) -> dict[str, int]:
    """Every model with a path of foreign keys to the person, and how many of its rows lead there."""
    found: dict[str, int] = {}
    for model in apps.get_models():
        for path in _paths(model, set()):
            count = model._default_manager.filter(**{path: person_id}).count()
            if count:
                found[f"{model._meta.label} by {path}"] = count
    return found


def _paths(model: type[models.Model], seen: set[Any]) -> list[str]:
    if model is Person:
        return ["pk"]
    paths = []
    for field in model._meta.get_fields():
        related = getattr(field, "related_model", None)
        if not isinstance(field, models.ForeignKey) or related in seen or not isinstance(related, type):
            continue
        if related is Person:
            paths.append(field.name)
        else:
            paths += [f"{field.name}__{path}" for path in _paths(related, seen | {model}) if path != "pk"]
    return paths


def test_no_row_leads_to_a_person_whose_account_is_gone(alice: Person, bob: Person, now: datetime) -> None:
    _lived(alice, now=now)
    _lived(bob, now=now)
    number, before = alice.pk, rows_that_lead_to(bob.pk)
    assert len(rows_that_lead_to(number)) >= 15

    forget.delete_account(alice)

    assert rows_that_lead_to(number) == {}
    assert rows_that_lead_to(bob.pk) == before
    assert not Person.objects.filter(pk=number).exists()


def test_the_account_goes_by_typing_its_name_and_is_signed_out_everywhere(client: Client, alice: Person) -> None:
    elsewhere = Client()
    elsewhere.force_login(alice)
    name = alice.email or alice.username

    refused = client.post(reverse("memories:account-delete"), {"name": "someone"})
    assert refused.status_code == 422
    assert Person.objects.filter(pk=alice.pk).exists()

    client.post(reverse("memories:account-delete"), {"name": name})

    assert not Person.objects.filter(pk=alice.pk).exists()
    assert elsewhere.get(reverse("memories:list")).status_code == 302
    assert not any(s.get_decoded().get("_auth_user_id") == str(alice.pk) for s in Session.objects.all())


@pytest.mark.parametrize("words", ["What forgetting means here", "Delete all memories", "Delete the account"])
def test_the_privacy_page_says_what_can_be_deleted(client: Client, words: str) -> None:
    assert words in client.get(reverse("memories:privacy")).content.decode()
