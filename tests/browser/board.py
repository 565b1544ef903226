"""Small named helpers for tests that play on a board in the browser."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import givens_of, solution_on
from tests.webapp.visitors import TOKEN


class Board:
    """A fresh puzzle on a page: its givens, its solution and its cells."""

    def __init__(self, page: Page, level: int = 3) -> None:
        self.page = page
        start(page, level)
        expect(page.locator("#board")).to_have_attribute("data-state", "playing")
        expect(page.locator("#board [tabindex='0']")).to_have_count(1)  # the module has started
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

    def solve(self) -> None:
        """Fill the board: all but the last two digits at once, those by hand."""
        *most, one, two = self.empty
        type_in(self.page, {cell: self.solution[cell] for cell in most})
        self.write(one)
        self.write(two)

    def pencilled(self, cell: int, kind: str = "corner") -> str:
        """The marks of a kind as they are drawn: corner, open or struck."""
        marks = self.cell(cell).locator(f".pencil[data-kind={kind}]")
        return "".join(text.strip() for text in marks.all_inner_texts())

    def selected(self) -> list[int]:
        ids = self.page.eval_on_selector_all("#board [data-selected]", "cells => cells.map(cell => cell.id)")
        return sorted(int(name.removeprefix("c")) for name in ids)

    def says(self, words: str) -> None:
        expect(self.page.locator("#speech")).to_contain_text(words)

    def stored(self) -> None:
        """Wait until the server has every move."""
        self.page.wait_for_function(
            """attempt => {
                const { acked, moves } = JSON.parse(localStorage.getItem(`ninefold:${attempt}`));
                const { seq } = document.getElementById('board').dataset;
                return acked === moves.length && Number(seq) === acked;
            }""",
            arg=self.attempt,
        )

    def kept(self) -> dict[str, Any]:
        """What the browser has kept of this attempt."""
        kept: dict[str, Any] = self.page.evaluate(
            f"JSON.parse(localStorage.getItem('ninefold:{self.attempt}'))"
        )
        return kept


def start(page: Page, level: int) -> None:
    """Start a puzzle with the form that home has, without a look at home."""
    token = TOKEN.search(page.request.get("/login").text())
    assert token
    form = {"csrf_token": token[1], "level": str(level)}
    answer = page.request.post("/attempts", form=form, max_redirects=0)
    assert answer.status == 303, answer.text()
    page.goto(answer.headers["location"])


def type_in(page: Page, digits: dict[int, str]) -> None:
    """Press these digits on their cells in one go, as fast as the page takes keys; givens are left out."""
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


def start_ranked(page: Page, level: int = 2) -> None:
    """Begin today's daily of this level, to be ranked."""
    page.goto("/daily")
    page.locator(f"#daily-card-{level} button[name=ranked]").click()
    expect(page.locator("#board [tabindex='0']")).to_have_count(1)  # the module has started
