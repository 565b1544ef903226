"""Pages of dailies, leaderboards, groups and races."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import sqlalchemy as sa
from playwright.sync_api import Page, expect

from tests.browser.board import begin_ranked, fill_in, post
from tests.browser.desk import in_the_site
from tests.browser.pages import State, at, named
from tests.webapp.solves import add_daily, add_player, add_solve
from tests.webapp.solves import at as moment_of
from webapp.models import Daily, Player, Status
from webapp.models.daily import FIRST_DAY
from webapp.process.database import db, write_tx

NO_PAGE = {"races.strip"}


def withdrawn() -> Daily:
    """Return a past daily that a curator has withdrawn."""
    day = FIRST_DAY + timedelta(days=1)
    with in_the_site(), write_tx():
        found = db.session.scalar(sa.select(Daily.id).where(Daily.date == day)) or add_daily(day)
        daily = db.session.get_one(Daily, found)
        daily.withdrawn_at, daily.former_id = moment_of(day, hours=3), daily.puzzle_id
        daily.puzzle.status, daily.puzzle.reason = Status.WITHDRAWN, "It has two solutions."
        db.session.flush()
        db.session.refresh(daily)
        db.session.expunge(daily)
    return daily


def groups(page: Page) -> None:
    named(page)
    page.goto("/groups")


def a_group(page: Page) -> None:
    named(page)
    page.goto(post(page, "/groups", name="Class 4b"))
    expect(page.get_by_role("heading", name="Class 4b")).to_be_visible()


def invited(page: Page) -> None:
    a_group(page)
    page.goto(page.locator("#invitation-link").input_value())


def invited_without_a_name(page: Page) -> None:
    invited(page)
    page.context.clear_cookies()
    page.reload()


def with_long_board(own_name: str) -> str:
    """Return the address of a leaderboard of several pages, on which this player is last.

    Its day is long over, so a worker closes it as soon as it sees it: all rows are inserted at once.
    """
    on_time = {"named_at": moment_of(FIRST_DAY, hours=-1)}
    with in_the_site(), write_tx():
        daily = db.session.scalar(sa.select(Daily.id).where(Daily.date == FIRST_DAY))
        if daily is None:
            daily = add_daily(FIRST_DAY)
            for number in range(60):
                add_solve(add_player(f"Rival {number}", **on_time), daily, 100 + number // 2)
        db.session.execute(sa.update(Daily).where(Daily.id == daily).values(closed_at=None))
        own = db.session.scalars(sa.select(Player.id).where(Player.name == own_name)).one()
        db.session.execute(sa.update(Player).where(Player.id == own).values(**on_time))
        add_solve(own, daily, 3000)
    return f"/leaderboard?date={FIRST_DAY}&level=2"


def long_board(page: Page) -> None:
    """A leaderboard with the rows of others, further pages, and the player's own row pinned."""
    page.goto(with_long_board(named(page)))
    expect(page.locator(".ranking__pinned")).to_be_visible()


def under_review(page: Page) -> None:
    page.goto(doubted(page))
    expect(page.locator("#flag-reason")).to_be_visible()


def doubted(page: Page) -> str:
    """Play a ranked solve that the rules doubt, all digits at once. Returns its board's address."""
    named(page)
    return begin_ranked(page, left=0)


def a_race(page: Page) -> None:
    page.goto("/races")
    page.locator("[name=name]").fill("Ada")
    page.get_by_role("button", name="Create race").click()
    expect(page.locator("#racer-1")).to_be_visible()


def a_countdown(page: Page) -> None:
    a_race(page)
    page.get_by_role("button", name="Start race").click()
    expect(page.locator(".race__countdown")).to_be_visible()


def racing(page: Page) -> None:
    """A board with its racers beside it, where the page starts by itself."""
    a_countdown(page)
    expect(page.locator(".play #race progress")).to_have_count(1, timeout=60_000)


def race_over(page: Page) -> None:
    racing(page)
    race = page.locator("#race a").get_attribute("href")
    assert race
    fill_in(page, page.url)
    page.goto(race)
    expect(page.locator(".course__drawing")).to_be_visible()


STATES = (
    State("daily", "daily.show", at("/daily")),
    State("daily, of a day", "daily.of_day", lambda page: page.goto(f"/daily/{datetime.now(UTC):%Y-%m-%d}")),
    State(
        "daily, not begun", "daily.ready", lambda page: page.goto(f"/daily/{datetime.now(UTC):%Y-%m-%d}/3")
    ),
    State("daily, withdrawn", "daily.of_day", lambda page: page.goto(f"/daily/{withdrawn().date}")),
    State("archive", "daily.archive", at("/archive")),
    State("leaderboard, a long board", "leaderboard.show", long_board),
    State("daily, under review", None, under_review),
    State("leaderboard of the week", None, at("/leaderboard?scope=week")),
    State("groups", "groups.index", groups),
    State("group", "groups.show", a_group),
    State("invitation", "groups.invitation", invited),
    State("invitation, without a name", None, invited_without_a_name),
    State("races", "races.index", at("/races")),
    State("race, waiting", "races.show", a_race),
    State("race, countdown", None, a_countdown),
    State("race, on the board", None, racing),
    State("race, over", None, race_over),
)
