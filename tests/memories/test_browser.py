"""What only a browser shows of the memory pages."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Literal

import pytest

from memories.models import Memory, Origin, Person
from tests.memories.saying import told

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser

OWN = [
    "/", "/memories/", "/memories/1/", "/memories/1/edit/", "/memories/forget/?m=1", "/memories/waiting/",
    "/memories/pages/", "/memories/privacy/", "/memories/privacy/account/", "/nights/", "/accounts/email/",
    "/accounts/password/change/",
]  # fmt: skip


@pytest.fixture(autouse=True)
def remembered(alice: Person, now: datetime) -> None:
    told(alice, "I take the train to work.", "The user takes the train to work.", now)
    told(alice, "我不吃香菜。", "使用者不吃香菜。", now + timedelta(days=1))
    told(alice, "Meetings are on Mondays at nine.", "The user meets on Mondays.", now, origin=Origin.PASTED)


def test_the_list_narrows_while_one_types_and_keeps_the_cursor(page: Page) -> None:
    page.goto("/memories/")
    page.locator("#q").press_sequentially("香")

    page.wait_for_url("**/memories/?q=*")
    assert "使用者不吃香菜。" in page.locator(".row").first.inner_text()
    assert page.locator(".row").count() == 1
    assert page.evaluate("document.activeElement.id") == "q"
    page.reload()
    assert page.locator("#q").input_value() == "香"


def test_what_is_selected_is_asked_about_in_a_dialog_by_keyboard_alone(page: Page) -> None:
    page.goto("/memories/")
    assert not page.get_by_role("button", name="Delete…").is_visible()
    page.locator("[data-select]").first.press("Space")
    for _ in range(20):
        if page.evaluate("document.activeElement.textContent").strip() == "Delete…":
            break
        page.keyboard.press("Shift+Tab")
    page.keyboard.press("Enter")

    dialog = page.get_by_role("dialog")
    dialog.wait_for()
    assert "使用者不吃香菜。" in dialog.inner_text()
    assert page.evaluate("document.activeElement.closest('dialog') !== null")
    page.keyboard.press("Escape")
    assert not dialog.is_visible()
    assert page.evaluate("document.activeElement.textContent").strip() == "Delete…"
    assert "使用者不吃香菜。" in page.locator("#results").inner_text()


def test_back_after_deleting_does_not_show_it_again(page: Page) -> None:
    page.goto("/memories/")
    page.goto("/memories/1/")
    page.get_by_role("link", name="Delete…").click()
    page.get_by_role("dialog").get_by_role("button", name="Forget").click()
    page.wait_for_url("**/deletions/**")
    page.go_back()
    assert "takes the train" not in page.content()
    page.goto("/memories/")
    assert "takes the train" not in page.content()


def test_no_page_of_the_history_shows_it_again_though_the_browser_kept_it_whole(page: Page, alice: Person) -> None:
    conversation = Memory.objects.get(number=1).evidence.get().passage.message.conversation_id  # type: ignore[union-attr]
    shown = ["/memories/", "/memories/1/", f"/chats/{conversation}/", "/memories/1/edit/"]
    kept = []
    for address in shown:
        page.goto(address)
        assert "train" in page.content(), address
        kept.append(page.context.new_page())
        kept[-1].goto(address)
    page.goto("/memories/1/")
    page.get_by_role("link", name="Delete…").click()
    page.get_by_role("dialog").get_by_label("erase", exact=False).check()
    page.get_by_role("dialog").get_by_role("button", name="Forget").click()
    page.wait_for_url("**/deletions/**")

    for address in ["/memories/1/", *reversed(shown)]:
        page.go_back(wait_until="load")
        assert address in page.url
        assert "train" not in page.content(), address
    # As a browser brings back a page that it kept whole, with all that stood on it.
    for tab, address in zip(kept, shown, strict=True):
        assert "train" in tab.content(), address
        with tab.expect_navigation():
            tab.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', {persisted: true}))")
        assert "train" not in tab.content(), address


def test_deciding_leaves_the_outcome_and_counts_down(page: Page, alice: Person, now: datetime) -> None:
    told(alice, "Tea is at four.", "The user takes tea at four.", now, origin=Origin.PASTED)
    page.goto("/memories/waiting/")
    page.get_by_role("button", name="Reject", exact=True).first.press("Enter")
    page.locator("#main .notice").wait_for()
    # Not the count in the header, which came along.
    page.wait_for_function("document.activeElement.matches('#main .notice')")
    assert page.locator("#waiting-count").inner_text() == "1"

    page.get_by_role("button", name="Accept", exact=True).press("Enter")
    page.get_by_text("Remembered.").wait_for()
    assert "Remembered." in page.evaluate("document.activeElement.textContent")
    assert not page.locator("#waiting-count").is_visible()
    assert Memory.objects.waiting().count() == 0


def test_the_browser_tells_its_time_zone(page: Page, alice: Person) -> None:
    with page.expect_response("**/privacy/time-zone/") as response:
        page.goto("/memories/")
    assert response.value.status == 204
    alice.refresh_from_db()
    assert alice.time_zone == page.evaluate("Intl.DateTimeFormat().resolvedOptions().timeZone")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_on_a_phone_nothing_runs_over_and_nothing_is_refused(page: Page, scheme: Literal["light", "dark"]) -> None:
    problems: list[str] = []
    page.on("console", lambda message: problems.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.set_viewport_size({"width": 390, "height": 844})
    page.emulate_media(color_scheme=scheme)
    for address in OWN:
        page.goto(address)
        assert page.evaluate("document.documentElement.scrollWidth") <= 390, address
    assert problems == []


def test_the_menu_of_a_phone_opens_and_closes_by_keyboard(page: Page) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto("/memories/")
    menu = page.locator("#nav")
    assert not menu.is_visible()
    page.get_by_role("button", name="Menu").press("Enter")
    assert menu.get_by_role("link", name="Privacy").is_visible()
    page.keyboard.press("Escape")
    assert not menu.is_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_pages_pass_axe(page: Page, scheme: Literal["light", "dark"]) -> None:
    from axe_playwright_python.sync_playwright import Axe

    page.emulate_media(color_scheme=scheme)
    for address in OWN:
        page.goto(address)
        found = Axe().run(page).response["violations"]
        assert [(rule["id"], rule["nodes"][0]["html"]) for rule in found] == [], address
