"""What every kind of answer carries: nothing private is kept by a browser, framed, sniffed or told to other sites."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import pytest
from django.test import Client

from memories.models import Person
from tests.chat.saying import answer, ask

pytestmark = pytest.mark.django_db

WHO = {"person": "client", "staff": "staff_client", "nobody": "anonymous"}
ANSWERS: list[tuple[str, str, dict[str, Any], int]] = [
    ("person", "/", {}, 200),
    ("person", "/memories/", {}, 200),
    ("person", "/memories/forget/?all=1", {}, 200),
    ("person", "/memories/privacy/export/", {}, 200),
    ("person", "/memories/privacy/export/?as=page", {}, 200),
    ("person", "/replies/1/stream/", {}, 404),
    ("person", "/accounts/email/", {}, 200),
    ("person", "/no/such/page/", {}, 404),
    ("person", "/chats/send/", {}, 405),
    ("person", "/", {"HTTP_HOST": "elsewhere.example"}, 400),
    ("person", "/admin/login/", {}, 403),
    ("person", "/memories/", {"HTTP_HX_REQUEST": "true"}, 200),
    ("nobody", "/", {}, 302),
    ("nobody", "/memories/", {"HTTP_HX_REQUEST": "true"}, 200),
    ("nobody", "/accounts/login/", {}, 200),
    ("nobody", "/accounts/signup/", {}, 200),
    ("nobody", "/sign-in/no-such-token/", {}, 302),
    ("nobody", "/healthz", {}, 200),
    ("staff", "/admin/", {}, 200),
    ("staff", "/admin/memories/memory/", {}, 200),
]


@pytest.mark.parametrize(("who", "address", "more", "status"), ANSWERS)
def test_every_answer_is_private(
    request: pytest.FixtureRequest, who: str, address: str, more: dict[str, Any], status: int
) -> None:
    browser: Client = request.getfixturevalue(WHO[who])
    answer = browser.get(address, **more)
    assert answer.status_code == status
    assert "no-store" in answer["Cache-Control"]
    assert "private" in answer["Cache-Control"]
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert answer["Referrer-Policy"] == "same-origin"
    policy = answer["Content-Security-Policy"]
    assert "default-src 'self'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy


def test_a_stream_is_private_and_no_page(client: Client, alice: Person, now: datetime) -> None:
    reply = ask(alice, "Hello", now=now)
    answer(reply, "<b>Hi</b>", now=now)
    streamed = client.get(f"/replies/{reply.pk}/stream/")
    assert streamed["Content-Type"] == "text/event-stream"
    # Kept by nobody, and passed on as it comes.
    assert {"no-store", "no-transform", "private"} <= set(streamed["Cache-Control"].split(", "))
    assert streamed["X-Accel-Buffering"] == "no"
    assert streamed["Content-Encoding"] == "identity"
    assert streamed["X-Content-Type-Options"] == "nosniff"
    assert streamed["X-Frame-Options"] == "DENY"
    assert "default-src 'self'" in streamed["Content-Security-Policy"]


def test_an_export_is_a_file_and_never_a_page_of_ours(client: Client) -> None:
    for address, kind in [("/memories/privacy/export/", "json"), ("/memories/privacy/export/?as=page", "html")]:
        exported = client.get(address)
        assert exported["Content-Disposition"].startswith("attachment; filename=")
        assert exported["Content-Disposition"].endswith(f'.{kind}"')
        assert exported["Content-Type"].startswith({"json": "application/json", "html": "text/html"}[kind])


def test_a_broken_page_is_private_too(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    client.raise_request_exception = False
    monkeypatch.setattr("memories.views.listing.listed", None)
    answer = client.get("/memories/")
    assert answer.status_code == 500
    assert "no-store" in answer["Cache-Control"]
    assert "frame-ancestors 'none'" in answer["Content-Security-Policy"]
    assert answer["X-Content-Type-Options"] == "nosniff"


def test_cookies_stay_with_the_server(anonymous: Client, alice: object) -> None:
    anonymous.get("/accounts/login/")
    anonymous.post("/accounts/login/", {"login": "alice", "password": "alice-password"})
    session = anonymous.cookies["sessionid"]
    assert session["httponly"]
    assert session["samesite"] == "Lax"
    assert anonymous.cookies["csrftoken"]["samesite"] == "Lax"


def test_signing_in_begins_another_session(anonymous: Client, alice: object) -> None:
    anonymous.get("/sign-in/no-such-token/")
    before = anonymous.cookies["sessionid"].value if "sessionid" in anonymous.cookies else ""
    anonymous.post("/accounts/login/", {"login": "alice", "password": "alice-password"})
    assert anonymous.cookies["sessionid"].value not in {"", before}


@pytest.mark.parametrize(
    "place", ["https://elsewhere.example/", "//elsewhere.example", "javascript:alert(1)", "/\\e.example"]
)
def test_nobody_is_sent_elsewhere(anonymous: Client, alice: object, place: str) -> None:
    signed_in = anonymous.post("/accounts/login/", {"login": "alice", "password": "alice-password", "next": place})
    assert signed_in["Location"] == "/"
    language = anonymous.post("/language/", {"language": "en", "next": place})
    assert language["Location"].startswith("/")
    assert "elsewhere" not in language["Location"]
