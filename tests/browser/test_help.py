"""Hints, checks and looking back in a player's browser."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.board import Board, started
from tests.browser.conftest import PHONE, NewPage
from tests.browser.network import divert
from tests.browser.pages import GRID


@pytest.fixture
def board(page: Page) -> Board:
    return Board(page)


def test_a_hint_goes_deeper_with_each_press_and_is_carried_out_at_last(board: Board) -> None:
    page = board.page
    board.write(board.empty[0])
    for depth in ("1", "2", "3"):
        board.press("h")
        expect(page.locator("#hint-panel")).to_have_attribute("data-depth", depth)
        expect(page.locator("#hint-title")).to_be_focused()
    filled = page.locator("#board [data-digit]").count()
    board.press("h")
    expect(page.locator("#board [data-digit]")).to_have_count(filled + 1)
    board.stored()
    _seq, kind, cell, _digit = board.kept()["moves"][-1]
    assert kind == "digit"
    expect(page.locator("#hint-panel")).to_be_hidden()
    board.says("Applied.")
    assert board.selected() == [int(cell)]
    expect(board.cell(int(cell))).to_be_focused()


def test_where_no_help_is_given_the_servers_own_reason_is_shown(board: Board) -> None:
    page = board.page
    page.evaluate("document.querySelector('form[data-command=hint] [name=csrf_token]').value = 'spoilt'")
    for _again in range(2):
        page.locator("#hint").click()
        expect(page.locator("#banner")).to_have_text(
            "This page has expired. Go back, reload it and try again."
        )
        expect(page.locator("#hint")).to_have_attribute("aria-disabled", "false")
        page.locator("#banner .banner__close").click()
    board.write(board.empty[0])
    board.stored()


def test_closing_a_note_gives_the_focus_back_to_the_cell(board: Board) -> None:
    page = board.page
    cell = board.cell(board.empty[0])
    for close in ("Escape", "button"):
        cell.click()
        board.press("h")
        expect(page.locator("#hint-title")).to_be_focused()
        if close == "button":
            page.locator("#hint-panel [data-close]").click()
        else:
            board.press("Escape")
        expect(page.locator("#hint-panel")).to_be_hidden()
        expect(cell).to_be_focused()


def test_a_closed_note_stays_closed_when_the_page_is_loaded_again(board: Board) -> None:
    page = board.page
    panel = page.locator("#hint-panel")
    board.cell(board.empty[0]).click()
    board.press("h")
    expect(panel).to_be_visible()
    page.reload()
    expect(panel).to_be_visible()
    panel.locator("[data-close]").click()
    page.reload()
    started(page)
    expect(panel).to_be_hidden()
    expect(page.locator("#overlay *")).to_have_count(0)
    board.press("h")
    expect(panel).to_be_visible()
    board.press("p")
    expect(panel).to_be_hidden()


def test_a_digit_typed_while_reading_a_note_is_written_in_the_chosen_cell(board: Board) -> None:
    cell = board.cell(board.empty[0])
    cell.click()
    board.press("h")
    expect(board.page.locator("#hint-title")).to_be_focused()
    board.press(board.solution[board.empty[0]])
    expect(cell).to_have_attribute("data-digit", board.solution[board.empty[0]])
    expect(board.page.locator("#hint-panel")).to_be_hidden()
    expect(cell).to_be_focused()


def test_the_cells_a_hint_names_light_up(board: Board) -> None:
    page = board.page
    board.hint()
    assert page.locator("#overlay *").count() > 0
    spot = page.locator("#hint-panel .note__body [data-cells]").first
    named = (spot.get_attribute("data-cells") or "").split(",")
    spot.hover()
    expect(page.locator("#board [data-lit]")).to_have_count(len(named))
    spot.click()
    assert board.selected() == sorted(map(int, named))


def test_a_hint_describes_its_cells_and_is_one_tab_stop(board: Board) -> None:
    page = board.page
    board.hint()
    told = page.locator("#board [aria-describedby]")
    assert told.count() > 0
    expect(told.last).to_have_accessible_description(re.compile("part of the pattern|goes here|ruled out"))
    spots = page.locator("#hint-panel .spot:visible")
    board.press("Tab", "Tab", "Tab", "Tab")  # after the name of the technique, Apply and Close
    expect(spots.first).to_be_focused()
    selected = board.selected()
    board.press("ArrowRight")
    expect(spots.nth(1)).to_be_focused()
    assert board.selected() == selected
    board.press("Tab")
    assert page.evaluate("!document.activeElement.matches('.spot')")
    board.press("Escape")
    expect(told).to_have_count(0)


STEPS = "".join(f'<li data-step="{n}">Link {n}.</li>' for n in (1, 2, 3))
STEPS = f'<details><summary>Show all</summary><ol class="steps">{STEPS}</ol></details>'
LINKS = "".join(f'<path class="overlay__link" data-step="{n} {n + 1}" d="M1 1L9 9"/>' for n in (1, 2, 3))


def test_a_long_proof_is_read_step_by_step_with_the_board(board: Board) -> None:
    page = board.page
    items, links = page.locator(".steps > li:visible"), page.locator("#overlay [data-step]:not([hidden])")

    def lengthen(route: Route) -> None:
        """Respond with a proof of three steps."""
        answer = route.fetch()
        text = re.sub(r'(?=</div>\s*<div class="pager)', STEPS, answer.text())
        route.fulfill(response=answer, body=text.replace("</svg>", f"{LINKS}</svg>", 1))

    divert(page, "**/hints", lengthen)
    board.cell(board.empty[0]).click()
    board.press("h")
    expect(page.locator(".pager__at")).to_have_text("All 3 steps")
    expect(items).to_have_count(0)  # collapsed
    expect(links).to_have_count(3)
    page.locator("[data-page='1']").focus()
    board.press("Enter")
    expect(page.locator(".pager__at")).to_have_text("Step 1 of 3")
    board.says("Step 1 of 3. Link 1.")
    expect(items).to_have_text(["Link 1."])
    expect(links).to_have_count(1)
    board.press("Enter", "Enter", "Enter")
    expect(page.locator("[data-page='1']")).to_have_attribute("aria-disabled", "true")
    expect(items).to_have_text(["Link 3."])
    expect(links).to_have_count(2)
    page.locator("[data-page='-1']").click()
    expect(items).to_have_text(["Link 2."])
    page.locator("[data-page='0']").click()
    expect(items).to_have_count(3)
    expect(links).to_have_count(3)


def test_a_check_names_what_is_wrong_and_leads_back(board: Board) -> None:
    page = board.page
    cell = board.empty[0]
    board.write(cell, next(digit for digit in "123456789" if digit != board.solution[cell]))
    board.press("Enter")
    expect(page.locator("#check-result")).to_have_attribute("data-wrong", "1")
    page.locator("#check-result button[name=back]").click()
    expect(page.locator(f"#c{cell}[data-digit]")).to_have_count(0)


def test_the_slider_of_the_review_draws_each_move(board: Board) -> None:
    page = board.page
    board.solve()
    page.get_by_role("link", name="Review").click()
    slider = page.locator("#move")
    slider.fill("2")
    expect(board.cell(board.empty[1])).to_have_attribute("data-digit", board.solution[board.empty[1]])
    assert page.locator(f"#c{board.empty[2]}[data-digit]").count() == 0
    expect(page.locator("output")).to_contain_text(f"2 of {len(board.empty)}")
    page.get_by_role("link", name="Previous", exact=True).click()
    expect(slider).to_have_js_property("value", "1")
    assert "move=" not in page.url, "the page was not loaded again"


def test_a_puzzle_is_typed_into_the_board_of_fields(board: Board) -> None:
    page = board.page
    page.goto("/enter")
    expect(page.locator("#entry [tabindex='0']")).to_have_count(1)
    fields = page.locator("#entry [name=cell]")
    for cell in board.given:
        if cell == 0 or board.givens[cell - 1] == ".":
            fields.nth(cell).focus()  # after a digit the focus moves to the next field
        page.keyboard.press(board.givens[cell])
    expect(page.locator("#verdict")).to_have_attribute("data-playable", "yes")
    fields.nth(0).focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("End")
    expect(fields.nth(17)).to_be_focused()
    page.locator("#grid").fill("11" + board.givens[2:])
    expect(page.locator("#verdict")).to_have_attribute("data-playable", "no")
    expect(fields.nth(1)).to_have_value("1")
    expect(fields.nth(1)).to_have_attribute("aria-invalid", "true")


def test_a_puzzle_is_entered_by_thumb_without_a_keyboard_coming_up(new_page: NewPage) -> None:
    page = new_page(viewport=PHONE, has_touch=True, is_mobile=True)
    page.goto("/enter")
    fields = page.locator("#entry [name=cell]")
    expect(fields.first).to_have_attribute("inputmode", "none")
    page.locator("#grid").fill(GRID[:63] + "." * 18)
    expect(fields.nth(3)).to_have_value(GRID[3])
    fields.nth(63).tap()
    for digit in GRID[63:]:
        page.get_by_role("button", name="Empty cell" if digit == "." else digit, exact=True).tap()
    expect(fields.last).to_be_focused()
    expect(page.locator("#verdict")).to_have_attribute("data-playable", "yes")
    expect(page.locator("#grid")).to_have_value(GRID)
    play = page.get_by_role("button", name="Play", exact=True)
    expect(play).not_to_be_in_viewport()
    page.get_by_role("button", name="Check puzzle").tap()
    expect(play).to_be_in_viewport(ratio=1)
    page.goto(f"/enter?grid={GRID}")  # a friend's
    expect(play).to_be_in_viewport(ratio=1)


def test_digits_without_a_count_stand_in_the_middle_of_their_keys(new_page: NewPage) -> None:
    page = new_page(viewport=PHONE, has_touch=True, is_mobile=True)
    page.goto("/enter")
    key = page.locator(".enter__keys .key").first
    outer, inner = key.bounding_box(), key.locator(".key__digit").bounding_box()
    assert outer and inner
    assert abs(outer["y"] + outer["height"] / 2 - inner["y"] - inner["height"] / 2) < 1.5


def test_a_puzzle_is_pasted_into_the_board(new_page: NewPage) -> None:
    page = new_page(permissions=["clipboard-read", "clipboard-write"])
    page.goto("/enter")
    page.locator("#entry [tabindex='0']").focus()
    page.evaluate("text => navigator.clipboard.writeText(text)", GRID)
    page.keyboard.press("ControlOrMeta+V")
    expect(page.locator("#verdict")).to_have_attribute("data-playable", "yes")
    expect(page.locator("#entry [name=cell]").nth(3)).to_have_value(GRID[3])


def test_a_step_of_the_path_is_drawn_on_the_board_of_the_review(board: Board) -> None:
    page = board.page
    board.solve()
    page.get_by_role("link", name="Review").click()
    page.locator(".review__run > details > summary").first.click()
    page.locator("#step-2 summary").click()
    page.locator("#step-2").get_by_role("link", name="Show on board").click()
    expect(page.locator("#overlay")).to_be_visible()
    assert "step=" not in page.url, "the page was not loaded again"
    page.locator("#step-2 [data-cells]").first.hover()
    assert page.locator("#board [data-lit]").count() > 0
    page.locator("#move").fill("1")
    expect(page.locator("#overlay")).to_have_count(0)
    expect(board.cell(board.empty[0])).to_have_attribute("data-digit", board.solution[board.empty[0]])


def test_a_tool_pointed_at_or_focused_says_what_it_does_and_moves_nothing(board: Board) -> None:
    page = board.page
    places = (
        "() => [...document.querySelectorAll('.play button')].map(e => e.getBoundingClientRect().toJSON())"
    )
    before = page.evaluate(places)
    tip = page.locator("[data-tip=hint]")
    expect(tip).to_be_hidden()
    page.locator("#hint").hover()
    expect(tip).to_be_visible()
    expect(tip).to_have_text("Say where to look (free unless you’re ranked) H")
    page.locator("#undo").focus()
    page.keyboard.press("Tab")
    expect(page.locator("[data-tip=redo]")).to_be_visible()
    assert page.evaluate(places) == before
