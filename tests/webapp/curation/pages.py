"""Pages of the desk."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import sqlalchemy as sa
from playwright.sync_api import Page, expect

from tests.browser.desk import at_the_desk, in_the_site
from tests.browser.pages import GRID, LATE, State, at
from tests.webapp.competition.pages import doubted, withdrawn
from tests.webapp.solves import at as moment_of
from webapp.curation.reports import PuzzleReport
from webapp.models import Attempt, Puzzle, Status
from webapp.models.daily import FIRST_DAY
from webapp.process.database import db, write_tx

IN_A_WEEK = datetime.now(UTC).date() + timedelta(days=7)

NO_PAGE = {"admin.access.fresh", "admin.imports.table"} | {
    f"admin.exports.{kind}" for kind in ("download", "as_pdf", "as_svg")
}


def reported(page: Page) -> None:
    puzzle = withdrawn().puzzle_id
    with in_the_site(), write_tx():
        if db.session.scalar(sa.select(PuzzleReport.id).limit(1)) is None:
            db.session.add(
                PuzzleReport(puzzle_id=puzzle, text="It has two solutions.", created_at=moment_of(FIRST_DAY))
            )
    at_the_desk()(page)


def withdrawn_at_the_desk(page: Page) -> None:
    at_the_desk(f"/admin/withdrawals/{withdrawn().date}/2")(page)


def inspected(page: Page) -> None:
    with in_the_site():
        approved = sa.select(Puzzle.id).where(Puzzle.status == Status.APPROVED, Puzzle.level == 5)
        puzzle = db.session.scalars(approved.limit(1)).one()
    at_the_desk(f"/admin/puzzles/{puzzle}")(page)


def ordered(page: Page) -> None:
    at_the_desk("/admin/orders")(page)
    page.locator("#count").fill("1")
    with page.expect_navigation():
        page.locator("#place-order").click()
    expect(page.locator(".jobs__one").first).to_be_visible()


def imported(page: Page) -> None:
    at_the_desk("/admin/import")(page)
    page.locator("#text").fill("\n".join([GRID, GRID, "." * 81, "x" + GRID[1:], "11" + "." * 79]))
    page.locator("#import").click()
    page.wait_for_url("**/admin/import/*")


def with_columns(page: Page) -> None:
    at_the_desk("/admin/import")(page)
    page.locator("#text").fill(f"No;Grid to solve;Name\n1;{GRID};First\n2;{LATE};Second")
    page.locator("#import").click()
    page.wait_for_url("**/admin/import/*")


def to_be_judged(page: Page) -> None:
    at_the_desk(f"/admin/solves/{doubted(page).rpartition('/')[2]}")(page)
    expect(page.locator("#verdict")).to_be_attached()


def its_player(page: Page) -> None:
    attempt = doubted(page).rpartition("/")[2]
    with in_the_site():
        player = db.session.scalars(sa.select(Attempt.player_id).where(Attempt.id == attempt)).one()
    at_the_desk(f"/admin/people?player={player}")(page)


STATES = (
    State(
        "report a puzzle", "reports.form", lambda page: page.goto(f"/puzzles/{withdrawn().puzzle_id}/report")
    ),
    State("desk, for others", None, at("/admin/")),
    State("desk, the way in", "admin.access.form", at_the_desk("/admin/sign-in")),
    State("desk, today", "admin.today.show", reported),
    State(
        "desk, calendar, a slot",
        "admin.calendar.show",
        at_the_desk(f"/admin/calendar?day={IN_A_WEEK}&level=2"),
    ),
    State("desk, a withdrawal", "admin.withdrawals.show", withdrawn_at_the_desk),
    State("desk, puzzles", "admin.puzzles.show", at_the_desk("/admin/puzzles?q=evil")),
    State("desk, no puzzles", None, at_the_desk("/admin/puzzles?q=evil+nobody")),
    State("desk, a puzzle", "admin.puzzles.puzzle", inspected),
    State("desk, orders", "admin.orders.show", ordered),
    State("desk, import", "admin.imports.begin", at_the_desk("/admin/import")),
    State("desk, an import", "admin.imports.report", imported),
    State("desk, columns", None, with_columns),
    State("desk, people", "admin.people.show", its_player),
    State("desk, a doubted solve", "admin.solves.show", to_be_judged),
    State("desk, settings", "admin.settings.show", at_the_desk("/admin/settings")),
)
