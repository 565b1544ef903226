"""The dailies in a player's browser."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from playwright.sync_api import Page, expect

from tests.browser.board import start_ranked
from tests.browser.conftest import NewPage, Site
from tests.browser.pages import named


def attempt(page: Page, live: Site) -> tuple[bool, bool, bool]:
    """Return whether the attempt on this page is ranked, assisted, finished, as stored."""
    number = page.url.rpartition("/")[2].partition("?")[0]
    ((ranked, assisted, finished),) = live.rows(
        "SELECT ranked, assisted, finished_at FROM attempt WHERE id = ?", number
    )
    return bool(ranked), bool(assisted), finished is not None


def test_a_ranked_board_has_no_pause_by_key_or_by_leaving(page: Page) -> None:
    start_ranked(page)
    expect(page.locator("#pause")).to_have_count(0)
    expect(page.locator("#board [role=gridcell]:focus")).to_have_count(1)  # the keyboard goes on from Start
    page.keyboard.press("p")
    expect(page.locator("#speech")).to_contain_text("pause a ranked game")
    expect(page.locator("#board")).to_have_attribute("data-state", "playing")


@pytest.mark.parametrize("tool", ["hint", "fill"])
def test_help_in_a_ranked_solve_needs_a_second_tap(page: Page, live: Site, tool: str) -> None:
    start_ranked(page)
    page.locator(f"#{tool}").click()
    expect(page.locator("#banner")).to_contain_text("This solve won’t be ranked")
    assert attempt(page, live) == (True, False, False)
    page.locator(f"#{tool}").click()
    expect(page.locator("#banner")).to_be_hidden()
    expect(page.locator("#status")).to_contain_text("Unranked")
    assert attempt(page, live) == (True, True, False)


def test_a_ranked_solve_shows_the_time_even_where_it_is_switched_off(page: Page, live: Site) -> None:
    page.context.add_cookies([{"name": "ui", "value": "timer-off", "url": live.url}])
    page.goto("/daily")
    page.locator("#daily-card-2 a").click()
    page.get_by_role("button", name="Play unranked").click()
    expect(page.locator("#board")).to_be_visible()
    expect(page.locator(".status__time")).to_be_hidden()
    start_ranked(page, level=3)
    expect(page.locator(".status__time")).to_be_visible()
    page.locator("#c0").focus()
    page.keyboard.press("t")
    expect(page.locator("#speech")).to_contain_text("Time 0:0")


def test_the_countdown_runs_by_the_servers_clock_in_local_time(new_page: NewPage) -> None:
    page = new_page(timezone_id="Asia/Shanghai")
    page.clock.set_fixed_time(datetime(2020, 1, 1, tzinfo=UTC))  # this browser's clock is years behind
    page.goto("/daily")
    countdown = page.locator("#countdown")
    expect(countdown).to_contain_text("at 8:00 AM your time")
    *hours, minutes, seconds = map(int, countdown.inner_text().split()[3].strip(",").split(":"))
    now = datetime.now(UTC)
    passed = timedelta(hours=now.hour, minutes=now.minute, seconds=now.second)
    wait = timedelta(hours=sum(hours), minutes=minutes, seconds=seconds)
    assert abs(passed + wait - timedelta(days=1)) < timedelta(seconds=30)


def test_a_day_that_stands_for_a_moment_is_the_readers(new_page: NewPage) -> None:
    page = new_page(timezone_id="Pacific/Kiritimati")  # 14 hours ahead
    page.goto(f"/players/{named(page)}")
    since = page.locator(".lead time")
    at = datetime.fromisoformat(since.get_attribute("datetime") or "") + timedelta(hours=14)
    expect(since).to_have_text(f"{at:%b} {at.day}, {at.year}")


def test_months_of_the_archive_come_and_go_with_their_addresses_and_keep_the_focus(page: Page) -> None:
    page.goto("/archive")
    table, whole = page.locator(".archive__table").bounding_box(), page.locator(".archive").bounding_box()
    assert table and whole
    assert table["width"] >= whole["width"]
    month = page.locator(".archive__month").inner_text()
    for _ in range(2):
        page.locator("#month-earlier").focus()
        page.keyboard.press("Enter")
        expect(page.locator(".archive__month")).not_to_have_text(month)
        earlier = page.locator(".archive__month").inner_text()
        assert "month=" in page.url
        assert page.evaluate("document.activeElement.id") == "month-earlier"
        page.go_back()
        expect(page.locator(".archive__month")).to_have_text(month)
        page.go_forward()
        expect(page.locator(".archive__month")).to_have_text(earlier)
        page.go_back()
        expect(page.locator(".archive__month")).to_have_text(month)
