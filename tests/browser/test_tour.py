"""The guided first puzzle on a real board: its note goes on by itself and moves no key."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.browser.conftest import PHONE
from tests.browser.pages import guided
from webapp.game import tour


def test_the_note_goes_on_as_its_steps_are_done_and_moves_no_key(page: Page) -> None:
    guided(page)
    step = page.locator(".tour__step")
    keypad = page.locator("#keypad")
    place = keypad.bounding_box()
    frame = page.locator("#tour-cell rect")
    cell = page.locator(f"#c{tour.ONE}")
    around, inside = frame.bounding_box(), cell.bounding_box()
    assert around and inside
    assert abs(around["x"] - inside["x"]) < 4 and abs(around["y"] - inside["y"]) < 4
    cell.click()
    page.keyboard.press("3")
    expect(step).to_have_text("Step 2 of 5")
    cell = page.locator(f"#c{tour.TWO}")
    around, inside = frame.bounding_box(), cell.bounding_box()
    assert around and inside
    line = cell.evaluate("cell => parseFloat(getComputedStyle(cell).borderBottomWidth)")
    above = around["y"] - inside["y"]
    below = inside["y"] + inside["height"] - line - around["y"] - around["height"]
    assert abs(above - below) < 1.5, "in the middle of what the lines leave of the cell"
    cell.click()
    page.keyboard.press("Shift+Digit2")
    page.keyboard.press("Shift+Digit9")
    expect(step).to_have_text("Step 3 of 5")
    page.keyboard.press("2")
    expect(step).to_have_text("Step 4 of 5")
    expect(frame).to_have_count(0)
    assert keypad.bounding_box() == place
    page.locator("#hint").click()
    expect(step).to_have_text("Step 5 of 5")
    page.keyboard.press("Escape")
    page.set_viewport_size(PHONE)
    assert page.evaluate("document.documentElement.scrollHeight - innerHeight") <= 0, "tools are in sight"
    page.get_by_role("link", name="Close guide").click()
    expect(page.locator("#tour")).to_be_hidden()
