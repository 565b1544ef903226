"""Parts of a page that are swapped while somebody is at them, and what they say where that fails."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import PHONE, NewPage, Site, new_address
from tests.browser.hands import tab_to
from tests.browser.pages import LATE, at
from tests.webapp.competition.pages import a_race
from tests.webapp.play.pages import solved


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


@pytest.mark.parametrize(
    ("reach", "button"),
    [
        (solved, "#vote button"),
        (at("/learn/words"), ".cell__tap"),
        (at("/learn/x_wing?tab=try"), "#marking .button--primary"),
        (at("/practice/x_wing?kind=name"), ".drill__choice button"),
        (at("/leaderboard"), "#leaderboard a[hx-get]"),
    ],
)
def test_a_form_that_fails_says_so_and_stays(
    live: Site, chromium: Browser, reach: Callable[[Page], object], button: str
) -> None:
    page = chromium.new_page(base_url=live.url, extra_http_headers=new_address())  # errors are provoked
    reach(page)
    page.wait_for_load_state("networkidle")
    page.route("**", lambda route: route.fulfill(status=503, body="<h1>Bad gateway</h1>"))
    for _time in range(2):
        page.locator(button).first.click()
        expect(page.locator("#failed")).to_have_text("The server didn’t answer. Try again.")
        expect(page.locator("#failed")).to_be_in_viewport()
    page.unroute_all()
    page.locator(button).first.click()
    expect(page.locator("#failed")).not_to_be_attached()
