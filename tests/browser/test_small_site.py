"""A new site with its default settings: five friends solve today's Easy, and each has a rank at once."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

import pytest
import sqlalchemy as sa
from playwright.sync_api import Browser, Page, expect

from tests.browser.board import start_ranked, type_in
from tests.browser.conftest import Site, Visitors, givens_of, serving
from tests.browser.pages import named
from tests.webapp.conftest import solution_of
from tests.webapp.stocked import Originals
from tests.webapp.visitors import solving_moves
from webapp.models import Attempt
from webapp.process.database import db, write_tx


@pytest.fixture
def fresh(tmp_path_factory: pytest.TempPathFactory, originals: Originals) -> Iterator[Site]:
    """A site without games, with no setting changed but its folder."""
    with serving(tmp_path_factory.mktemp("fresh"), originals) as site:
        yield site


@pytest.fixture
def friends(fresh: Site, chromium: Browser) -> Iterator[list[Page]]:
    """Five players with names."""
    visitors = Visitors(fresh, chromium)
    pages = [visitors.page() for _friend in range(5)]
    for page in pages:
        named(page)
    yield pages
    visitors.close()


def test_five_players_of_a_new_site_are_ranked_at_once(fresh: Site, friends: list[Page]) -> None:
    for number, page in enumerate(friends, 1):
        solve_todays_easy(fresh, page, minutes=5 + number)
        expect(page.locator("#finish-panel")).to_be_visible()
        page.goto("/leaderboard")
        alone = "On the leaderboard"
        expect(page.locator("#my-rank")).to_contain_text(
            alone if number == 1 else f"Rank {number} of {number}"
        )
    ranks = page.locator(".ranking__table tbody td.ranking__rank")
    expect(ranks).to_have_text(["1", "2", "3", "4", "5"])


def solve_todays_easy(site: Site, page: Page, *, minutes: int) -> None:
    """Solve it as a player does who started that long ago, in an order of their own."""
    start_ranked(page)
    with site.app.app_context(), write_tx():  # instead of waiting for minutes
        attempt = db.session.get_one(Attempt, page.url.rpartition("/")[2])
        attempt.started_at -= timedelta(minutes=minutes)
        attempt.steady_start = sa.null()
    givens = givens_of(page)
    type_in(page, {cell: digit for _kind, cell, digit in solving_moves(givens, solution_of(givens))})
