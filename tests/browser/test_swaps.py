"""Parts of a page that are swapped while somebody is at them: the analysis board, and a race."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.conftest import PHONE, NewPage
from tests.browser.hands import tab_to
from tests.browser.pages import LATE, a_race


def test_digits_crossed_out_in_quick_taps_are_all_kept(new_page: NewPage) -> None:
    page = new_page(own=True, viewport=PHONE, has_touch=True)
    page.goto(f"/analysis?grid={LATE}&cell=0")
    digits = page.locator("[id^=strike-]")
    lowest, bar = digits.first.bounding_box(), page.locator(".site__nav").bounding_box()
    assert lowest and bar and lowest["y"] + lowest["height"] <= bar["y"]
    for digit in (0, 1):
        digits.nth(digit).tap()
    expect(page.locator(".analysis__digit--struck")).to_have_count(2)


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
