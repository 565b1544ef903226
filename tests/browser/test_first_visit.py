"""From a first visit to a finished daily, as two kinds of people: no dead end, and every step is counted.

Both navigate by roles and names alone: a daily's button on home, any page with a Start button, cells, digits
and a link at the finish. Most digits are played by script, as in other tests. `-rP` shows the steps.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.board import started, type_in
from tests.browser.conftest import NewPage, givens_of
from tests.webapp.conftest import solution_of

START: Final = re.compile(r"^(Play|Start)\b")
GO_ON: Final = re.compile(r"leaderboard|daily|dailies|review|new puzzle|next", re.IGNORECASE)
SOLVED: Final = re.compile("solved", re.IGNORECASE)
CELL: Final = re.compile(r"Row (\d), column (\d), box \d, (\d|empty)")
BY_HAND: Final = 2  # digits
STARTS: Final = 3  # pages, home among them, with a start button before the board


class Newcomer:
    """A visitor with a pointer, who finds buttons and links by their labels."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.steps = 0

    def hit(self, target: Locator) -> None:
        """Scroll to it, which is a step if it is out of view, and press it."""
        box, size = target.bounding_box(), self.page.viewport_size
        assert box and size
        self.steps += 1 + (box["y"] + box["height"] > size["height"] or box["y"] < 0)
        target.click()

    def daily(self) -> None:
        """Press the first daily on home."""
        cards = self.page.get_by_role("main").get_by_role("listitem")
        self.hit(pressable(cards, START))

    def start(self) -> None:
        """Press the start button of a page in between."""
        self.hit(pressable(self.page.get_by_role("main"), START))

    def givens(self) -> str:
        return givens_of(self.page)

    def fill(self, digits: dict[int, str]) -> None:
        type_in(self.page, digits)

    def write(self, cell: int, digit: str) -> None:
        self.hit(self.page.get_by_role("gridcell").nth(cell))
        self.hit(self.page.get_by_role("button", name=re.compile(rf"^{digit}\b")))

    def go_on(self) -> None:
        """Follow the finish page's first link onward."""
        self.hit(pressable(self.page.get_by_role("region", name=SOLVED), GO_ON))


class Listener(Newcomer):
    """A screen reader: reads only the accessibility tree, and jumps from button to button."""

    def nodes(self) -> list[dict[str, Any]]:
        """Return the tree in reading order, without ignored nodes; each with its ancestors' roles."""
        session = self.page.context.new_cdp_session(self.page)
        tree = {node["nodeId"]: node for node in session.send("Accessibility.getFullAXTree")["nodes"]}
        session.detach()
        root = next(node for node in tree.values() if "parentId" not in node)

        def read(node: dict[str, Any], around: tuple[tuple[str, str], ...]) -> Iterator[dict[str, Any]]:
            here = (node["role"]["value"], node.get("name", {}).get("value", ""))
            if not node["ignored"]:
                yield node | {"is": here, "around": around}
                around = (*around, here)
            for child in node.get("childIds", []):
                if child in tree:
                    yield from read(tree[child], around)

        return list(read(root, ()))

    def reach(self, roles: tuple[str, ...], name: re.Pattern[str], within: str, called: str = "") -> None:
        """Jump to the first such node within a role of that name, a step for each, and press it."""
        nodes = [node for node in self.nodes() if node["is"][0] in roles]
        for passed, node in enumerate(nodes):
            around = [text for role, text in node["around"] if role == within]
            inside = ("main", "") in node["around"] and any(re.search(called, text, re.I) for text in around)
            if inside and name.search(node["is"][1]):
                self.steps += passed + 2
                return self.on(node, "this.focus(); this.click()")
        raise AssertionError(f"no {name.pattern} within {within} among {[node['is'] for node in nodes]}")

    def on(self, node: dict[str, Any], deed: str) -> None:
        session = self.page.context.new_cdp_session(self.page)
        found = session.send("DOM.resolveNode", {"backendNodeId": node["backendDOMNodeId"]})
        call = {"objectId": found["object"]["objectId"], "functionDeclaration": f"function() {{ {deed} }}"}
        session.send("Runtime.callFunctionOn", call)
        session.detach()

    def daily(self) -> None:
        self.reach(("button", "link"), START, "listitem")

    def start(self) -> None:
        self.reach(("button", "link"), START, "main")

    def cells(self) -> list[dict[str, Any]]:
        return [node for node in self.nodes() if node["is"][0] == "gridcell"]

    def givens(self) -> str:
        """Read the givens, cell by cell."""
        cells_read = [CELL.match(node["is"][1]) for node in self.cells()]
        assert len(cells_read) == 81 and all(cells_read)
        return "".join(cell[3].replace("empty", ".") for cell in cells_read if cell)

    def write(self, cell: int, digit: str) -> None:
        self.on(self.cells()[cell], "this.focus()")
        self.page.keyboard.press(digit)
        self.steps += 2

    def go_on(self) -> None:
        self.reach(("button", "link"), GO_ON, "region", "solved")


def pressable(within: Locator, name: re.Pattern[str]) -> Locator:
    """Return the first button or link of that name."""
    return within.get_by_role("button", name=name).or_(within.get_by_role("link", name=name)).first


def visit(somebody: Newcomer) -> tuple[int, int, int]:
    """Play the first daily. Returns the steps before the first digit, for the last digits, and after the
    finish.
    """
    page = somebody.page
    page.goto("/")
    grid = page.get_by_role("grid", name=re.compile("Daily"))
    for number in range(STARTS):
        address = page.url
        if number == 0:
            somebody.daily()
        else:
            somebody.start()
        expect(page).not_to_have_url(address)
        if re.search(r"/attempts/[\w-]{22}$", page.url):
            break
    expect(grid).to_be_visible()
    started(page)
    before = somebody.steps
    givens = somebody.givens()
    solution = solution_of(givens)
    empty = [cell for cell in range(81) if givens[cell] == "."]
    somebody.fill({cell: solution[cell] for cell in empty[:-BY_HAND]})
    for cell in empty[-BY_HAND:]:
        somebody.write(cell, solution[cell])
    expect(page.get_by_role("region", name=SOLVED)).to_be_visible()
    digits, address = somebody.steps - before, page.url
    somebody.go_on()
    expect(page).not_to_have_url(address)
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    return before, digits, somebody.steps - before - digits


@pytest.mark.parametrize("kind", [Newcomer, Listener])
def test_a_first_visit_leads_to_a_finished_daily_and_on(new_page: NewPage, kind: type[Newcomer]) -> None:
    before, digits, after = visit(kind(new_page()))
    print(f"{kind.__name__}: {before} steps to the board, {digits} for {BY_HAND} digits, {after} to go on")
    assert before <= 3 or kind is Listener, "scroll below the guided board, daily, start"
