"""Room on the screen: what stays in sight on a small one, and with text twice as large."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from tests.browser.board import Board
from tests.browser.conftest import PHONE, NewPage
from tests.browser.pages import asked, reviewed, solved, with_marks

ON_ITS_SIDE: ViewportSize = {"width": 640, "height": 360}


def bottom(page: Page, selector: str) -> float:
    box = page.locator(selector).bounding_box()
    assert box
    return box["y"] + box["height"]


def test_on_a_phone_on_its_side_board_keys_and_hint_are_in_sight(new_page: NewPage) -> None:
    page = new_page(viewport=ON_ITS_SIDE)
    asked(3)(page)
    board, note = page.locator("#board").bounding_box(), page.locator("#hint-panel").bounding_box()
    assert board and note
    assert note["x"] >= board["x"] + board["width"], "the note lies beside the board"
    assert bottom(page, "#hint-panel button[name=depth]") <= ON_ITS_SIDE["height"]
    page.locator("#hint-panel [data-close]").click()
    for part in ("#board", "#keypad", ".tools"):
        assert bottom(page, part) <= ON_ITS_SIDE["height"]


@pytest.mark.parametrize("reach", [with_marks, solved, reviewed])
@pytest.mark.parametrize("width", [360, 768])
def test_with_text_twice_as_large_nothing_is_cut_off_at_the_side(
    new_page: NewPage, reach: Callable[[Page], object], width: int
) -> None:
    page = new_page()
    reach(page)
    page.set_viewport_size({"width": width, "height": 1024})
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_on_a_phone_a_step_of_the_path_brings_the_board_into_sight(new_page: NewPage) -> None:
    page = new_page()
    reviewed(page)
    page.set_viewport_size(PHONE)
    step = page.locator(".review__step").nth(30)
    step.locator("summary").click()
    step.get_by_role("link", name="Show on board").click()
    expect(page.locator("#overlay")).to_be_visible()
    expect(page.locator("#board")).to_be_in_viewport(ratio=0.99)


def test_a_long_path_scrolls_beside_the_board(new_page: NewPage) -> None:
    page = new_page(viewport=PHONE)
    board = Board(page)
    board.solve()
    page.get_by_role("link", name="Review").click()
    assert page.locator(".review__step").count() > 20
    assert page.evaluate("document.documentElement.scrollHeight") < 4 * PHONE["height"]
