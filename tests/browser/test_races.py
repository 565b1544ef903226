"""The page of a race, which changes while it is read."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.conftest import NewPage
from tests.browser.hands import tab_to
from tests.browser.pages import a_race


def test_the_focus_stays_on_the_button_when_another_racer_starts(new_page: NewPage) -> None:
    page, other = new_page(), new_page()
    a_race(page)
    other.goto(page.url)
    other.locator("[name=name]").fill("Bob")
    other.get_by_role("button", name="Join race").click()
    expect(page.locator("#racer-2")).to_be_visible()
    button = page.locator("#race .button")
    expect(button).to_have_text("Start race")
    tab_to(page, "#race .button")
    other.get_by_role("button", name="Start race").click()
    expect(button).to_have_text("Go to your board")
    expect(button).to_be_focused()
