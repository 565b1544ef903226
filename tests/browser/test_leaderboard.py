"""Leaderboards in a browser: by keys, refreshed only while they are visible."""

from __future__ import annotations

from playwright.sync_api import Page, Request, expect

from tests.browser.conftest import NewPage, Site
from tests.browser.pages import named
from tests.webapp.competition.pages import with_long_board
from webapp.models.daily import FIRST_DAY

EVERY = 30_000  # milliseconds between two refreshes
LISTED = "SELECT 1 FROM attempt a JOIN daily d ON d.id = a.daily_id WHERE d.date = ? AND a.board = 'day'"


def test_a_board_is_read_and_filtered_by_keys_alone(page: Page) -> None:
    page.goto("/leaderboard")
    for link, scope in (("scope-week", "week"), ("scope-all", "all"), ("scope-day", "day")):
        page.locator(f"#{link}").focus()
        page.keyboard.press("Enter")
        expect(page.locator(f"#{link}")).to_have_attribute("aria-current", "true")
        assert f"scope={scope}" in page.url or scope == "day"
        assert page.evaluate("document.activeElement.id") == link
        expect(page.locator("#board-status")).to_contain_text("0 results")
    page.locator("#level-4").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#level-4")).to_have_attribute("aria-current", "true")
    page.go_back()
    expect(page.locator("#level-2")).to_have_attribute("aria-current", "true")
    page.go_forward()
    expect(page.locator("#level-4")).to_have_attribute("aria-current", "true")


def test_ones_own_row_is_pinned_until_its_page_comes(page: Page, live: Site) -> None:
    name = named(page)
    page.goto(with_long_board(name))
    pinned = page.locator(".ranking__pinned")
    expect(pinned).to_contain_text(name)
    expect(page.locator(".ranking__table tbody:not(.ranking__pinned) tr")).to_have_count(50)
    page.locator("#page-after").focus()
    page.keyboard.press("Enter")
    expect(page.locator(".ranking__table tbody tr")).to_have_count(
        len(live.rows(LISTED, FIRST_DAY.isoformat())) - 50
    )
    expect(pinned).to_have_count(0)
    expect(page.locator(".ranking__mine")).to_contain_text(name)
    page.locator("#page-before").focus()
    page.keyboard.press("Enter")
    expect(pinned).to_contain_text(name)


def test_todays_board_is_fetched_anew_only_while_somebody_can_see_it(new_page: NewPage) -> None:
    page = new_page(own=True)
    fetched: list[str] = []

    def note(request: Request) -> None:
        if "/leaderboard" in request.url and request.resource_type in ("fetch", "xhr"):
            fetched.append(request.url)

    page.on("request", note)
    page.add_init_script("Object.defineProperty(document, 'hidden', { get: () => Boolean(globalThis.away) })")
    page.clock.install()
    page.goto("/leaderboard")
    page.locator('[data-behaviour="page.refresh"]').wait_for()
    page.evaluate("document.addEventListener('htmx:after:swap', () => (globalThis.swapped = true))")
    page.clock.run_for(EVERY - 1000)
    assert fetched == []
    page.clock.run_for(2000)
    page.wait_for_function("() => globalThis.swapped")  # or the clock would run past the request's time limit
    page.evaluate("globalThis.away = true")
    seen = len(fetched)
    page.clock.run_for(4 * EVERY)
    assert len(fetched) == seen == 1
    page.evaluate("globalThis.away = false")
    with page.expect_response("**/leaderboard*"):
        page.clock.run_for(EVERY)


def test_the_board_of_a_day_that_is_over_is_not_fetched_anew(new_page: NewPage) -> None:
    page = new_page(own=True)
    page.clock.install()
    page.goto(f"/leaderboard?date={FIRST_DAY}")
    page.locator('[data-behaviour="page.refresh"]').wait_for()
    fetched: list[str] = []
    page.on("request", lambda request: fetched.append(request.url))
    page.clock.run_for(4 * EVERY)
    assert fetched == []
