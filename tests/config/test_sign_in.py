from __future__ import annotations

import re
from io import StringIO
from typing import TYPE_CHECKING

import pytest
from django.core.cache import cache
from django.core.management import CommandError, call_command
from django.urls import reverse

from config import sign_in
from memories.models import Person

if TYPE_CHECKING:
    from django.test import Client
    from pytest_django import Settings

ADDRESS = "http://testserver/"


def test_a_link_signs_its_person_in(anonymous: Client, alice: Person) -> None:
    response = anonymous.get(sign_in.make_link(alice.pk, address=ADDRESS))
    assert response.status_code == 302
    assert response["Location"] == "/"
    assert "no-store" in response["Cache-Control"]
    assert anonymous.session["_auth_user_id"] == str(alice.pk)


def test_a_link_works_once(anonymous: Client, alice: Person) -> None:
    link = sign_in.make_link(alice.pk, address=ADDRESS)
    anonymous.get(link)
    anonymous.logout()
    response = anonymous.get(link)
    assert response["Location"] == reverse("account_login")
    assert "_auth_user_id" not in anonymous.session


def test_an_unknown_or_old_link_signs_nobody_in(anonymous: Client, alice: Person) -> None:
    link = sign_in.make_link(alice.pk, address=ADDRESS)
    cache.clear()
    assert anonymous.get(link)["Location"] == reverse("account_login")


def test_a_link_expires(alice: Person) -> None:
    link = sign_in.make_link(alice.pk, address=ADDRESS)
    token = re.search(r"sign-in/(.+)/", link)
    assert token
    client = cache._cache.get_client()  # type: ignore[attr-defined]
    left = client.ttl(cache.make_key(sign_in._key(token[1])))
    assert 0 < left <= sign_in.EXPIRES_S


def test_the_token_itself_is_not_kept(alice: Person) -> None:
    link = sign_in.make_link(alice.pk, address=ADDRESS)
    client = cache._cache.get_client()  # type: ignore[attr-defined]
    assert not [key for key in client.scan_iter() if link.split("/")[-2].encode() in key]


def test_a_link_of_somebody_put_out_signs_nobody_in(anonymous: Client, alice: Person) -> None:
    link = sign_in.make_link(alice.pk, address=ADDRESS)
    Person.objects.filter(pk=alice.pk).update(is_active=False)
    anonymous.get(link)
    assert "_auth_user_id" not in anonymous.session


def test_there_are_no_links_in_production(anonymous: Client, alice: Person, settings: Settings) -> None:
    link = sign_in.make_link(alice.pk, address=ADDRESS)
    settings.PRODUCTION = True
    assert anonymous.get(link).status_code == 404
    with pytest.raises(CommandError, match="production"):
        call_command("sign_in_link")


@pytest.mark.django_db
def test_the_owner_is_made_once_and_is_staff() -> None:
    first = sign_in.owner_id()
    assert sign_in.owner_id() == first
    owner = Person.objects.get()
    assert (owner.username, owner.is_staff, owner.is_superuser) == ("owner", True, True)
    assert not owner.has_usable_password()


def test_an_existing_superuser_is_the_owner(charlie: Person) -> None:
    assert sign_in.owner_id() == charlie.pk
    assert not Person.objects.filter(username="owner").exists()


def test_the_command_prints_a_link_for_anybody(anonymous: Client, alice: Person) -> None:
    printed = StringIO()
    call_command("sign_in_link", "--user", "alice", "--address", ADDRESS, stdout=printed)
    anonymous.get(printed.getvalue().strip())
    assert anonymous.session["_auth_user_id"] == str(alice.pk)
    with pytest.raises(CommandError, match="nobody called"):
        call_command("sign_in_link", "--user", "nobody-here")
