"""A real server on a real SQLite file, and a real Chromium to play in."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any, Final, Literal

import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Page,
    ViewportSize,
    expect,
    sync_playwright,
)

import engine
from tests.browser import desk
from tests.browser.chromium import executable
from tests.webapp.furnished import SETTING, Originals, at, furnish, opened
from tests.webapp.processes import WEB, Caller, Process, free_port, running, wait_until
from webapp.process.database import sqlite_module

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
]
# No page lives long enough here for what V8 optimizes meanwhile, on another thread, to pay.
BRIEF = "--js-flags=--no-opt --no-maglev"
PHONE: ViewportSize = {"width": 360, "height": 640}
DESKTOP: ViewportSize = {"width": 1280, "height": 800}

# Timeout for immediate actions of the browser; only a busy machine needs it.
PATIENCE = 60_000  # milliseconds
expect.set_options(timeout=PATIENCE)

# Each visitor comes from an address of their own, since an address has limits.
VISITORS = (f"{number // 250}.{number % 250}" for number in count(1))
NewPage = Callable[..., Page]


@pytest.hookimpl(tryfirst=True)  # pytest-xdist reads the marks in this hook too
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Two processes share the tests with a browser; more browsers than cores only wait for one another.

    The tests of a file stay together, in order, since they share a site. Those of the pages one by one are
    many and alike, so both processes take half; all tests of a page go to the same.
    """
    ours = [item for item in items if Path(__file__).parent in item.path.parents]
    files = [stem for stem, _count in Counter(item.path.stem for item in ours).most_common()]
    for item in ours:
        item.add_marker(pytest.mark.browser)
        call = getattr(item, "callspec", None)
        state = call.indices.get("number") if call else None  # of the table of pages
        spread = files.index(item.path.stem) if state is None else state
        item.add_marker(pytest.mark.xdist_group(f"browser {spread % 2 + 1}"))


@dataclass
class Site:
    """The running site and the file it keeps."""

    url: str
    file: Path
    process: Process

    def rows(self, query: str, *values: Any) -> list[tuple[Any, ...]]:
        connection = sqlite_module()[0].connect(self.file)
        try:
            return list(connection.execute(query, values))
        finally:
            connection.close()


@pytest.fixture(scope="session")
def live(tmp_path_factory: pytest.TempPathFactory, originals: Originals) -> Iterator[Site]:
    folder = tmp_path_factory.mktemp("live")
    originals.copy(furnish, folder / "instance")
    port = free_port()
    settings: dict[str, Any] = {"instance": folder / "instance", "log": folder / "log", "PORT": str(port)}
    settings |= {"PROXIES": "1", "PROVISIONAL_DAILIES": "0", "OWN_TURNS": "0"}
    again = at(folder / "instance", PROVISIONAL_DAILIES="0", OWN_TURNS="0")
    # There is nothing for a worker to do, and an idle one takes three hundredths of a core.
    with running(*WEB, **SETTING, **settings) as process, opened(again) as app:
        wait_until(Caller(port).answers)
        desk.appoint(folder / "instance", app)
        yield Site(f"http://127.0.0.1:{port}", folder / "instance" / "ninefold.sqlite", process)


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable(), args=[*FLAGS, BRIEF])
        yield browser
        browser.close()


class Visitors:
    """Opens pages of fresh visitors in contexts of their own, and keeps what goes wrong on them.

    An error in the console or a request to elsewhere is a complaint.
    """

    def __init__(self, live: Site, chromium: Browser) -> None:
        self._live, self._chromium = live, chromium
        self._contexts: list[BrowserContext] = []
        self.complaints: list[str] = []

    def page(self, **options: Any) -> Page:
        defaults = {"base_url": self._live.url, "viewport": DESKTOP, "extra_http_headers": new_address()}
        context = self._chromium.new_context(**(defaults | options))
        context.set_default_timeout(PATIENCE)
        self._contexts.append(context)
        page = context.new_page()
        complain = self.complaints.append
        page.on("pageerror", lambda error: complain(str(error)))
        page.on("console", lambda message: complain(message.text) if unexpected(message) else None)
        page.on("request", lambda request: complain(request.url) if away(request.url) else None)
        return page

    def close(self) -> None:
        """Close their pages; a complaint about one fails the test."""
        for context in self._contexts:
            context.close()
        assert self.complaints == []


class Seat:
    """One page for visitors who come one after the other, without the service worker, which keeps pages.

    A context of one's own starts a process and compiles every file again, for as much as a visit costs.
    """

    OPTIONS: Final = {"viewport", "reduced_motion"}  # what a visitor may ask for

    def __init__(self, live: Site, chromium: Browser) -> None:
        self._visitors = Visitors(live, chromium)
        self._page = self._visitors.page(service_workers="block")

    def take(
        self,
        viewport: ViewportSize = DESKTOP,
        reduced_motion: Literal["reduce", "null"] = "null",
    ) -> Page:
        """The page for a fresh visitor: nothing is left of the one before."""
        page, context = self._page, self._page.context
        page.unroute_all()
        context.set_offline(False)
        # First, so that what the page sends as it is left brings no session back.
        context.clear_cookies()
        # A page of the site keeps its process; what the one before stored as it was left is there by now.
        page.goto("/healthz")
        page.evaluate("sessionStorage.clear(); localStorage.clear()")
        page.set_extra_http_headers(new_address())
        page.set_viewport_size(viewport)
        page.emulate_media(media="null", reduced_motion=reduced_motion)
        return page

    def leave(self) -> None:
        """A complaint since the last time fails the test."""
        complaints, self._visitors.complaints[:] = self._visitors.complaints[:], []
        assert complaints == []

    def close(self) -> None:
        self._visitors.close()


def new_address() -> dict[str, str]:
    """The header by which a visitor comes from an address of their own."""
    return {"X-Forwarded-For": f"10.0.{next(VISITORS)}"}


def unexpected(message: ConsoleMessage) -> bool:
    """Whether a message in the console is an error that no test asks for."""
    # Chromium itself reports what network or server turned down; some tests ask for that on purpose.
    asked_for = (
        "/moves",
        "/healthz",
        "/nothing-here",
        "/999999999",
        "/hints",
        "/login",
        "/register",
        "/account/passkeys/options",
        "/lab",
        "/analysis?grid=hello",
    )
    url = message.location["url"]
    of_a_board = re.search(r"/attempts/[\w-]{22}$", url)  # whose session has ended
    return message.type == "error" and not (url.endswith(asked_for) or of_a_board or "/admin/" in url)


def away(url: str) -> bool:
    """Whether a request goes to another site."""
    return not url.startswith(("http://127.0.0.1:", "http://localhost:", "data:", "blob:"))


@pytest.fixture(scope="session")
def seat(live: Site, chromium: Browser) -> Iterator[Seat]:
    seat = Seat(live, chromium)
    yield seat
    seat.close()


@pytest.fixture
def new_page(live: Site, chromium: Browser, seat: Seat) -> Iterator[NewPage]:
    """Makes pages of fresh visitors; a complaint about one fails the test.

    The first who asks for nothing else gets the seat. `own=True` asks for a context of one's own: for scripts
    that stay, a second page, or what the browser keeps.
    """
    visitors, free = Visitors(live, chromium), [seat]

    def page(*, own: bool = False, **options: Any) -> Page:
        if free and not own and options.keys() <= seat.OPTIONS:
            return free.pop().take(**options)
        return visitors.page(**options)

    yield page
    visitors.close()
    seat.leave()


@pytest.fixture
def page(new_page: NewPage) -> Page:
    """One fresh visitor at a table."""
    return new_page()


@pytest.fixture(name="desk")
def at_the_desk(new_page: NewPage) -> Page:
    """A curator in front of the queue."""
    page = new_page()
    desk.at_the_desk()(page)
    return page


def givens_of(page: Page) -> str:
    """The givens on the board of this page."""
    given: dict[str, str] = page.eval_on_selector_all(
        "#board [data-given]", "cells => Object.fromEntries(cells.map(cell => [cell.id, cell.dataset.digit]))"
    )
    return "".join(given.get(f"c{cell}", ".") for cell in range(81))


def solution_on(page: Page) -> str:
    """The digits that solve the board of this page."""
    solved = engine.solution(engine.parse(givens_of(page)))
    assert solved is not None
    return str(solved)
