"""Small named helpers for tests that play on a board in the browser."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any
from urllib.parse import urlencode

from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import givens_of, new_address, solution_on
from tests.webapp.conftest import solution_of
from tests.webapp.visitors import GIVENS, TOKEN


class Board:
    """A fresh puzzle on a page: its givens, its solution and its cells."""

    def __init__(self, page: Page, level: int = 3, *, left: int | None = None) -> None:
        """With `left`, all digits but that many are already placed."""
        self.page = page
        page.goto(begin(page, level, left=left))
        expect(page.locator("#board")).to_have_attribute("data-state", "playing")
        started(page)
        self.givens = givens_of(page)
        self.solution = solution_on(page)
        self.empty = [cell for cell in range(81) if self.givens[cell] == "."]
        self.given = [cell for cell in range(81) if self.givens[cell] != "."]

    @property
    def attempt(self) -> str:
        return self.page.url.rpartition("/")[2].partition("?")[0]

    def cell(self, cell: int) -> Locator:
        return self.page.locator(f"#c{cell}")

    def name(self, cell: int) -> str:
        return self.cell(cell).locator(".visually-hidden").inner_text()

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def write(self, cell: int, digit: str | int | None = None) -> None:
        self.cell(cell).click()
        self.press(str(digit or self.solution[cell]))

    def hint(self) -> None:
        """Ask on the first empty cell down to the third depth."""
        self.cell(self.empty[0]).click()
        for depth in "123":
            self.press("h")
            expect(self.page.locator("#hint-panel")).to_have_attribute("data-depth", depth)

    def solve(self) -> None:
        """Fill the board: all but the last two digits by script, those by hand."""
        *most, one, two = (cell for cell in self.empty if not self.cell(cell).get_attribute("data-digit"))
        type_in(self.page, {cell: self.solution[cell] for cell in most})
        self.write(one)
        self.write(two)

    def pencilled(self, cell: int, kind: str = "corner") -> str:
        """Return the drawn marks of a kind: corner, open or struck."""
        marks = self.cell(cell).locator(f".pencil[data-kind={kind}]")
        return "".join(text.strip() for text in marks.all_inner_texts())

    def selected(self) -> list[int]:
        ids = self.page.eval_on_selector_all("#board [data-selected]", "cells => cells.map(cell => cell.id)")
        return sorted(int(name.removeprefix("c")) for name in ids)

    def says(self, words: str) -> None:
        expect(self.page.locator("#speech")).to_contain_text(words)

    def stored(self, *, unasked: bool = False) -> None:
        """Wait until the server has stored every move: sent now, or `unasked` when the page sends them."""
        if not unasked:
            self.page.evaluate("dispatchEvent(new Event('online'))")
        self.page.wait_for_function(
            """attempt => {
                const { acked, moves } = JSON.parse(localStorage.getItem(`ninefold:${attempt}`));
                const { seq } = document.getElementById('board').dataset;
                return acked === moves.length && Number(seq) === acked;
            }""",
            arg=self.attempt,
        )

    def kept(self) -> dict[str, Any]:
        """Return what the browser's storage holds of this attempt."""
        kept: dict[str, Any] = self.page.evaluate(
            f"JSON.parse(localStorage.getItem('ninefold:{self.attempt}'))"
        )
        return kept


def post(page: Page, address: str, **fields: str) -> str:
    """Post a form of the site without rendering its page. Returns the address it leads to."""
    token = TOKEN.search(page.request.get("/login").text())
    assert token
    form = {"csrf_token": token[1], **fields}
    # From an address of its own, to stay clear of the limits of the page's address.
    answer = page.request.post(address, form=form, headers=new_address(), max_redirects=0)
    assert answer.status == 303, answer.text()
    return answer.headers["location"]


def begin(page: Page, level: int = 3, *, left: int | None = None, **choice: str) -> str:
    """Start a puzzle with home's form. Returns the address of its board.

    With `left`, all but that many of its digits are sent.
    """
    address = post(page, "/attempts", level=str(level), **choice)
    if left is not None:
        fill_in(page, address, left)
    return address


def fill_in(page: Page, address: str, left: int = 0) -> None:
    """Send all but `left` of the digits of a fresh board."""
    board = page.request.get(address).text()
    found = GIVENS.search(board)
    assert found
    givens, solution = found[1], solution_of(found[1])
    empty = [cell for cell in range(81) if givens[cell] == "."]
    send(page, address, board, {cell: solution[cell] for cell in empty[: len(empty) - left]})


def send(page: Page, address: str, board: str, digits: dict[int, str], first: int = 1) -> None:
    """Send these digits as the forms of the board's page would, numbered from `first`."""
    token = TOKEN.search(board)
    assert token
    moves = [
        (name, value)
        for seq, (cell, digit) in enumerate(digits.items(), first)
        for name, value in (("seq", seq), ("kind", "digit"), ("cell", cell), ("digit", digit))
    ]
    answer = page.request.post(
        f"{address}/moves",
        data=urlencode([*moves, ("csrf_token", token[1])]),
        headers={"Content-Type": "application/x-www-form-urlencoded"},
        max_redirects=0,
    )
    assert answer.status == 303, answer.text()


def type_in(page: Page, digits: dict[int, str]) -> None:
    """Press these digits on their cells in one go, as fast as the page takes keys; givens are skipped."""
    page.evaluate(
        """digits => {
            for (const [cell, key] of digits) {
                const place = document.getElementById(`c${cell}`);
                if (place.hasAttribute("data-given")) continue;
                place.focus();
                const how = { key, code: `Digit${key}`, bubbles: true, cancelable: true };
                place.dispatchEvent(new KeyboardEvent("keydown", how));
            }
        }""",
        list(digits.items()),
    )


def begin_ranked(page: Page, level: int = 2, *, left: int | None = None) -> str:
    """Begin today's ranked daily of this level. Returns the address of its board."""
    return begin(page, level, left=left, daily=f"{datetime.now(UTC):%Y-%m-%d}", ranked="1")


def start_ranked(page: Page, level: int = 2) -> None:
    """Open today's ranked daily of this level."""
    page.goto(begin_ranked(page, level))
    started(page)


def started(page: Page) -> None:
    """Wait until the board's module has started."""
    expect(page.locator("#board [tabindex='0']")).to_have_count(1)


def another_tab(page: Page) -> Page:
    """Open the board of this page in another tab of the same browser."""
    tab = page.context.new_page()
    tab.goto(page.url)
    started(tab)
    return tab
