"""Space on the screen: controls that stay visible on a small one, and with text twice as large."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
import sqlalchemy as sa
from playwright.sync_api import Page, ViewportSize, expect

from tests.browser.board import Board, start_ranked, started, type_in
from tests.browser.conftest import DESKTOP, PHONE, NewPage, Site, givens_of
from tests.browser.pages import at, with_games
from tests.thorough import one_in
from tests.webapp.conftest import solution_of
from tests.webapp.learn.pages import drilled
from tests.webapp.play.pages import of_a_puzzle, puzzle_of_the_day, reasoned, reviewed, solved, with_marks
from tests.webapp.visitors import solving_moves
from webapp.game import tour
from webapp.models import Attempt
from webapp.process.database import db, write_tx

ON_ITS_SIDE: ViewportSize = {"width": 640, "height": 360}
TABLET: ViewportSize = {"width": 768, "height": 1024}
TABLET_ON_ITS_SIDE: ViewportSize = {"width": 1024, "height": 768}
WIDE: ViewportSize = {"width": 1440, "height": 900}


def bottom(page: Page, selector: str) -> float:
    box = page.locator(selector).bounding_box()
    assert box
    return box["y"] + box["height"]


def test_on_a_phone_on_its_side_board_keys_and_hint_are_in_sight(new_page: NewPage) -> None:
    page = new_page(viewport=ON_ITS_SIDE)
    reasoned(page)
    board, note = page.locator("#board").bounding_box(), page.locator("#hint-panel").bounding_box()
    assert board and note
    assert note["x"] >= board["x"] + board["width"], "the note lies beside the board"
    assert bottom(page, "#hint-panel .button--primary[name=depth]") <= ON_ITS_SIDE["height"]
    page.locator("#hint-panel [data-close]").click()
    for part in ("#board", "#keypad", ".tools"):
        assert bottom(page, part) <= ON_ITS_SIDE["height"]


def places(page: Page) -> object:
    """Return the places of the page's parts that no note may move."""
    return page.evaluate(
        """() => [".play__title", ".status__time", "#board", ".modes", "#keypad"].map(part => {
            const { x, y, width, height } = document.querySelector(part).getBoundingClientRect();
            return [part, x, y, width, height];
        })"""
    )


@pytest.mark.parametrize(
    "size", one_in(2, [PHONE, TABLET, DESKTOP, TABLET_ON_ITS_SIDE]), ids=lambda size: size["width"]
)
def test_nothing_moves_while_notes_open_and_close(new_page: NewPage, size: ViewportSize) -> None:
    page = new_page(viewport=size)
    board = Board(page)
    note, head = page.locator("#hint-panel"), page.locator("#hint-panel .note__head")
    board.cell(board.empty[0]).click()
    page.evaluate(
        """() => {
            globalThis.shifts = [];
            new PerformanceObserver((list) => shifts.push(...list.getEntries().map(({ value }) => value)))
                .observe({ type: "layout-shift" });
        }"""
    )
    before = places(page)
    for depth in "123":
        board.press("h")
        expect(note).to_have_attribute("data-depth", depth)
        assert places(page) == before
        expect(head).to_be_in_viewport(ratio=1)
        assert head.evaluate("head => head.offsetHeight") < 70, "its title and buttons stand in one row"
        expect(page.locator("#board")).to_be_in_viewport(ratio=1)
        box, keys = note.bounding_box(), page.locator(".modes").bounding_box()
        assert box and keys
        if size == PHONE:
            assert bottom(page, "#board") <= box["y"] and box["y"] + box["height"] <= keys["y"]
        elif size == TABLET:
            assert box["y"] >= bottom(page, ".tools"), "it covers nothing"
    board.press("Escape", "Enter")
    expect(page.locator("#check-result")).to_be_visible()
    assert places(page) == before
    board.press("Escape")
    expect(page.locator("#check-result")).to_be_hidden()
    assert places(page) == before
    moved = page.evaluate(
        "() => new Promise(done => requestAnimationFrame(() => setTimeout(() => done(shifts))))"
    )
    assert moved == [] or size == PHONE  # there the note itself grows upward


def test_a_banner_covers_neither_head_nor_board_nor_keys(page: Page) -> None:
    start_ranked(page)
    before = {}
    for size in (PHONE, ON_ITS_SIDE, TABLET, DESKTOP):
        page.set_viewport_size(size)
        before[size["width"], size["height"]] = places(page)
    page.locator("#hint").click()
    for (width, height), without in before.items():
        page.set_viewport_size({"width": width, "height": height})
        expect(page.locator("#banner")).to_be_in_viewport(ratio=1)
        assert places(page) == without
        banner = page.locator("#banner").bounding_box()
        assert banner
        for part in (".play__head", "#board", ".modes", "#keypad", ".tools"):
            box = page.locator(part).bounding_box()
            assert box
            apart = (
                banner["y"] >= box["y"] + box["height"]
                or box["y"] >= banner["y"] + banner["height"]
                or banner["x"] >= box["x"] + box["width"]
            )
            assert apart, f"{part} is covered at {width}"
        expect(page.locator(".status__note")).to_have_text("Ranked")
        expect(page.locator(".status__note")).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize("reach", [with_marks, solved, reviewed])
def test_with_text_twice_as_large_nothing_is_cut_off_at_the_side(
    page: Page, reach: Callable[[Page], object]
) -> None:
    reach(page)
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    for width in (360, 768):
        page.set_viewport_size({"width": width, "height": 1024})
        assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_on_a_phone_a_step_of_the_path_brings_the_board_into_sight(new_page: NewPage) -> None:
    page = new_page()
    reviewed(page)
    page.set_viewport_size(PHONE)
    run = page.locator(".review__run").last
    run.locator("> details > summary").click()
    step = run.locator(".review__step").last
    step.locator("summary").click()
    step.get_by_role("link", name="Show on board").click()
    expect(page.locator("#overlay")).to_be_visible()
    expect(page.locator("#board")).to_be_in_viewport(ratio=0.99)


def test_a_long_path_scrolls_beside_the_board(new_page: NewPage) -> None:
    page = new_page(viewport=PHONE)
    board = Board(page)
    board.solve()
    page.get_by_role("link", name="Review").click()
    expect(page.locator(".review__step").nth(20)).to_be_attached()
    assert page.evaluate("document.documentElement.scrollHeight") < 4 * PHONE["height"]


def test_without_a_script_a_hint_leaves_the_keys_in_reach(new_page: NewPage) -> None:
    page = new_page(viewport=PHONE, java_script_enabled=False)
    page.goto("/attempts")
    page.locator("#new-game button[value='1']").click()
    page.locator("#hint").click()
    expect(page.locator("#hint-panel")).to_be_visible()
    page.locator("#board a").first.click()
    page.locator("#keypad button").first.click(trial=True)  # nothing covers it


@pytest.mark.parametrize("reach", [of_a_puzzle, puzzle_of_the_day])
def test_on_a_phone_what_is_to_be_pressed_is_in_sight_above_the_ways(
    new_page: NewPage, reach: Callable[[Page], object]
) -> None:
    page = new_page()
    reach(page)
    page.set_viewport_size(PHONE)
    ways = page.locator(".site__nav").bounding_box()
    assert ways
    assert bottom(page, ".puzzle .button--primary") <= ways["y"]


@pytest.mark.parametrize(
    ("reach", "part"), [(at("/practice/x_wing"), ".marking__pad"), (drilled, ".drill__next .button--primary")]
)
def test_on_a_phone_a_drill_has_the_page_to_itself(
    new_page: NewPage, reach: Callable[[Page], object], part: str
) -> None:
    page = new_page(viewport=PHONE)
    reach(page)
    expect(page.locator(".site__nav")).to_be_hidden()
    assert bottom(page, part) <= PHONE["height"]


def test_a_newcomers_keys_keep_their_place_on_a_phone_and_nothing_covers_them(new_page: NewPage) -> None:
    page = new_page(viewport=PHONE)
    page.goto("/")
    started(page)
    keys, tabs = page.locator("#keypad"), page.locator(".site__nav")
    for height in (640, 740):
        page.set_viewport_size({"width": 360, "height": height})
        bar, place = tabs.bounding_box(), keys.bounding_box()
        assert bar
        assert bottom(page, "#keypad") <= bar["y"]
    for step in tour.STEPS:
        keys.locator(f"button[value='{step.digit}']").click()
        assert keys.bounding_box() == place
    for tool in ("#undo", "#check", "#hint"):
        page.locator(tool).click(trial=True)
        assert bottom(page, tool) <= 740


CONTROLS = """[...document.querySelectorAll(":is(a, button, summary, input):not([role=grid] *, .site__skip)")]
    .filter((each) => each.checkVisibility()).map((each) => each.ariaLabel || each.innerText)"""


@pytest.mark.parametrize(("reach", "most"), [(at("/"), 20), (with_games("/"), 20), (with_marks, 23)])
def test_a_page_has_few_controls_beside_the_cells(
    page: Page, reach: Callable[[Page], object], most: int
) -> None:
    reach(page)
    for size in (PHONE, TABLET, DESKTOP, WIDE):
        page.set_viewport_size(size)
        controls = page.evaluate(CONTROLS)
        assert 10 < len(controls) <= most, (size, controls)


def test_the_end_of_a_daily_fits_one_screen_of_a_phone(live: Site, page: Page) -> None:
    start_ranked(page)
    with live.app.app_context(), write_tx():  # instead of waiting for minutes
        attempt = db.session.get_one(Attempt, page.url.rpartition("/")[2])
        attempt.started_at -= timedelta(minutes=6)
        attempt.steady_start = sa.null()
    givens = givens_of(page)
    type_in(page, {cell: digit for _kind, cell, digit in solving_moves(givens, solution_of(givens))})
    expect(page.locator("#finish-title")).to_be_visible()
    for width in (360, 390):
        page.set_viewport_size({"width": width, "height": 740})
        ends = "document.querySelector('.finish').getBoundingClientRect().bottom + scrollY"
        assert page.evaluate(ends) <= 740
        assert page.evaluate("document.documentElement.scrollWidth") <= width
