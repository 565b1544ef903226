"""Pages of analysis, lessons and practice."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.browser.pages import LATE, State, at

# LATE without two of its givens, so that it has two solutions
SEVERAL = "......123......684......7958..456937...231856...897412127349568598672341634518279"

NO_PAGE = {"analysis.svg", "analysis.png", "analysis.gif"}


def analyzed(address: str) -> Callable[[Page], object]:
    """A position on the analysis board with all steps found."""

    def reach(page: Page) -> None:
        page.goto(address)
        expect(page.locator("[hx-trigger^=load]")).to_have_count(0, timeout=120_000)

    return reach


def branched(page: Page) -> None:
    """The same after two tries from one position."""
    analyzed(f"/analysis?grid={LATE}")(page)
    page.locator("#c0 a").focus()
    page.keyboard.press("Digit9")
    expect(page.locator("#c0")).to_have_attribute("data-digit", "9")
    page.keyboard.press("Control+KeyZ")
    expect(page.locator("#c0")).not_to_have_attribute("data-digit", "9")
    page.keyboard.press("Shift+Digit4")
    expect(page.locator("#tree a")).to_have_count(3)
    expect(page.locator("[hx-trigger^=load]")).to_have_count(0, timeout=120_000)


def drilled(page: Page) -> None:
    page.goto("/practice/x_wing")
    page.get_by_role("button", name="Show me").click()
    expect(page.locator("#drill [data-outcome]")).to_be_visible()


def marked(page: Page) -> None:
    page.goto("/learn/skyscraper?tab=try")
    page.locator(".pencil").first.click()
    page.get_by_role("button", name="Check").click()
    expect(page.locator("#answer .marking__said")).to_be_visible()


STATES = (
    State("analysis", "analysis.show", at("/analysis")),
    State(
        "analysis, a position", "analysis.show", analyzed(f"/analysis?grid={LATE}&cell=0&colors=7{'.' * 80}")
    ),
    State("analysis, a step of the path", None, analyzed(f"/analysis?grid={LATE}&step=3")),
    State("analysis, several solutions", None, at(f"/analysis?grid={SEVERAL}")),
    State("analysis, a branch", None, branched),
    State("the path", "lessons.index", at("/learn")),
    State("all techniques", None, at("/learn?q=")),
    State("first steps", None, at("/learn/scanning")),
    State("lesson, the idea", "lessons.show", at("/learn/skyscraper")),
    State("lesson, marks checked", None, marked),
    State("reference", None, at("/learn/continuous_nice_loop")),
    State("practice", "practice.index", at("/practice")),
    State("drill", "practice.drill", at("/practice/x_wing")),
    State("drill, name it", None, at("/practice/x_wing?kind=name")),
    State("drill, is it there", None, at("/practice/x_wing?kind=there")),
    State("drill, answered", None, drilled),
)
