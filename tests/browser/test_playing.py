"""A puzzle from the home page to the finish: by keyboard, by touch, without JavaScript."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import PHONE, NewPage, Site, givens_of, solution_on


def attempt_id(page: Page) -> str:
    return page.url.rpartition("/")[2].partition("?")[0]


def assert_stored(live: Site, attempt: str, level: int) -> None:
    """The attempt, its moves and its time stand in the database."""
    ((stored_level, finished, elapsed_ms, last_seq),) = live.rows(
        "SELECT level, finished_at, elapsed_ms, last_seq FROM attempt WHERE id = ?", attempt
    )
    assert stored_level == level
    assert finished is not None
    assert elapsed_ms > 0
    assert live.rows("SELECT count(*), max(seq) FROM move WHERE attempt_id = ?", attempt) == [
        (last_seq, last_seq)
    ]


def tab_to(page: Page, selector: str) -> None:
    """Press Tab until the focus stands on or within `selector`."""
    for _ in range(40):
        page.keyboard.press("Tab")
        if page.evaluate("selector => !!document.activeElement.closest(selector)", selector):
            return
    raise AssertionError(f"{selector} is not reached by Tab")


@pytest.mark.parametrize("level", [1, 2, 3, 4, 5])
def test_every_level_can_be_played_with_the_keyboard_alone(page: Page, live: Site, level: int) -> None:
    page.goto("/")
    tab_to(page, f"#new-game button[value='{level}']")
    page.keyboard.press("Enter")
    expect(page.locator("#board")).to_have_attribute("data-state", "playing")
    givens, solution = givens_of(page), solution_on(page)
    tab_to(page, "#board")
    page.keyboard.press("Control+Home")
    for row in range(9):
        for col in range(9):
            cell = 9 * row + col
            expect(page.locator(f"#c{cell}")).to_be_focused()
            if givens[cell] == ".":
                page.keyboard.press(solution[cell])
            page.keyboard.press("ArrowRight")
        page.keyboard.press("ArrowDown")
        page.keyboard.press("Home")
    expect(page.locator("#board")).to_have_attribute("data-state", "solved")
    expect(page.locator("#finish-panel")).to_be_visible()
    expect(page.locator("#status")).to_have_attribute("data-state", "solved")
    assert_stored(live, attempt_id(page), level)


def test_a_puzzle_can_be_played_by_touch_on_a_small_phone(new_page: NewPage, live: Site) -> None:
    page = new_page(viewport=PHONE, has_touch=True, is_mobile=True, device_scale_factor=2)
    page.goto("/")
    page.locator("#new-game button[value='2']").tap()
    expect(page.locator("#board")).to_have_attribute("data-state", "playing")
    givens, solution = givens_of(page), solution_on(page)
    scrollable = page.evaluate("document.documentElement.scrollHeight - innerHeight")
    assert scrollable <= 0, "board, modes and keypad fit without scrolling"
    for cell in range(81):
        if givens[cell] == ".":
            page.locator(f"#c{cell}").tap()
            page.locator(f"#keypad button[value='{solution[cell]}']").tap()
    expect(page.locator("#board")).to_have_attribute("data-state", "solved")
    expect(page.locator("#finish-panel")).to_be_visible()
    assert_stored(live, attempt_id(page), 2)


def test_a_puzzle_can_be_played_without_javascript(new_page: NewPage, live: Site) -> None:
    page = new_page(java_script_enabled=False)
    page.goto("/")
    page.locator("#new-game button[value='1']").click()
    solution = None
    while page.locator("#board").get_attribute("data-state") == "playing":
        empty = page.locator("#board [role=gridcell]:not([data-digit])").first
        cell = int((empty.get_attribute("id") or "").removeprefix("c"))
        if solution is None:
            solution = solution_without_script(page)
        empty.locator("a").click()
        page.locator(f"#keypad button[value='{solution[cell]}']").click()
    expect(page.locator("#board")).to_have_attribute("data-state", "solved")
    expect(page.locator("#finish-panel")).to_be_visible()
    assert_stored(live, attempt_id(page), 1)


def solution_without_script(page: Page) -> str:
    """As `solution_on`, reading attributes one by one, since the page runs no script."""
    import engine

    digits = ["."] * 81
    for cell in page.locator("#board [data-given]").all():
        digits[int((cell.get_attribute("id") or "").removeprefix("c"))] = (
            cell.get_attribute("data-digit") or "."
        )
    solved = engine.solution(engine.parse("".join(digits)))
    assert solved is not None
    return str(solved)


def test_undo_and_redo_survive_a_reload(page: Page) -> None:
    page.goto("/")
    page.locator("#new-game button[value='3']").click()
    empty = page.locator("#board [role=gridcell]:not([data-digit])").first
    name = empty.get_attribute("id")
    cell = page.locator(f"#{name}")
    cell.click()
    page.keyboard.press("4")
    expect(cell).to_have_attribute("data-digit", "4")
    page.keyboard.press("7")
    page.reload()
    expect(cell).to_have_attribute("data-digit", "7")
    cell.click()
    page.keyboard.press("Control+z")
    expect(cell).to_have_attribute("data-digit", "4")
    page.keyboard.press("Control+z")
    expect(cell).not_to_have_attribute("data-digit", "4")
    page.keyboard.press("Control+y")
    expect(cell).to_have_attribute("data-digit", "4")


def test_a_digit_is_painted_while_the_server_is_silent(page: Page) -> None:
    page.goto("/")
    page.locator("#new-game button[value='1']").click()
    expect(page.locator("#board")).to_have_attribute("data-state", "playing")
    page.route("**/moves", lambda _route: None)  # no answer, ever
    empty = page.locator("#board [role=gridcell]:not([data-digit])").first
    cell = page.locator(f"#{empty.get_attribute('id')}")
    cell.click()
    page.keyboard.press("5")
    expect(cell).to_have_attribute("data-digit", "5")


def test_finished_puzzles_and_best_times_are_listed(page: Page) -> None:
    page.goto("/")
    page.locator("#new-game button[value='1']").click()
    givens, solution = givens_of(page), solution_on(page)
    for cell in range(81):
        if givens[cell] == ".":
            page.locator(f"#c{cell}").click()
            page.keyboard.press(solution[cell])
    expect(page.locator("#finish-panel")).to_be_visible()
    page.goto("/attempts")
    expect(page.locator("main table").first).to_be_visible()
