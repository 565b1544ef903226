"""A curator's week with a wrong daily: a report, the withdrawal, a replacement, a notice and an appeal.

The curator uses keys alone, the player a mouse and keys.
"""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

from playwright.sync_api import Page, expect

from tests.browser import desk as the_desk
from tests.browser.board import begin
from tests.browser.conftest import NewPage, Site
from tests.browser.hands import tab_to
from tests.browser.pages import doubted, named
from tests.browser.test_curator import FAR, go_to, take
from webapp.models import Daily
from webapp.process.database import db, write_tx

SEED = 45_000
LEVEL = 3
REPORT = "My solution is refused, though it’s right."
REASON = "It has two solutions."
NOTICE = "Yesterday’s medium daily was wrong. We’ve replaced it."
APPEAL = "I only type fast."


def yesterday() -> date:
    """Return the day before today, whose leaderboard is still open."""
    return datetime.now(UTC).date() - timedelta(days=1)


def release(site: Site) -> int:
    """Release a daily of yesterday. Returns the number of its puzzle."""
    (puzzle,) = the_desk.put(site.file, "daily", 1, SEED, LEVEL)
    released_at = datetime.now(UTC) - timedelta(days=14)
    with the_desk.in_the_site(), write_tx():
        db.session.add(Daily(date=yesterday(), level=LEVEL, puzzle_id=puzzle, created_at=released_at))
    return puzzle


def report(player: Page) -> None:
    """Report the puzzle from the finish of its game."""
    player.get_by_role("link", name="Report this puzzle").click()
    player.locator("#text").click()
    player.keyboard.type(REPORT)
    player.locator("#send-report").click()
    expect(player.get_by_role("status").filter(has_text="Thank you.")).to_be_visible()


def read_report(desk: Page, puzzle: int) -> None:
    """Read the report in the list, and then beside its puzzle."""
    go_to(desk, "/admin/reports")
    expect(desk.locator(".comments")).to_contain_text(REPORT)
    take(desk, f".comments a[href*='/puzzles/{puzzle}']")
    expect(desk.locator("#reports")).to_contain_text(REPORT)


def withdraw(desk: Page, replacement: int) -> None:
    """Withdraw the daily for a reason, with a replacement."""
    desk.goto(f"/admin/calendar?date={yesterday()}&level={LEVEL}")
    take(desk, "#calendar-withdraw")
    tab_to(desk, "#reason", FAR)
    desk.keyboard.type(REASON)
    tab_to(desk, "#other", FAR)
    desk.keyboard.type(str(replacement))
    take(desk, "#withdraw")
    expect(desk.locator("#toast")).to_contain_text("Withdrawn. Players can see why.")
    expect(desk.locator("#undo-withdrawal")).to_be_visible()


def play_replacement(player: Page, address: str) -> None:
    """Read the reason at one's own game, and begin the replacement from there."""
    player.goto(address)
    expect(player.locator(".withdrawal")).to_contain_text(REASON)
    expect(player.locator(".finish__place")).to_have_text("Withdrawn")
    player.locator(".withdrawal a").click()
    expect(player.locator(".withdrawal")).to_contain_text("Medium was withdrawn and replaced.")
    player.locator(f"#daily-card-{LEVEL} a").click()
    player.locator("button[name=ranked]").click()
    expect(player.locator("#status")).to_contain_text("Ranked")


def tell_everybody(desk: Page, player: Page) -> None:
    """Publish a notice, which the player reads at home, and end it."""
    go_to(desk, "/admin/reports")
    take(desk, "main a[href='/admin/notices']")
    tab_to(desk, "#text", FAR)
    desk.keyboard.type(NOTICE)
    take(desk, "#publish")
    player.goto("/")
    expect(player.locator(".notices")).to_have_text(NOTICE)
    take(desk, "form[action$='/end'] button")
    player.reload()
    expect(player.locator(".notices")).to_have_count(0)


def close_report(desk: Page) -> None:
    """Close the report beside the puzzle in the list."""
    go_to(desk, "/admin/reports")
    tab_to(desk, ".comments button", FAR)
    with desk.expect_navigation():
        desk.keyboard.press("Enter")
    expect(desk.locator("#main")).not_to_contain_text(REPORT)


def decide(desk: Page, attempt: str, note: str, standing: str) -> None:
    """Give a verdict on a solve."""
    go_to(desk, "/admin/flags")
    take(desk, f"a[href$='/flags/{attempt}']")
    tab_to(desk, "#note", FAR)
    desk.keyboard.type(note)
    take(desk, f"button[value={standing}]")


def appeal(player: Page, address: str) -> None:
    """Appeal a removal from the finish of the game."""
    player.goto(address)
    expect(player.locator(".finish__place")).to_have_text("Removed")
    player.locator("#flag-reason summary").click()
    player.locator("#appeal").click()
    player.keyboard.type(APPEAL)
    player.get_by_role("button", name="Send appeal").click()
    player.locator("#flag-reason summary").click()
    expect(player.locator("#flag-reason")).to_contain_text("You’ve appealed.")


def test_a_week_with_a_wrong_daily(live: Site, new_page: NewPage, desk: Page) -> None:
    wrong = release(live)
    (better,) = the_desk.put(live.file, "approved", 1, SEED + 1, LEVEL)
    player = new_page(own=True)
    named(player)
    address = begin(player, LEVEL, left=0, daily=str(yesterday()), ranked="1")
    player.goto(address)
    report(player)
    read_report(desk, wrong)
    withdraw(desk, better)
    play_replacement(player, address)
    tell_everybody(desk, player)
    close_report(desk)
    fast = new_page(own=True)
    game = doubted(fast)
    decide(desk, game.rpartition("/")[2], "Nobody is that fast.", "removed")
    appeal(fast, game)
    decide(desk, game.rpartition("/")[2], "It was a fair solve.", "verified")
    fast.goto(game)
    expect(fast.locator("#my-rank")).to_have_attribute("data-standing", "verified")
    ((status,),) = live.rows("SELECT status FROM puzzle WHERE id = ?", wrong)
    assert status == "withdrawn"
