"""The main flows in every engine, which the suite leaves out: `make browsers` installs and runs them."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator

import pytest

from tests.browser.conftest import VISITORS, Site
from tests.browser.engines import chromium, firefox, webkit
from tests.browser.engines.driver import Driver
from tests.browser.engines.flows import FLOWS, Visit
from tests.browser.engines.relay import Relay

pytestmark = pytest.mark.skipif(os.environ.get("BROWSERS") != "all", reason="make browsers runs these")

ENGINES = {"Chromium": chromium.Chromium, "Firefox": firefox.Firefox, "WebKit": webkit.WebKit}
INSTALLED = {"Chromium": chromium.installed, "Firefox": firefox.installed, "WebKit": webkit.installed}


@pytest.fixture(scope="module", params=ENGINES)
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


@pytest.mark.parametrize("flow", FLOWS, ids=lambda flow: flow.__name__.replace("_", " "))
def test_people_get_along(visit: Visit, flow: Callable[[Visit], None]) -> None:
    flow(visit)
