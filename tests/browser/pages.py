"""The site's own pages, in every state that looks different, and how a visitor gets there.

Each capability has those of its pages in `pages.py` of its tests. An address whose answer is no page, but a
file, a picture or a part of one, is in NO_PAGE there.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass

from playwright.sync_api import Page

from tests.browser.board import begin, post
from tests.webapp.visitors import PASSWORD

GRID = "...7..12.........4.8316...5..2..6.37..9...8..36.8..4..1...4956.5.........34..8..."
# The same with two thirds solved: quick to search, for states where the position itself does not matter.
LATE = "...7..123...9..684......7958..456937...231856...897412127349568598672341634518279"

NO_PAGE = {
    *(f"cards.of_{shown}" for shown in ("puzzle", "daily", "player", "attempt", "page")),
    *("pages.usual", "pages.service_worker", "pages.manifest"),
    *("health.alive", "health.ready", "metrics.show"),
}


@dataclass(frozen=True)
class State:
    """One appearance of one page. `reach` leads a fresh visitor there and returns once the page has settled.

    It takes the shortest way: forms that other tests fill in are posted directly.
    """

    name: str
    endpoint: str | None  # of the URL map; None if it has no address of its own
    reach: Callable[[Page], object]


def at(address: str) -> Callable[[Page], object]:
    """The page at this address, for a new visitor."""
    return lambda page: page.goto(address)


def with_games(address: str) -> Callable[[Page], object]:
    """The page at this address, for a player with one puzzle in play and one finished."""

    def reach(page: Page) -> None:
        begin(page, left=0)
        begin(page)
        page.goto(address)

    return reach


def named(page: Page) -> str:
    """Give a visitor a name. Returns it."""
    name = f"Ada {secrets.token_hex(4)}"
    post(page, "/register", name=name, password=PASSWORD)
    return name


STATES = (
    State("home", "home.show", at("/")),
    State("home, with games", None, with_games("/")),
    State("help", "guide.keys", at("/help")),
    State("rules", "guide.rules", at("/rules")),
    State("about", "guide.about", at("/about")),
    State("privacy", "guide.privacy", at("/privacy")),
    State("every other address, offline", "pages.offline", at("/offline")),
    State("not found", None, at("/nothing-here")),
)
