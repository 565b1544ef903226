"""The laboratory in the browser: five systems by keys, without axe findings, complete without JavaScript."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, ViewportSize, expect

import engine
from engine.traces import TRACES, make
from tests.browser.conftest import DESKTOP, PHONE, NewPage
from tests.browser.hands import tab_to
from tests.browser.test_accessibility import violations
from tests.thorough import THOROUGH
from tests.webapp.processes import wait_until
from webapp.play.lab.lab import SYSTEMS
from webapp.play.lab.routes import EXAMPLE

GRID = engine.parse(EXAMPLE)
STEPS = 4
SEED = 7
# Each system by keys in one width, and one without JavaScript; all in all of them with THOROUGH=1.
WALKED = {"360": "ace", "1280": "bd"} if not THOROUGH else dict.fromkeys(("360", "1280"), "abcde")
PLAIN = SYSTEMS if THOROUGH else "a"


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
    size: ViewportSize = PHONE if width == "360" else DESKTOP
    page = new_page(viewport=size, reduced_motion="reduce")
    page.goto("/lab")
    tab_to(page, "#grid")
    page.keyboard.insert_text(EXAMPLE)
    tab_to(page, ".lab__do button")
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile("grid="))
    tab_to(page, "#lab-panel", most=60)
    expect(page.locator("#lab-panel")).to_be_focused()
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
    page.reload()
    at_step(page, WALKED[width][-1], 0)


@pytest.mark.parametrize("width", WALKED)
def test_all_five_make_a_puzzle_step_by_step_by_keys_alone(new_page: NewPage, width: str) -> None:
    size: ViewportSize = PHONE if width == "360" else DESKTOP
    page = new_page(viewport=size, reduced_motion="reduce")
    page.goto(f"/lab/make?seed={SEED}")
    for letter in WALKED[width]:
        trace = make(SYSTEMS[letter].key, SEED)
        tab_to(page, f"#lab-{letter}", most=90)
        page.keyboard.press("Enter")
        at_step(page, letter, 0)
        page.locator("#lab-panel").focus()
        for step in range(1, STEPS + 1):
            page.keyboard.press("ArrowRight")
            at_step(page, letter, step)
            assert board(page) == str(trace.grid_at(step))
        refused = [at for at, step in enumerate(trace.steps, 1) if step.reason == "solution"]
        for step in [*refused[:1], len(trace)]:
            page.locator("#lab-step").fill(str(step))
            page.keyboard.press("Enter")
            at_step(page, letter, step)
            assert board(page) == str(trace.grid_at(step))
            assert violations(page) == []
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_presses_that_come_faster_than_the_steps_all_count(page: Page) -> None:
    page.goto(f"/lab/make?seed={SEED}")
    page.locator("#lab-panel").focus()
    for _press in range(10):
        page.keyboard.press("ArrowRight")
    at_step(page, "a", 10)
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    at_step(page, "a", 8)


def test_a_drawing_that_has_the_focus_scrolls_and_does_not_step(page: Page) -> None:
    page.goto(f"/lab?grid={EXAMPLE}&system=c&step=3&view=whole&zoom=2")
    drawing = page.locator("#lab-panel figure")
    drawing.focus()
    page.keyboard.press("ArrowRight")
    # Polled from here: the page's policy forbids turning a string into a function, as wait_for_function does.
    wait_until(lambda: drawing.evaluate("figure => figure.scrollLeft") > 0)
    at_step(page, "c", 3)


def test_a_step_keeps_the_focus_on_the_button_that_took_it(page: Page) -> None:
    page.goto(f"/lab?grid={EXAMPLE}&system=d")
    page.locator("#lab-next").focus()
    page.keyboard.press("Enter")
    at_step(page, "d", 1)
    expect(page.locator("#lab-next")).to_be_focused()


@pytest.mark.parametrize("letter", PLAIN)
def test_without_javascript_every_step_is_a_page(new_page: NewPage, letter: str) -> None:
    page = new_page(java_script_enabled=False)
    page.goto("/lab")
    page.locator("#grid").fill(EXAMPLE)
    page.get_by_role("button", name="Solve", exact=True).click()
    page.locator(f"#lab-{letter}").click()
    at_step(page, letter, 0)
    count = len(TRACES[SYSTEMS[letter].key](GRID))
    for step in (1, 2):
        page.locator("#lab-next").click()
        at_step(page, letter, step)
    page.locator("#lab-prev").click()
    at_step(page, letter, 1)
    page.locator("#lab-last").click()
    at_step(page, letter, count)
    expect(page.locator("a#lab-next")).to_have_count(0)
    page.locator("#lab-step").fill("3")
    page.get_by_role("button", name="Go", exact=True).click()
    at_step(page, letter, 3)
    page.locator("#lab-first").click()
    at_step(page, letter, 0)
