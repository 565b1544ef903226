"""Three ways to play: by keyboard, by touch on a small phone, by forms without JavaScript.

Each has the same operations, so that one test runs in all three. They start a puzzle from the home page.
`fill` plays by script, so that not every test has to enter fifty digits.
"""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.browser.board import send, type_in


def playing(page: Page) -> None:
    expect(page.locator("#board")).to_have_attribute("data-state", "playing")
    page.wait_for_load_state()  # the board is there before its style sheets


def tab_to(page: Page, selector: str, most: int = 40) -> None:
    """Press Tab, `most` times at most, until the focus is on or within `selector`."""
    for _ in range(most):
        page.keyboard.press("Tab")
        if page.evaluate("selector => !!document.activeElement.closest(selector)", selector):
            return
    raise AssertionError(f"{selector} is not reached by Tab")


class Keys:
    """A keyboard and nothing else: the pointer never moves, and no script moves the focus."""

    def __init__(self, page: Page, level: int) -> None:
        self.page = page
        page.goto("/attempts")
        tab_to(page, f"#new-game button[value='{level}']")
        self.press("Enter")
        playing(page)
        tab_to(page, "#board")

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def go(self, cell: int) -> None:
        """Move there with arrows from the cursor."""
        here = int(str(self.page.evaluate("document.activeElement.id"))[1:])
        (row, col), (to_row, to_col) = divmod(here, 9), divmod(cell, 9)
        self.press(*["ArrowDown" if to_row > row else "ArrowUp"] * abs(to_row - row))
        self.press(*["ArrowRight" if to_col > col else "ArrowLeft"] * abs(to_col - col))
        expect(self.page.locator(f"#c{cell}")).to_be_focused()

    def fill(self, digits: dict[int, str]) -> None:
        type_in(self.page, digits)

    def write(self, cell: int, digit: str) -> None:
        self.go(cell)
        self.press(digit)

    def mark(self, cell: int, digits: str) -> None:
        self.go(cell)
        self.press("x", *digits, "z")

    def undo(self) -> None:
        self.press("Control+z")

    def hint(self, *, more: bool) -> None:  # noqa: ARG002
        self.press("h")

    def close_hint(self) -> None:
        self.press("Escape")

    def pause(self) -> None:
        self.press("p")

    def resume(self) -> None:
        expect(self.page.locator("#resume")).to_be_focused()
        self.press("Enter")


class Fingers:
    """Taps on a phone of 360 x 640; a target has to be visible."""

    def __init__(self, page: Page, level: int) -> None:
        self.page = page
        page.goto("/attempts")
        self.tap(f"#new-game button[value='{level}']")
        playing(page)

    def tap(self, selector: str) -> None:
        self.page.locator(selector).tap()

    def fill(self, digits: dict[int, str]) -> None:
        type_in(self.page, digits)

    def write(self, cell: int, digit: str) -> None:
        self.tap(f"#c{cell}")
        self.tap(f"#keypad button[value='{digit}']")

    def mark(self, cell: int, digits: str) -> None:
        self.tap(".modes [value=corner]")
        for digit in digits:
            self.write(cell, digit)
        self.tap(".modes [value=digit]")

    def undo(self) -> None:
        self.tap("#undo")

    def hint(self, *, more: bool) -> None:
        self.tap("#hint-panel .button--primary[name=depth]" if more else "#hint")

    def close_hint(self) -> None:
        self.tap("#hint-panel [data-close]")

    def pause(self) -> None:
        self.tap("#pause")

    def resume(self) -> None:
        self.tap("#resume")


class Forms(Fingers):
    """Links and buttons of a page without scripts: every operation reloads the page."""

    def tap(self, selector: str) -> None:
        with self.page.expect_navigation():
            self.page.locator(selector).click()

    def fill(self, digits: dict[int, str]) -> None:
        """Send them as the forms would, without the page, and reload the board."""
        first = int(self.page.locator("#status").get_attribute("data-seq") or 0) + 1
        address = self.page.url.partition("?")[0]
        send(self.page, address, self.page.content(), digits, first)
        self.page.goto(address)

    def write(self, cell: int, digit: str) -> None:
        self.tap(f"#c{cell} a")
        self.tap(f"#keypad button[value='{digit}']")

    def close_hint(self) -> None:
        """The hint is part of the page and covers nothing."""
