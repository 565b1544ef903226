"""The analysis board by touch: available actions are visible beside the board, and no attempted digit is
lost.
"""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.conftest import PHONE, NewPage
from tests.browser.pages import LATE


def test_digits_crossed_out_in_quick_taps_are_all_kept(new_page: NewPage) -> None:
    page = new_page(own=True, viewport=PHONE, has_touch=True)
    page.goto(f"/analysis?grid={LATE}&cell=0")
    digits = page.locator("[id^=strike-]")
    lowest, bar = digits.first.bounding_box(), page.locator(".site__nav").bounding_box()
    assert lowest and bar and lowest["y"] + lowest["height"] <= bar["y"]
    for digit in (0, 1):
        digits.nth(digit).tap()
    expect(page.locator(".analysis__digit--struck")).to_have_count(2)
