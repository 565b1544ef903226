"""The site with every optional capability off: a daily is played to the leaderboard."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.conftest import Site, Visitors, serving
from tests.browser.pages import named
from tests.browser.test_small_site import solve_todays_easy
from tests.webapp.stocked import Originals
from webapp.capability import load


@pytest.fixture
def bare(tmp_path_factory: pytest.TempPathFactory, originals: Originals) -> Iterator[Site]:
    """A site without optional capabilities."""
    off = {entry.key for entry in load() if entry.optional}
    with serving(tmp_path_factory.mktemp("bare"), originals, WITHOUT=",".join(sorted(off))) as site:
        yield site


def test_a_daily_is_played_to_the_leaderboard(bare: Site, chromium: Browser) -> None:
    visitors = Visitors(bare, chromium)
    page = visitors.page()
    named(page)
    solve_todays_easy(bare, page, minutes=6)
    expect(page.locator("#finish-panel")).to_be_visible()
    page.goto("/leaderboard")
    expect(page.locator("#my-rank")).to_contain_text("On the leaderboard")
    page.goto("/about")
    expect(page.locator("main")).not_to_contain_text("Laboratory")
    visitors.close()
