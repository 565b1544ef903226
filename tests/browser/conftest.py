"""A real server on a real SQLite file, and a real Chromium."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any, Final, Literal

import pytest
from flask import Flask
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
from tests.webapp.processes import Process, web
from tests.webapp.stocked import SETTING, Originals, at, opened, prepare
from webapp.process.database import sqlite_module

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
]
# Pages here are too short-lived for V8's optimization, on another thread, to pay.
BRIEF = "--js-flags=--no-opt --no-maglev"
PHONE: ViewportSize = {"width": 360, "height": 640}
DESKTOP: ViewportSize = {"width": 1280, "height": 800}

# Timeout for immediate actions of the browser; only a busy machine needs it.
PATIENCE = 60_000  # milliseconds
expect.set_options(timeout=PATIENCE)

# Each visitor has an address of their own, since limits are per address.
VISITORS = (f"{number // 250}.{number % 250}" for number in count(1))
NewPage = Callable[..., Page]


@pytest.hookimpl(tryfirst=True)  # pytest-xdist reads the marks in this hook too
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Share the browser tests between two processes; more browsers than cores only wait for one another.

    The tests of a file stay together, in order, since they share a site. The many similar tests of single
    pages are split between both processes.
    """
    ours = [item for item in items if Path(__file__).parent in item.path.parents]
    files = [stem for stem, _count in Counter(item.path.stem for item in ours).most_common()]
    for item in ours:
        item.add_marker(pytest.mark.browser)
        call = getattr(item, "callspec", None)
        state = call.indices.get("number") if call else None  # a test of the table of pages
        spread = files.index(item.path.stem) if state is None else state
        item.add_marker(pytest.mark.xdist_group(f"browser {spread % 2 + 1}"))


@dataclass
class Site:
    """The running site and its database file."""

    url: str
    file: Path
    process: Process
    app: Flask  # the same site, in this process

    def rows(self, query: str, *values: Any) -> list[tuple[Any, ...]]:
        with closing(sqlite_module()[0].connect(self.file)) as connection:
            return list(connection.execute(query, values))


@contextmanager
def serving(folder: Path, originals: Originals, **environment: str) -> Iterator[Site]:
    """A site without games on a server of its own, without a worker: there is nothing for it to do."""
    originals.copy(prepare, folder / "instance")
    instance = folder / "instance"
    with (
        web(folder, instance, **SETTING, PROXIES="1", **environment) as (caller, process),
        opened(at(instance, **environment)) as app,
    ):
        yield Site(f"http://127.0.0.1:{caller.port}", instance / "ninefold.sqlite", process, app)


@pytest.fixture(scope="session")
def live(
    tmp_path_factory: pytest.TempPathFactory, originals: Originals, request: pytest.FixtureRequest
) -> Iterator[Site]:
    """The site that most tests share."""
    request.getfixturevalue("kernels")
    with serving(tmp_path_factory.mktemp("live"), originals) as site:
        desk.appoint(site.file.parent, site.app)
        yield site


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable(), args=[*FLAGS, BRIEF])
        yield browser
        browser.close()


class Visitors:
    """Open pages of fresh visitors in contexts of their own, and record errors on them.

    An error in the console or a request to another site is a complaint.
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
        """Close the pages; a complaint about one fails the test."""
        for context in self._contexts:
            context.close()
        assert self.complaints == []


class SharedPage:
    """One page for one visitor after another, without the service worker, which keeps pages.

    A new context starts a process and compiles every file again, which costs as much as a visit.
    """

    OPTIONS: Final = {"viewport", "reduced_motion"}  # options that a visitor may set

    def __init__(self, live: Site, chromium: Browser) -> None:
        self._visitors = Visitors(live, chromium)
        self._page = self._visitors.page(service_workers="block")

    def take(
        self,
        viewport: ViewportSize = DESKTOP,
        reduced_motion: Literal["reduce", "null"] = "null",
    ) -> Page:
        """Return the page for a fresh visitor, without any state of the one before."""
        page, context = self._page, self._page.context
        page.unroute_all()
        context.set_offline(False)
        # First, so that requests the page sends as it closes restore no session.
        context.clear_cookies()
        # A page of the same site keeps its process, so data that the previous one stored on leaving is there
        # by now.
        page.goto("/healthz")
        page.evaluate("sessionStorage.clear(); localStorage.clear()")
        page.set_extra_http_headers(new_address())
        page.set_viewport_size(viewport)
        page.emulate_media(media="null", reduced_motion=reduced_motion)
        return page

    def leave(self) -> None:
        """Fail the test if there was a complaint since the last time."""
        complaints, self._visitors.complaints[:] = self._visitors.complaints[:], []
        assert complaints == []

    def close(self) -> None:
        self._visitors.close()


def new_address() -> dict[str, str]:
    """Return the header that gives a visitor an address of their own."""
    return {"X-Forwarded-For": f"10.0.{next(VISITORS)}"}


def unexpected(message: ConsoleMessage) -> bool:
    """Tell whether a console message is an error that no test provokes."""
    # Chromium itself reports failed and rejected requests; some tests provoke these on purpose.
    asked_for = (
        "/moves",
        "/healthz",
        "/nothing-here",
        "/999999999",
        "/hints",
        "/login",
        "/register",
        "/analysis?grid=hello",
    )
    url = message.location["url"]
    of_a_board = re.search(r"/attempts/[\w-]{22}$", url)  # after its session has ended
    return message.type == "error" and not (
        url.endswith(asked_for) or of_a_board or "/admin/" in url or "/lab?grid=11" in url
    )


def away(url: str) -> bool:
    """Tell whether a request goes to another site."""
    return not url.startswith(("http://127.0.0.1:", "http://localhost:", "data:", "blob:"))


@pytest.fixture(scope="session")
def shared_page(live: Site, chromium: Browser) -> Iterator[SharedPage]:
    shared_page = SharedPage(live, chromium)
    yield shared_page
    shared_page.close()


@pytest.fixture
def new_page(live: Site, chromium: Browser, shared_page: SharedPage) -> Iterator[NewPage]:
    """Open pages of fresh visitors; a complaint about one fails the test.

    The first without special options gets the shared page. `own=True` requests a context of its own: for
    scripts that stay, a second page, or the browser's storage.
    """
    visitors, free = Visitors(live, chromium), [shared_page]

    def page(*, own: bool = False, **options: Any) -> Page:
        if free and not own and options.keys() <= shared_page.OPTIONS:
            return free.pop().take(**options)
        return visitors.page(**options)

    yield page
    visitors.close()
    shared_page.leave()


@pytest.fixture
def page(new_page: NewPage) -> Page:
    """A page of a fresh visitor."""
    return new_page()


@pytest.fixture(name="desk")
def at_the_desk(new_page: NewPage) -> Page:
    """A curator at the queue."""
    page = new_page()
    desk.at_the_desk()(page)
    return page


def givens_of(page: Page) -> str:
    """Return the givens on the board of this page."""
    given: dict[str, str] = page.eval_on_selector_all(
        "#board [data-given]", "cells => Object.fromEntries(cells.map(cell => [cell.id, cell.dataset.digit]))"
    )
    return "".join(given.get(f"c{cell}", ".") for cell in range(81))


def solution_on(page: Page) -> str:
    """Return the digits that solve the board of this page."""
    solved = engine.solution(engine.parse(givens_of(page)))
    assert solved is not None
    return str(solved)
