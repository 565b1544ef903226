"""Copying a position, and opening it elsewhere as it is on the board."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.board import Board
from tests.browser.conftest import PHONE, NewPage

CLIPBOARD = ["clipboard-read", "clipboard-write"]


def test_the_position_is_the_boards_even_if_its_last_move_was_just_made(new_page: NewPage) -> None:
    page = new_page(viewport=PHONE, has_touch=True, is_mobile=True, permissions=CLIPBOARD)
    board = Board(page)
    board.write(board.empty[0])
    page.get_by_role("button", name="Settings").tap()
    page.get_by_role("button", name="Export").tap()
    copy = page.get_by_role("button", name="Copy All digits, 81 characters")
    copy.tap()
    expect(page.get_by_role("button", name="Copied")).to_be_focused()
    line = page.evaluate("navigator.clipboard.readText()")
    assert (
        line
        == board.givens[: board.empty[0]]
        + board.solution[board.empty[0]]
        + board.givens[board.empty[0] + 1 :]
    )
    page.get_by_role("link", name="Back to your game").tap()
    expect(board.cell(board.empty[0])).to_have_attribute("data-digit", line[board.empty[0]])
