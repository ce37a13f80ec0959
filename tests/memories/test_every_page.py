"""What all pages have in common: the frame, the policy of what may run, the way to sign in."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.urls import reverse

from memories.models import Person

OWN = ["memories:list", "memories:waiting", "memories:pages", "memories:privacy", "account_email"]
OPEN = ["account_login", "account_signup", "account_reset_password"]


@pytest.mark.parametrize("name", OWN)
def test_pages_have_their_landmarks(client: Client, name: str) -> None:
    page = client.get(reverse(name)).content.decode()

    assert 'href="#main"' in page
    assert page.count("<main") == 1
    assert page.count("<h1") == 1
    assert 'aria-live="polite"' in page
    assert 'aria-label="Main"' in page


@pytest.mark.parametrize("name", OWN)
def test_pages_need_a_sign_in(anonymous: Client, name: str) -> None:
    response = anonymous.get(reverse(name))

    assert response.status_code == 302
    assert response["Location"].startswith("/accounts/login/")


@pytest.mark.parametrize("name", OPEN)
def test_signing_in_needs_none(anonymous: Client, name: str) -> None:
    page = anonymous.get(reverse(name)).content.decode()

    assert "繁體中文" in page
    assert 'class="field"' in page


@pytest.mark.parametrize("name", [*OWN, *OPEN])
def test_nothing_is_inline(client: Client, anonymous: Client, name: str) -> None:
    response = (anonymous if name in OPEN else client).get(reverse(name))
    page = response.content.decode()

    assert "unsafe" not in response["Content-Security-Policy"]
    assert not re.search(r"\s(style|on\w+|hx-on[:\w-]*)=", page)
    assert all("src=" in tag and "nonce=" in tag for tag in re.findall(r"<script[^>]*>", page))
    assert "<style" not in page


def test_the_stand_in_is_announced(client: Client, settings: object) -> None:
    assert "offline stand-in" in client.get(reverse("memories:list")).content.decode()


def test_staff_find_the_admin(staff_client: Client, client: Client) -> None:
    assert 'href="/admin/"' in staff_client.get(reverse("memories:list")).content.decode()
    assert 'href="/admin/"' not in client.get(reverse("memories:list")).content.decode()


def test_the_place_is_marked(client: Client) -> None:
    page = " ".join(client.get(reverse("memories:privacy")).content.decode().split())

    assert page.count('aria-current="page"') == 1
    assert re.search(r'href="/memories/privacy/"\s*aria-current="page"', page)


def test_what_does_not_exist_is_said_in_the_frame(client: Client) -> None:
    response = client.get("/memories/4242/")

    assert response.status_code == 404
    assert "There is nothing here" in response.content.decode()


def test_a_stale_form_sends_htmx_to_a_fresh_page(alice: Person) -> None:
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(alice)
    response = strict.post(
        reverse("memories:privacy"),
        headers={"HX-Request": "true", "HX-Current-URL": "http://testserver/memories/privacy/"},
    )

    assert response["HX-Redirect"] == "/memories/privacy/"
    assert strict.post(reverse("memories:privacy")).status_code == 403


@pytest.mark.django_db
def test_signing_up_in_and_out(anonymous: Client) -> None:
    anonymous.post(
        reverse("account_signup"),
        {"email": "dora@example.com", "password1": "a-long-quiet-river", "password2": "a-long-quiet-river"},
    )
    assert Person.objects.get(email="dora@example.com")
    assert anonymous.get(reverse("memories:list")).status_code == 200
    anonymous.post(reverse("account_logout"))
    assert anonymous.get(reverse("memories:list")).status_code == 302
    anonymous.post(reverse("account_login"), {"login": "dora@example.com", "password": "a-long-quiet-river"})
    assert anonymous.get(reverse("memories:list")).status_code == 200


def test_a_wrong_password_is_said_and_guessing_is_slowed(anonymous: Client, alice: Person) -> None:
    wrong = {"login": "alice", "password": "not-hers"}
    page = anonymous.post(reverse("account_login"), wrong).content.decode()
    assert 'role="alert"' in page
    answers = [anonymous.post(reverse("account_login"), wrong) for _ in range(8)]
    assert any("Too many" in answer.content.decode() or answer.status_code == 429 for answer in answers)


def test_the_language_can_be_chosen_before_signing_in(anonymous: Client) -> None:
    anonymous.post(reverse("set_language"), {"language": "zh-hant", "next": "/accounts/login/"})

    assert '<html lang="zh-Hant-TW">' in anonymous.get(reverse("account_login")).content.decode()
