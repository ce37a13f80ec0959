"""Nobody tries passwords, addresses or accounts as often as they like, by whichever door."""

from __future__ import annotations

import pytest
from django.test import Client
from pytest_django.fixtures import Settings

from memories.models import Person

pytestmark = pytest.mark.django_db


def test_a_password_is_not_guessed_for_long(charlie: Person) -> None:
    guesser = Client()
    for _ in range(6):
        answer = guesser.post("/accounts/login/", {"login": "charlie", "password": "guess"})
    assert "Too many failed" in answer.content.decode()
    right = guesser.post("/accounts/login/", {"login": "charlie", "password": "charlie-password"})
    assert "_auth_user_id" not in guesser.session
    assert right.status_code == 200


def test_the_admin_has_no_door_of_its_own(charlie: Person, client: Client) -> None:
    guesser = Client()
    answer = guesser.post("/admin/login/?next=/admin/", {"username": "charlie", "password": "charlie-password"})
    assert answer.status_code == 302
    assert answer["Location"].startswith("/accounts/login/?next=")
    assert "_auth_user_id" not in guesser.session
    assert client.get("/admin/", follow=True).status_code == 403


@pytest.mark.parametrize(
    ("address", "field", "most"), [("/accounts/signup/", "email", 20), ("/accounts/password/reset/", "email", 5)]
)
def test_accounts_and_mails_are_not_made_without_end(charlie: Person, address: str, field: str, most: int) -> None:
    for n in range(most + 1):
        mail = f"someone{n}@example.org" if "signup" in address else "charlie@example.org"
        fields = {field: mail, "password1": "a long enough one", "password2": "a long enough one"}
        answer = Client().post(address, fields)
    assert answer.status_code == 429
    assert "Too many tries" in answer.content.decode()
    assert "Reverie" in answer.content.decode()


@pytest.mark.parametrize(("proxies", "shared"), [(0, True), (1, False)])
def test_behind_a_proxy_each_address_has_its_own_limit(
    charlie: Person, settings: Settings, proxies: int, shared: bool
) -> None:
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = proxies
    for n in range(20):
        # What the one who asks says of their address stands before what the proxy adds.
        said = {"X-Forwarded-For": f"198.51.100.{n}, 203.0.113.7"}
        Client().post("/accounts/password/reset/", {"email": f"one{n}@example.org"}, headers=said)
    for address, refused in [("203.0.113.7", True), ("203.0.113.8", shared)]:
        answer = Client().post(
            "/accounts/password/reset/", {"email": "other@example.org"}, headers={"X-Forwarded-For": address}
        )
        assert (answer.status_code == 429) is refused, address
