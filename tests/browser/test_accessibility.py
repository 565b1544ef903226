"""Every state of every page: axe-core finds nothing, nothing is cut off on a phone; the accessibility tree.

Each state is tested in one theme and width, which alternate. The campaign `axe` (AXE=all) tests every state
in all themes and widths, and every address in all languages.
"""

from __future__ import annotations

import os
from importlib import import_module
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, ViewportSize

from tests.browser.conftest import PHONE, NewPage, Site
from tests.browser.cut import cut
from tests.webapp.play.pages import paused, solved, with_marks
from webapp import create_app
from webapp.process.config import Settings
from webapp.web.i18n import CATALOGS, catalogs
from webapp.web.i18n.choice import COOKIE, tag_of

ROOT = Path(__file__).resolve().parents[2]
PAGES = [
    import_module(".".join(file.relative_to(ROOT).with_suffix("").parts))
    for file in sorted(ROOT.glob("tests/**/pages.py"))
]
STATES = [state for pages in PAGES for state in pages.STATES]
AXE = ROOT / "node_modules" / "axe-core" / "axe.min.js"
THEMES = ("light", "dark", "contrast")
SIZES: tuple[ViewportSize, ...] = (
    {"width": 360, "height": 640},
    {"width": 768, "height": 1024},
    {"width": 1280, "height": 800},
)
LOOKS = tuple(product(THEMES, SIZES))
# Elements that overflow their box or the page, except those that scroll.
CUT_OFF = """() => [...document.querySelectorAll("main *, header *, footer *")].filter((element) => {
    const box = element.getBoundingClientRect();
    if (!box.width || element.closest(".visually-hidden, svg, [hidden]")) return false;
    for (let holder = element.parentElement; holder; holder = holder.parentElement)
        if (/auto|scroll/.test(getComputedStyle(holder).overflowX)) return false;
    return box.right > innerWidth + 0.5 || box.left < -0.5;
}).map((element) => element.outerHTML.slice(0, 120))"""
ALL_LOOKS = os.environ.get("AXE") == "all"
TURN = 5  # coprime to the number of themes and widths, so that neighbors in the table differ in both


def violations(page: Page) -> list[str]:
    """Return axe-core's findings: rule, element and explanation."""
    if not page.evaluate("'axe' in globalThis"):
        page.evaluate(AXE.read_text())
    # No page has frames, nor media or style sheets that would have to be reloaded.
    found: list[dict[str, Any]] = page.evaluate(
        "axe.run(document, { resultTypes: ['violations'], preload: false, iframes: false })"
        ".then(({ violations }) => violations)"
    )
    return [
        f"{rule['id']}: {' '.join(map(str, node['target']))}: {node['failureSummary']}"
        for rule in found
        for node in rule["nodes"]
    ]


def test_every_address_that_shows_something_is_in_the_table_of_pages(tmp_path: Path) -> None:
    app = create_app(Settings.from_environment({"INSTANCE_PATH": str(tmp_path)}))
    shown = {
        rule.endpoint
        for rule in app.url_map.iter_rules()
        if "GET" in (rule.methods or ()) and not rule.endpoint.startswith("api.")
    }
    told = {state.endpoint for state in STATES if state.endpoint}.union(*(pages.NO_PAGE for pages in PAGES))
    assert shown - told == set(), "add these to pages.py of their capability's tests"
    assert told - shown == set(), "these are gone"


@pytest.mark.parametrize("number", range(len(STATES)), ids=lambda number: STATES[number].name)
def test_axe_finds_nothing_and_nothing_is_cut_off_on_a_small_phone(new_page: NewPage, number: int) -> None:
    page = new_page(reduced_motion="reduce")
    STATES[number].reach(page)
    page.set_viewport_size(PHONE)
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
    assert page.evaluate(CUT_OFF) == []
    wrong = []
    for theme, size in LOOKS if ALL_LOOKS else [LOOKS[TURN * number % len(LOOKS)]]:
        page.set_viewport_size(size)
        page.evaluate("theme => (document.documentElement.dataset.ui = `theme-${theme}`)", theme)
        wrong += [f"{theme} at {size['width']}: {each}" for each in violations(page)]
    assert wrong == []


def in_languages() -> list[tuple[str, int]]:
    """Return each language with the numbers of the states to test in it: one, or all with an address."""
    codes = catalogs.codes(CATALOGS)
    if ALL_LOOKS:
        return [(code, number) for code in codes for number, state in enumerate(STATES) if state.endpoint]
    names = [state.name for state in STATES]
    shown = ("lesson, the idea", "home", "board, with marks and a conflict", "daily")
    return [(code, names.index(name)) for code, name in zip(codes, shown, strict=False)]


@pytest.mark.parametrize(("code", "number"), in_languages())
def test_axe_finds_nothing_in_another_language(page: Page, live: Site, code: str, number: int) -> None:
    """The state is reached in English, because the way there presses buttons by their names."""
    # Otherwise colors are read during the transition between themes
    page.emulate_media(reduced_motion="reduce")
    STATES[number].reach(page)
    page.context.add_cookies([{"name": COOKIE, "value": code, "url": live.url}])
    page.goto(page.url.partition("#")[0])  # a fragment of the same page would not reload it
    assert page.locator("html").get_attribute("lang") == tag_of(code)
    theme, size = LOOKS[TURN * number % len(LOOKS)]
    page.set_viewport_size(size)
    page.evaluate("theme => (document.documentElement.dataset.ui = `theme-${theme}`)", theme)
    assert violations(page) + cut(page) == []


def nodes(page: Page) -> list[dict[str, Any]]:
    """Return the accessibility tree that Chromium gives to screen readers, without ignored nodes."""
    session = page.context.new_cdp_session(page)
    tree: list[dict[str, Any]] = session.send("Accessibility.getFullAXTree")["nodes"]
    session.detach()
    return [node for node in tree if not node["ignored"]]


def named(tree: list[dict[str, Any]], role: str) -> list[str]:
    return [node.get("name", {}).get("value", "") for node in tree if node["role"]["value"] == role]


@pytest.mark.parametrize("reach", [with_marks, solved])
def test_the_tree_holds_one_grid_of_9_rows_and_81_named_cells(page: Page, reach: Any) -> None:
    reach(page)
    tree = nodes(page)
    (grid,) = named(tree, "grid")
    assert grid == page.locator("h1").inner_text()
    assert len(named(tree, "row")) == 9
    cells = named(tree, "gridcell")
    assert [name.partition(", box")[0] for name in cells] == [
        f"Row {row}, column {column}" for row in range(1, 10) for column in range(1, 10)
    ]


def test_while_paused_nothing_of_the_board_is_read_out(page: Page) -> None:
    paused(page)
    tree = nodes(page)
    assert set(named(tree, "gridcell")) == {""}
    assert "Resume" in named(tree, "button")
