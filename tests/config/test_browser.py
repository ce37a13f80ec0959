"""The browser that other tests use, and what a page may load in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser


def test_alice_is_signed_in_and_a_page_needs_no_other_machine(page: Page) -> None:
    elsewhere: list[str] = []
    page.on("request", lambda request: None if "127.0.0.1" in request.url else elsewhere.append(request.url))
    problems: list[str] = []
    page.on("console", lambda message: problems.append(message.text) if message.type == "error" else None)
    answer = page.goto("/accounts/logout/")
    assert answer
    assert answer.status == 200
    page.wait_for_load_state("networkidle")
    assert elsewhere == []
    assert problems == []
