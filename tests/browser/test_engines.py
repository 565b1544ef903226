"""The main flows, in every installed engine: `make browsers` installs all and runs all.

The suite runs them in one of Firefox and WebKit, since every other test runs in Chromium.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator

import pytest

from tests.browser.conftest import VISITORS, Site
from tests.browser.engines import chromium, firefox, webkit
from tests.browser.engines.driver import Driver
from tests.browser.engines.flows import FLOWS, Visit, back_and_forward, two_tabs, whole_game
from tests.browser.engines.relay import Relay

ALL = os.environ.get("BROWSERS") == "all"
ENGINES = {"Chromium": chromium.Chromium, "Firefox": firefox.Firefox, "WebKit": webkit.WebKit}
INSTALLED = {"Chromium": chromium.installed, "Firefox": firefox.installed, "WebKit": webkit.installed}
SHORT = (back_and_forward, two_tabs, whole_game("keys"))


# Every engine with BROWSERS=all, else the first of those that no other test runs in
OTHERS = list(ENGINES) if ALL else [name for name in ("Firefox", "WebKit") if INSTALLED[name]()][:1]


@pytest.fixture(scope="module", params=OTHERS or ["Firefox"])
def browser(request: pytest.FixtureRequest) -> Iterator[Driver]:
    if not INSTALLED[request.param]():
        pytest.skip(f"no {request.param} on this machine; make browsers installs it")
    driver: Driver = ENGINES[request.param]()
    yield driver
    driver.close()


@pytest.fixture
def visit(browser: Driver, live: Site) -> Iterator[Visit]:
    browser.forget()
    relay = Relay(int(live.url.rpartition(":")[2]), f"10.1.{next(VISITORS)}")
    yield Visit(browser, relay, live.file.parent)
    relay.close()


@pytest.mark.parametrize("flow", FLOWS if ALL else SHORT, ids=lambda flow: flow.__name__.replace("_", " "))
def test_people_get_along(visit: Visit, flow: Callable[[Visit], None]) -> None:
    flow(visit)
