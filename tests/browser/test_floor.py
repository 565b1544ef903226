"""The oldest supported browsers, and older ones: style sheets without the features they lack."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.board import Board, begin
from tests.browser.conftest import NewPage, solution_on

if TYPE_CHECKING:
    from collections.abc import Callable

# Unsupported by Chrome 112, Firefox 115 or Safari 16.4, which drop a rule or a declaration with it.
NEWER = ("light-dark(", "round(", ":has(", "text-wrap:", "field-sizing:", "mask-image:", "auto-phrase")


def of_the_floor(css: str) -> str:
    for name in NEWER:
        css = css.replace(name, f"un{name}" if name[0] != ":" else f":un{name[1:]}")
    return css


def below_the_floor(css: str) -> str:
    css = re.sub(r"@supports not \(width: ?1cqw\)", "@supports (width:1px)", of_the_floor(css))
    return re.sub(r"(?<=\d)(cqw|svh|dvh)\b", r"un\1", css)


def dress(page: Page, change: Callable[[str], str]) -> None:
    """Serve this page's style sheets as an older browser parses them."""

    def serve(route: Route) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, body=change(answer.text()))

    page.route("**/*.css", serve)


def style(page: Page, selector: str, name: str) -> str:
    script = "([selector, name]) => getComputedStyle(document.querySelector(selector))[name]"
    value: str = page.evaluate(script, [selector, name])
    return value


@pytest.mark.parametrize(
    ("theme", "line", "selected", "edge"),
    [
        ("light", "rgb(35, 38, 44)", "rgb(207, 220, 255)", "rgb(226, 220, 205)"),
        ("dark", "rgb(160, 158, 166)", "rgb(43, 58, 104)", "rgb(55, 53, 59)"),
    ],
)
def test_a_board_has_its_lines_selection_and_keys(
    new_page: NewPage, tmp_path: Path, theme: str, line: str, selected: str, edge: str
) -> None:
    page = new_page(own=True, color_scheme=theme, service_workers="block")
    dress(page, of_the_floor)
    board = Board(page)
    board.write(board.empty[0])
    page.screenshot(path=tmp_path / f"{theme}.png")
    assert style(page, "#board", "borderTopColor") == line
    assert style(page, "#board [data-selected]", "backgroundColor") == selected
    assert style(page, ".key", "borderTopColor") == edge
    box = page.locator("#board").bounding_box()
    assert box is not None
    assert 270 <= box["width"] == pytest.approx(box["height"])


def test_a_theme_of_the_settings_holds_against_that_of_the_system(new_page: NewPage) -> None:
    page = new_page(own=True, color_scheme="dark", service_workers="block")
    dress(page, of_the_floor)
    page.goto("/")
    page.evaluate("document.documentElement.dataset.ui = 'theme-light'")
    assert style(page, "html", "backgroundColor") == "rgb(247, 243, 234)"


def test_below_the_floor_the_board_is_one_of_links_and_forms(new_page: NewPage, tmp_path: Path) -> None:
    page = new_page(own=True, service_workers="block")
    dress(page, below_the_floor)
    page.route("**/main.js", lambda route: route.fulfill(body="", content_type="text/javascript"))
    page.goto(begin(page, 1))
    expect(page.locator(".play__settings")).to_be_hidden()
    solution = solution_on(page)
    cell = page.locator("#board [role=gridcell]:not([data-given])").first
    number = int((cell.get_attribute("id") or "")[1:])
    cell.locator("a").click()
    page.locator(f"#keypad button[value='{solution[number]}']").click()
    expect(page.locator(f"#c{number}")).to_have_attribute("data-digit", solution[number])
    page.screenshot(path=tmp_path / "plain.png")
    box = page.locator("#board").bounding_box()
    assert box is not None
    assert box["width"] == pytest.approx(box["height"])
    assert box["width"] > 300
