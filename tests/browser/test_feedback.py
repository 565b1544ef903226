"""Feedback on mistakes and complete houses, by preference, and the summary after the solve."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from engine.geometry import PEERS
from tests.browser.board import Board, type_in
from tests.browser.conftest import NewPage


def test_digits_are_checked_against_the_solution_by_choice(page: Page) -> None:
    board = Board(page)
    page.locator("[data-sheet=settings-panel]:visible").first.click()
    page.locator("#settings-panel input[value=solution]").check()
    board.says("counts as help")
    page.keyboard.press("Escape")
    cell, wrong = next(
        (cell, digit)
        for cell in board.empty
        for digit in "123456789"
        if digit != board.solution[cell] and digit not in {board.givens[peer] for peer in PEERS[cell]}
    )
    board.write(cell, wrong)
    expect(board.cell(cell)).to_have_attribute("data-wrong", "")
    assert ", wrong" in board.name(cell)
    assert [move[1] for move in board.kept()["moves"]] == ["check", "digit"]
    expect(page.locator(".status__note")).to_have_text("Help used")
    board.press(board.solution[cell])
    expect(page.locator("#board [data-wrong]")).to_have_count(0)
    board.press("Control+z")
    expect(board.cell(cell)).to_have_attribute("data-wrong", "")


def test_a_full_board_with_a_mistake_says_so_where_mistakes_are_never_marked(page: Page) -> None:
    page.context.add_cookies([{"name": "ui", "value": "feedback-never", "domain": "127.0.0.1", "path": "/"}])
    board = Board(page)
    last = board.empty[-1]
    right = board.solution[last]
    wrong = next(digit for digit in "123456789" if digit != right)
    type_in(page, {cell: board.solution[cell] for cell in board.empty[:-1]})
    expect(page.locator("#banner")).to_be_hidden()
    board.write(last, wrong)
    banner, left = page.locator("#banner"), page.locator(f"[data-left='{wrong}']")
    expect(banner).to_contain_text("something isn’t right yet")
    expect(page.locator("#board [data-conflict]")).to_have_count(0)
    expect(left).to_have_text("−1")
    board.stored()
    page.reload()
    expect(banner).to_contain_text("something isn’t right yet")
    expect(left).to_have_text("−1")
    board.write(last, right)
    expect(banner).to_be_hidden()
    expect(page.locator("#board")).to_have_attribute("data-state", "solved")


def watch_done(page: Page) -> None:
    """Record how many cells briefly show that their house is complete, and how."""
    page.evaluate(
        """() => {
            globalThis.watched = { count: 0 };
            new MutationObserver(() => {
                const done = document.querySelectorAll("#board [data-done]");
                if (done.length <= watched.count) return;
                const { outlineStyle: outline } = getComputedStyle(done[0]);
                const { animationName: animation } = getComputedStyle(done[0].querySelector(".cell__digit"));
                Object.assign(watched, { count: done.length, outline, animation });
            }).observe(document.getElementById("board"), { subtree: true, attributes: true });
        }"""
    )


def test_a_completed_house_is_shown_and_said(page: Page) -> None:
    board = Board(page, level=1)
    row = next(row for row in range(9) if sum(cell // 9 == row for cell in board.empty) > 0)
    cells = [cell for cell in board.empty if cell // 9 == row]
    for cell in cells[:-1]:
        board.write(cell)
    watch_done(page)
    board.write(cells[-1])
    board.says(f"Row {row + 1} is complete")
    page.wait_for_function("() => watched.count >= 9")
    expect(page.locator("#board [data-done]")).to_have_count(0)


def test_nothing_moves_with_reduced_motion(new_page: NewPage) -> None:
    board = Board(new_page(reduced_motion="reduce"), level=1)
    row = board.empty[0] // 9
    watch_done(board.page)
    for cell in (cell for cell in board.empty if cell // 9 == row):
        board.write(cell)
    board.page.wait_for_function("() => watched.count >= 9")
    assert board.page.evaluate("[watched.outline, watched.animation]") == ["solid", "none"]


def test_the_solve_is_shared_by_the_clipboard_where_there_is_no_share_sheet(new_page: NewPage) -> None:
    board = Board(new_page(permissions=["clipboard-read", "clipboard-write"]), level=1)
    page = board.page
    board.solve()
    page.locator("#share").click()
    expect(page.locator("#share")).to_have_text("Copied")
    text = page.evaluate("navigator.clipboard.readText()")
    assert text == page.locator("#share-text").input_value()
    assert text.startswith("Ninefold Sudoku ") and "no hints\nhttp" in text
