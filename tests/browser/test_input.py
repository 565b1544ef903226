"""Touch and keys on the board: selection, marks, colors, locking, the sheets."""

from __future__ import annotations

from itertools import combinations, pairwise

import pytest
from playwright.sync_api import FloatRect, Page, expect

from tests.browser.board import Board, started
from tests.browser.conftest import PHONE, NewPage
from tests.test_contrast import contrast


@pytest.fixture
def board(page: Page) -> Board:
    return Board(page)


def test_the_grid_is_one_tab_stop_of_named_cells(board: Board) -> None:
    given, empty = board.given[0], board.empty[0]
    assert board.name(given).endswith(f", {board.givens[given]}, given")
    assert board.name(empty) == f"Row {empty // 9 + 1}, column {empty % 9 + 1}, box 1, empty" or empty % 9 > 2
    expect(board.page.locator("#board :is([tabindex='0'], a[href])")).to_have_count(1)


def test_the_module_draws_what_the_server_drew(board: Board) -> None:
    page = board.page
    one, two, three = board.empty[:3]
    board.write(one, board.givens[board.given[0]])
    board.cell(two).click()
    board.press("Shift+Digit3", "Control+Digit4", "Control+Shift+Digit5")
    board.cell(three).click()
    board.press("f")
    board.press("x", board.pencilled(three, "open")[0])
    board.stored()
    painted = page.eval_on_selector_all(
        "#board .cell", "cells => cells.map(cell => cell.innerText + cell.querySelectorAll('.tint').length)"
    )
    names = [board.name(cell) for cell in range(81)]
    response = page.request.get(page.url)
    page.set_content(response.text().replace("<script", "<template").replace("</script", "</template"))
    drawn = page.eval_on_selector_all(
        "#board .cell", "cells => cells.map(cell => cell.innerText + cell.querySelectorAll('.tint').length)"
    )
    assert [text.split() for text in drawn] == [text.split() for text in painted]
    assert [board.name(cell) for cell in range(81)] == names


def test_a_conflict_is_shown_by_more_than_colour(board: Board) -> None:
    given = next(cell for cell in board.given if any(other // 9 == cell // 9 for other in board.empty))
    cell = next(other for other in board.empty if other // 9 == given // 9)
    board.write(cell, board.givens[given])
    for clashing in (cell, given):
        expect(board.cell(clashing)).to_have_attribute("aria-invalid", "true")
        assert "in conflict" in board.name(clashing)
        line = board.cell(clashing).locator(".cell__digit")
        assert "wavy" in line.evaluate("digit => getComputedStyle(digit).textDecorationStyle")


def test_dragging_chooses_the_cells_it_passes(board: Board) -> None:
    mouse = board.page.mouse
    for index, cell in enumerate((0, 4, 40)):
        box = board.cell(cell).bounding_box()
        assert box
        mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        if index == 0:
            mouse.down()
    mouse.up()
    assert board.selected() == [0, 1, 2, 3, 4, 13, 22, 31, 40]


def test_several_cells_can_be_chosen_one_tap_at_a_time(new_page: NewPage) -> None:
    board = Board(new_page(viewport=PHONE, has_touch=True, is_mobile=True))
    board.page.locator("#several").tap()
    for cell in board.empty[:3]:
        board.cell(cell).tap()
    assert board.selected() == board.empty[:3]
    board.cell(board.empty[1]).tap()
    assert board.selected() == [board.empty[0], board.empty[2]]
    board.page.locator(".modes [value=corner]").tap()
    board.page.locator("#keypad button[value='6']").tap()
    assert [board.pencilled(cell) for cell in board.empty[:3]] == ["6", "", "6"]


def test_twice_on_a_digit_chooses_all_like_it(board: Board) -> None:
    digit = board.givens[board.given[0]]
    board.cell(board.given[0]).dblclick()
    assert board.selected() == [cell for cell in range(81) if board.givens[cell] == digit]


def test_a_key_held_down_is_locked_and_given_to_every_touched_cell(board: Board) -> None:
    page = board.page
    digit = board.solution[board.empty[0]]
    key = page.locator(f"#keypad button[value='{digit}']")
    key.click(delay=600)
    expect(key).to_have_attribute("aria-pressed", "true")
    same = [cell for cell in board.empty if board.solution[cell] == digit]
    for cell in same:
        board.cell(cell).click()
        expect(board.cell(cell)).to_have_attribute("data-digit", digit)
    other = next(cell for cell in board.given if board.givens[cell] != digit)
    board.cell(other).click()  # a placed digit takes over the lock
    expect(page.locator(f"#keypad button[value='{board.givens[other]}']")).to_have_attribute(
        "aria-pressed", "true"
    )
    board.press("Escape")
    expect(page.locator("#keypad [aria-pressed=true]")).to_have_count(0)


def test_with_a_digit_locked_colours_go_to_its_candidates(board: Board) -> None:
    cell = board.empty[0]
    board.cell(cell).click()
    board.press("f")
    digit = board.pencilled(cell, "open")[0]
    board.page.locator(f"#keypad button[value='{digit}']").click(delay=600)
    board.press("Control+Shift+Digit3")
    expect(board.cell(cell).locator(f".pencil--{digit} .tint--3")).to_have_count(1)
    assert board.kept()["moves"][-1][1:] == ["colour", f"{cell}:{digit}", 3]


def test_single_letters_can_be_switched_off(board: Board) -> None:
    page = board.page
    page.locator("[data-sheet=settings-panel]:visible").first.click()
    page.locator("#settings-panel input[name=letters][value=off]").check()
    page.keyboard.press("Escape")
    board.cell(board.empty[0]).click()
    board.press("x")
    expect(page.locator(".modes [aria-pressed=true]")).to_have_attribute("value", "digit")
    page.reload()
    board.cell(board.empty[0]).click()
    board.press("x")
    expect(page.locator(".modes [aria-pressed=true]")).to_have_attribute("value", "digit")


def test_keys_work_on_after_a_click_on_a_blank_place(board: Board) -> None:
    page = board.page
    cell = board.empty[0]
    board.cell(cell).click()
    for blank in (".play__title", ".play__side", ".site"):
        page.locator(blank).click(position={"x": 2, "y": 2})
        expect(page.locator("body")).to_be_focused()
        board.press("Backspace", board.solution[cell])
        expect(board.cell(cell)).to_have_attribute("data-digit", board.solution[cell])
    page.locator("#undo").click()
    expect(board.cell(cell)).not_to_have_attribute("data-digit", board.solution[cell])
    board.press("p")
    expect(page.locator("#board")).to_have_attribute("data-state", "paused")
    board.press("p")
    expect(page.locator("#board")).to_have_attribute("data-state", "playing")
    page.locator(".play__title").click()
    board.press("?")
    expect(page.locator("#help")).to_be_visible()
    board.press("1", "Escape")
    expect(board.cell(cell)).not_to_have_attribute("data-digit", "1")
    page.locator(".play__title").click()
    board.press("h")
    expect(page.locator("#hint-panel")).to_be_visible()
    board.press("Escape", "ArrowRight")
    expect(page.locator("#hint-panel")).to_be_hidden()
    expect(page.locator("#board [data-cursor]")).to_be_focused()


def test_the_first_arrow_moves_on_from_a_cell_that_came_selected(board: Board) -> None:
    page = board.page
    page.goto(f"{page.url}?cell=2")
    started(page)
    board.press("ArrowRight")
    assert board.selected() == [3]
    expect(board.cell(3)).to_be_focused()


def test_what_is_pressed_can_be_read_under_the_pointer(new_page: NewPage) -> None:
    page = new_page(reduced_motion="reduce")
    board = Board(page)
    board.press("f")
    page.locator("#several").click()
    for theme in ("light", "dark", "contrast"):
        page.evaluate("theme => document.documentElement.dataset.ui = `theme-${theme}`", theme)
        for button in page.locator(".controls [aria-pressed=true]").all():
            button.hover()
            ink, ground = button.evaluate(
                """button => {
                    const { color, backgroundColor } = getComputedStyle(button);
                    const hex = text => `#${text.match(/\\d+/g).slice(0, 3).map(
                        part => Number(part).toString(16).padStart(2, "0")).join("")}`;
                    return [hex(color), hex(backgroundColor)];
                }"""
            )
            assert contrast(ink, ground) >= 4.5, f"{theme}: {button.inner_text()}"


def test_letters_do_nothing_while_the_keyboard_is_on_a_button(board: Board) -> None:
    page = board.page
    page.locator("#undo").focus()
    board.press("x", "5")
    expect(page.locator(".modes [aria-pressed=true]")).to_have_attribute("value", "digit")
    assert board.kept()["moves"] == []


def test_a_chosen_theme_is_there_before_the_first_paint(board: Board) -> None:
    page = board.page
    page.locator("[data-sheet=settings-panel]:visible").first.click()
    page.locator("#settings-panel input[name=theme][value=dark]").check()
    assert 'data-ui="theme-dark"' in page.request.get("/").text()
    page.goto("/")
    assert page.evaluate("getComputedStyle(document.documentElement).backgroundColor") == "rgb(21, 20, 23)"


def test_on_a_phone_gestures_come_before_keys_and_the_buttons_of_settings_stand_apart(
    new_page: NewPage,
) -> None:
    page = new_page(viewport=PHONE, has_touch=True, is_mobile=True)
    Board(page)
    page.locator("[data-sheet=settings-panel]:visible").tap()
    boxes = [box for each in page.locator("#settings-panel p").all() if (box := each.bounding_box())]
    assert all(gap(one, two) >= 8 for one, two in pairwise(boxes))
    page.locator("#settings-panel [data-sheet=help]").tap()
    tops = {each.inner_text(): each.bounding_box() for each in page.locator("#help h3").all()}
    assert min(tops, key=lambda title: (tops[title] or boxes[0])["y"]) == "Touch"


def test_pause_covers_the_board_and_nothing_is_taken_meanwhile(board: Board) -> None:
    page = board.page
    cell = board.empty[0]
    board.cell(cell).click()
    board.press("p")
    expect(page.locator("#board")).to_have_attribute("data-state", "paused")
    expect(page.locator("#resume")).to_be_focused()
    assert (
        page.locator("#board .cell__ink").first.evaluate("ink => getComputedStyle(ink).visibility")
        == "hidden"
    )
    page.keyboard.press("Enter")
    expect(page.locator("#board")).to_have_attribute("data-state", "playing")
    expect(board.cell(cell)).to_be_focused()
    assert [move[1] for move in board.kept()["moves"]] == ["pause", "resume"]


def test_while_paused_keys_and_tools_are_out_of_reach_and_no_help_is_asked_for(board: Board) -> None:
    page = board.page
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url.rpartition("/")[2]))
    page.locator("#hint").focus()
    page.evaluate("dispatchEvent(new Event('pagehide'))")
    expect(page.locator("#resume")).to_be_focused()
    expect(page.locator(".controls")).to_have_js_property("inert", True)
    page.locator("#hint").click(force=True)
    page.locator("#resume").focus()
    board.press("h")
    board.says("Paused")
    board.press("Enter")
    expect(page.locator(".controls")).to_have_js_property("inert", False)
    assert "hints" not in asked


def test_the_focus_never_falls_to_the_body(board: Board) -> None:
    page = board.page
    for command in ("digit", "undo", "redo"):
        if command == "digit":
            board.write(board.empty[0])
        else:
            page.locator(f"#{command}").focus()
            page.keyboard.press("Enter")
        board.stored()
        assert page.evaluate("document.activeElement !== document.body"), command
    page.locator("#undo").focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")  # nothing left to undo; the button keeps the focus
    expect(page.locator("#undo")).to_be_focused()


def gap(one: FloatRect, two: FloatRect) -> float:
    """Return how far two boxes are apart, across or down."""
    across = max(one["x"] - two["x"] - two["width"], two["x"] - one["x"] - one["width"])
    down = max(one["y"] - two["y"] - two["height"], two["y"] - one["y"] - one["height"])
    return round(max(across, down), 2)


def test_board_modes_and_keys_fit_without_scrolling(board: Board) -> None:
    page = board.page
    for width, height in ((360, 640), (390, 844), (768, 1024), (640, 360), (1280, 800), (1920, 1080)):
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate("document.documentElement.scrollHeight - innerHeight") <= 0, width
        assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0, width
        sizes = page.eval_on_selector_all(
            "#keypad button, .tools button, .modes button",
            "all => all.map(each => each.getBoundingClientRect()).map(box => [box.width, box.height])",
        )
        keys, others = sizes[4:13], [*sizes[:4], *sizes[14:]]
        assert all(wide >= 56 and tall >= 48 for wide, tall in keys), width
        assert all(wide >= 44 and tall >= 44 for wide, tall in others), width
        cell = board.cell(0).bounding_box()
        assert cell and cell["width"] >= min((width - 16) // 9, (height - 66) // 9, 60)
        for group in ("#keypad button", ".tools button"):
            boxes = [box for each in page.locator(group).all() if (box := each.bounding_box())]
            assert min(map(gap, *zip(*combinations(boxes, 2), strict=True))) >= 8, width
