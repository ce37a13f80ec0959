"""Mail in the pages' own voice, and no page that speaks of a mail where none can come."""

from __future__ import annotations

import pytest
from django.core import mail
from django.test import Client
from django.urls import reverse
from pytest_django.fixtures import Settings

from memories.models import Person

SIGN_UP = {"email": "dora@example.com", "password1": "a-long-quiet-river", "password2": "a-long-quiet-river"}


@pytest.fixture
def sending(settings: Settings) -> None:
    settings.MAIL_GOES_OUT, settings.ACCOUNT_EMAIL_VERIFICATION = True, "optional"


@pytest.mark.usefixtures("db", "sending")
def test_signing_up_sends_a_link_and_says_so(anonymous: Client) -> None:
    page = anonymous.post(reverse("account_signup"), SIGN_UP, follow=True).content.decode()

    (sent,) = mail.outbox
    assert sent.subject == "Reverie: Confirm your email address"
    assert reverse("account_confirm_email", args=["x"]).removesuffix("x/") in sent.body
    assert "has gone to dora@example.com" in page


@pytest.mark.usefixtures("db")
def test_without_a_server_for_mail_none_is_spoken_of(anonymous: Client) -> None:
    page = anonymous.post(reverse("account_signup"), SIGN_UP, follow=True).content.decode()

    assert mail.outbox == []
    assert "You are signed in." in page
    assert "mail" not in page[page.index('id="messages"') : page.index('class="chat')]
    for name in ("account_reset_password", "account_reset_password_done"):
        assert "This server sends no mail" in Client().get(reverse(name)).content.decode()


@pytest.mark.usefixtures("sending")
@pytest.mark.parametrize("address", ["alice@example.org", "nobody@example.org"])
def test_a_forgotten_password_is_answered_whoever_asks(anonymous: Client, alice: Person, address: str) -> None:
    page = anonymous.post(reverse("account_reset_password"), {"email": address}, follow=True).content.decode()

    (sent,) = mail.outbox
    assert ("/password/reset/key/" in sent.body) == (address == alice.email)
    assert "Reverie!" not in sent.body
    assert "&" not in sent.body
    assert "Look at your mail" in page
