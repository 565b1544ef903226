"""The laboratory in the browser: five systems by keys, and on one screen."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

import engine
from engine import Recipe
from engine.traces import TRACES, make
from tests.browser.conftest import DESKTOP, PHONE, NewPage
from tests.browser.hands import tab_to
from tests.browser.test_accessibility import violations
from tests.thorough import THOROUGH
from webapp.play.lab.routes import EXAMPLE
from webapp.play.lab.systems import SYSTEMS

GRID = engine.parse(EXAMPLE)
SIZES = {"360": PHONE, "1280": DESKTOP}
STEPS = 4
SEED = 7
# Each system by keys in one width; all in both with THOROUGH=1.
WALKED = {"360": "ace", "1280": "bd"} if not THOROUGH else dict.fromkeys(("360", "1280"), "abcde")


def board(page: Page) -> str:
    """Return the digits on the panel's board."""
    cells: list[str] = page.eval_on_selector_all(
        "#board .cell", "cells => cells.map(cell => cell.dataset.digit ?? '.')"
    )
    return "".join(cells)


def at_step(page: Page, letter: str, step: int) -> None:
    bench = page.locator(f".lab__bench[data-system='{letter}'][data-step='{step}']")
    expect(bench).to_be_visible()


def shown_at(letter: str, step: int) -> str:
    """Return the engine's position; the rules show the board on which a step was found."""
    trace = TRACES[SYSTEMS[letter].key](GRID)
    return str(trace.grid_at(min(max(0, step - 1) if letter == "b" else step, len(trace))))


@pytest.mark.parametrize("width", WALKED)
def test_all_five_systems_are_walked_by_keys_alone(new_page: NewPage, width: str) -> None:
    page = new_page(viewport=SIZES[width], reduced_motion="reduce")
    page.goto(f"/lab?grid={EXAMPLE}")
    tab_to(page, "#lab-panel", most=60)
    for letter in WALKED[width]:
        if letter != "a":
            tab_to(page, f"#lab-{letter}", most=60)  # around through the footer
            page.keyboard.press("Enter")
            at_step(page, letter, 0)
            expect(page.locator(f"#lab-{letter}")).to_be_focused()
        count = len(TRACES[SYSTEMS[letter].key](GRID)) + (letter == "b")
        for step in range(1, STEPS + 1):
            page.keyboard.press("ArrowRight")
            at_step(page, letter, step)
            assert board(page) == shown_at(letter, step)
        expect(page.locator("#lab-status")).to_have_text(page.locator("#lab-said").inner_text())
        page.keyboard.press("ArrowLeft")
        at_step(page, letter, STEPS - 1)
        assert violations(page) == []
        page.locator("#lab-last").focus()
        page.keyboard.press("Enter")
        at_step(page, letter, count)
        assert board(page) == shown_at(letter, count)
        page.locator("#lab-panel").focus()
        page.keyboard.press("ArrowRight")  # there is no further step
        page.keyboard.press("ArrowLeft")
        at_step(page, letter, count - 1)
        page.locator("#lab-first").focus()
        page.keyboard.press("Enter")
        at_step(page, letter, 0)
        assert f"system={letter}" in page.url
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize("width", WALKED)
def test_all_five_make_a_puzzle_step_by_step_by_keys_alone(new_page: NewPage, width: str) -> None:
    page = new_page(viewport=SIZES[width], reduced_motion="reduce")
    for letter in WALKED[width]:
        page.goto(f"/lab/make?system={letter}&seed={SEED}")
        trace = make(Recipe(SYSTEMS[letter].key), SEED)
        page.locator("#lab-panel").focus()
        for step in range(1, STEPS + 1):
            page.keyboard.press("ArrowRight")
            at_step(page, letter, step)
            assert board(page) == str(trace.grid_at(step))
        page.locator("#lab-last").focus()
        page.keyboard.press("Enter")
        at_step(page, letter, len(trace))
        assert board(page) == str(trace.puzzle)
        assert violations(page) == []
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize(
    ("size", "path"),
    [
        ((1280, 800), "system=a&level=5&step=60"),
        ((1280, 800), "system=b&level=4&step=40"),
        ((1280, 800), "system=c&step=4"),
        ((1280, 800), "system=d&level=3&seed=3&step=23"),
        ((360, 740), "system=a&level=5&step=60"),
        ((360, 740), "system=d&level=3&seed=3&step=23"),
    ],
)
def test_a_step_and_its_drawing_are_on_one_screen(
    new_page: NewPage, size: tuple[int, int], path: str
) -> None:
    page = new_page(viewport={"width": size[0], "height": size[1]})
    page.goto(f"/lab/make?{path}")
    shown = page.locator(".lab__bench").bounding_box()
    assert shown is not None
    assert shown["y"] + shown["height"] <= size[1] - (56 if size[0] == 360 else 0)  # the tabs of a phone


def test_presses_that_come_faster_than_the_steps_all_count(page: Page) -> None:
    page.goto(f"/lab/make?seed={SEED}")
    page.locator("#lab-panel").focus()
    for _press in range(10):
        page.keyboard.press("ArrowRight")
    at_step(page, "a", 10)
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    at_step(page, "a", 8)


def test_the_options_of_making_fold_on_a_phone_and_apply_without_javascript(new_page: NewPage) -> None:
    page = new_page(viewport=PHONE, java_script_enabled=False)
    page.goto("/lab/make?system=d")
    expect(page.locator("#lab-choices")).to_be_hidden()
    page.get_by_role("link", name="Options").click()
    page.locator(".lab__option", has_text="3").click()
    assert "level=3" in page.url
    at_step(page, "d", 0)
