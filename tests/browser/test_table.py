"""The drawing table by keys: digits are entered and cleared, cells locked and shaped, every step can be
undone.
"""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.browser.hands import tab_to


def at(page: Page, cell: int) -> None:
    """Wait until the focus is on this cell and the move's response has arrived."""
    expect(page.locator(f"#c{cell} .cell__link")).to_be_focused()
    expect(page.locator(f"#c{cell}")).to_have_attribute("data-selected", "")


def digit(page: Page, cell: int, value: str) -> None:
    """Wait until a cell shows this digit; "" for none."""
    shown = f"[data-digit='{value}']" if value else ":not([data-digit])"
    expect(page.locator(f"#c{cell}{shown}")).to_be_attached()


def test_it_is_worked_by_keys_alone(desk: Page) -> None:
    desk.goto("/admin/table")
    tab_to(desk, "#board [role=row]", 60)
    desk.keyboard.press("ArrowRight")
    at(desk, 1)
    desk.keyboard.press("5")
    digit(desk, 1, "5")
    expect(desk.locator("#table-status")).not_to_be_empty()  # for screen readers
    desk.keyboard.press("l")
    expect(desk.locator("#lock-cell")).to_have_text("Unlock")
    desk.keyboard.press("s")
    expect(desk.locator("#mark-cell")).to_have_text("Remove from shape")
    desk.keyboard.press("ArrowDown")
    at(desk, 10)
    desk.keyboard.press("6")
    digit(desk, 10, "6")
    desk.keyboard.press("0")
    digit(desk, 10, "")
    desk.keyboard.press("Control+z")
    digit(desk, 10, "6")
    at(desk, 10)
    desk.keyboard.press("Control+Shift+z")
    digit(desk, 10, "")
    assert "set=" not in desk.url
    desk.reload()  # the sketch is its address
    digit(desk, 1, "5")


def test_a_click_does_the_same(desk: Page) -> None:
    desk.goto("/admin/table")
    desk.locator("#c40 .cell__link").click()
    at(desk, 40)
    desk.locator("#set-7").click()
    digit(desk, 40, "7")
    desk.locator("#set-7").click()
    digit(desk, 40, "")
