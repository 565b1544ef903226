"""A puzzle from the home page to the finish: by keyboard, by touch, without JavaScript.

One level is played by keyboard from the first digit to the last; the other tests enter five digits by hand
and the rest by script. With THOROUGH=1 all are played in full.
"""

from __future__ import annotations

import pytest
from bs4 import BeautifulSoup
from playwright.sync_api import Page, Route, expect

import engine
from tests.browser.board import Board, started, type_in
from tests.browser.conftest import PHONE, NewPage, Site, solution_on
from tests.browser.hands import Fingers, Forms, Keys
from tests.browser.network import divert
from tests.thorough import THOROUGH
from webapp.game import tour

WHOLE = 2  # the level that is played by keyboard from the first digit to the last
LEFT = 5  # digits entered by hand if a puzzle is not played in full


def digits_on(page: Page, which: str) -> str:
    """Return the digits of these cells, from the page's text, which needs no JavaScript."""
    cells = BeautifulSoup(page.content(), "html.parser").select(f"#board {which}")
    found = {str(cell["id"]): str(cell["data-digit"]) for cell in cells}
    return "".join(found.get(f"c{cell}", ".") for cell in range(81))


def play_through(hands: Keys | Fingers | Forms, live: Site, level: int, *, whole: bool = THOROUGH) -> None:
    """Play a whole puzzle with marks, a mistake undone, a pause, a hint in all depths; each is verified."""
    page = hands.page
    givens = digits_on(page, "[data-given]")
    solution = str(engine.solution(engine.parse(givens)))
    empty = [cell for cell in range(81) if givens[cell] == "."]
    first, right = page.locator(f"#c{empty[0]}"), solution[empty[0]]
    wrong = next(digit for digit in "123456789" if digit != right)
    board, note = page.locator("#board"), page.locator("#hint-panel")
    marks, given = first.locator(".pencil[data-kind=corner]"), page.locator("[data-given] .cell__digit").first

    hands.mark(empty[0], right + wrong)
    expect(marks).to_have_text(sorted(right + wrong))
    hands.write(empty[0], wrong)
    expect(first).to_have_attribute("data-digit", wrong)
    expect(marks).to_have_count(0)
    hands.undo()
    expect(page.locator(f"#c{empty[0]}[data-digit]")).to_have_count(0)
    expect(marks).to_have_text(sorted(right + wrong))

    hands.pause()
    expect(board).to_have_attribute("data-state", "paused")
    expect(given).to_be_hidden()
    hands.resume()
    expect(board).to_have_attribute("data-state", "playing")
    expect(given).to_be_visible()

    texts = set()
    for depth in (1, 2, 3):
        hands.hint(more=depth > 1)
        expect(note).to_have_attribute("data-depth", str(depth))
        expect(note).to_be_visible()
        texts.add(note.inner_text())
    assert len(texts) == 3, "each depth says something of its own"
    assert page.locator("#overlay *").count(), "the reasoning is drawn on the board"
    before = board.inner_text()
    hands.hint(more=True)
    # In a note that a script closes, or in one that stays.
    expect(page.locator("#speech, #hint-panel:not([hidden])").filter(has_text="Applied.")).to_have_count(1)
    # Candidates that an empty cell without marks doesn't show, the note offers to show.
    if not note.get_by_role("button", name="Auto candidates").is_visible():
        expect(board).not_to_have_text(before, use_inner_text=True)
    if note.is_visible():
        hands.close_hint()

    on_board = digits_on(page, "[data-digit]")
    missing = [cell for cell in empty if on_board[cell] != solution[cell]]
    if not whole:
        hands.fill({cell: solution[cell] for cell in missing[:-LEFT]})
        missing = missing[-LEFT:]
    for cell in missing:
        hands.write(cell, solution[cell])
    expect(board).to_have_attribute("data-state", "solved")
    expect(page.locator("#finish-panel")).to_contain_text("Solved, with")
    expect(page.locator("#status")).to_have_attribute("data-state", "solved")
    attempt = page.url.rpartition("/")[2].partition("?")[0]
    ((stored_level, elapsed_ms, last_seq),) = live.rows(
        "SELECT level, elapsed_ms, last_seq FROM attempt WHERE id = ? AND finished_at IS NOT NULL", attempt
    )
    assert stored_level == level
    assert elapsed_ms > 0
    numbers = live.rows("SELECT count(*), max(seq) FROM move WHERE attempt_id = ?", attempt)
    assert numbers == [(last_seq, last_seq)]
    log = live.rows("SELECT kind, digit FROM move WHERE attempt_id = ? ORDER BY seq", attempt)
    kinds = [kind for kind, _digit in log]
    assert kinds[:4] == ["corner", "corner", "digit", "undo"]
    assert [kind for kind in kinds if kind in ("pause", "resume")] == ["pause", "resume"]
    assert [digit for kind, digit in log if kind == "hint"] == [1, 2, 3, 4]


@pytest.mark.parametrize("level", [1, 2, 3, 4, 5] if THOROUGH else [WHOLE])
def test_every_level_can_be_played_with_the_keyboard_alone(page: Page, live: Site, level: int) -> None:
    play_through(Keys(page, level), live, level, whole=THOROUGH or level == WHOLE)


def test_a_puzzle_can_be_played_by_touch_on_a_small_phone(new_page: NewPage, live: Site) -> None:
    page = new_page(viewport=PHONE, has_touch=True, is_mobile=True, device_scale_factor=2)
    hands = Fingers(page, 2)
    scrollable = page.evaluate("document.documentElement.scrollHeight - innerHeight")
    assert scrollable <= 0, "board, modes and keypad fit without scrolling"
    play_through(hands, live, 2)


def test_a_puzzle_can_be_played_without_javascript(new_page: NewPage, live: Site) -> None:
    play_through(Forms(new_page(java_script_enabled=False), 1), live, 1)


def test_a_newcomers_board_answers_at_once_and_keeps_what_was_written(page: Page) -> None:
    page.goto("/")
    started(page)
    held: list[Route] = []
    divert(page, "**/moves", lambda route: held.append(route))
    for number, step in enumerate(tour.STEPS):
        expect(page.locator(f"#c{step.cell}")).to_have_attribute("data-selected", "")
        if number == 0:
            page.keyboard.press("1" if step.digit != 1 else "2")
            expect(page.locator(".tour__wrong:visible")).to_have_count(1)
        page.keyboard.press(str(step.digit))
    expect(page.get_by_text("That’s the whole game")).to_be_visible()
    page.wait_for_function("() => globalThis.htmx")
    expect(page.locator("#hint")).to_be_visible()
    page.unroute_all()
    for route in held:
        route.continue_()
    expect(page.locator("#board")).to_have_attribute("data-seq", "4")
    page.reload()
    for step in tour.STEPS:
        expect(page.locator(f"#c{step.cell}")).to_have_attribute("data-digit", str(step.digit))
    started(page)
    type_in(page, dict(enumerate(solution_on(page))))
    expect(page.locator("#finish-title")).to_be_visible()
    expect(page.get_by_text("Your first Sudoku")).to_have_count(1)


def test_restart_asks_in_a_dialog_of_the_page(page: Page) -> None:
    board, own = Board(page), page.get_by_role("dialog", name="start over")
    board.write(board.empty[0])
    for answer, left in (("Cancel", 1), ("Restart", 0)):
        page.locator(".site").get_by_role("button", name="Settings").click()
        page.get_by_role("button", name="Restart").click()
        own.get_by_role("button", name=answer).click()
        expect(page.locator("#board .cell[data-digit]:not([data-given])")).to_have_count(left)
