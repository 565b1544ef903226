"""The job that schedules dailies and keeps leaderboards and leagues, at startup and every two minutes."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from dbos import DBOS
from flask import Flask

from webapp.bank import bank
from webapp.competition import ranking
from webapp.competition.daily import dailies
from webapp.competition.leagues import seasons
from webapp.curation.calendar import drafts
from webapp.process.clock import now
from webapp.site.jobs.schedules import start_now_and_every, work_through

QUEUE = "daily"
EVERY_TWO_MINUTES = "*/2 * * * *"


def register(app: Flask) -> None:
    """Register the job with DBOS; call before launch."""
    stopping = app.extensions["stopping"]

    @DBOS.step(name="fill_canonical")
    def fill_canonical() -> int:
        """Compute the canonical form of puzzles from older versions."""
        with app.app_context():
            return work_through(bank.fill_canonical(), stopping)

    @DBOS.step(name="schedule_dailies")
    def schedule_dailies() -> int:
        """Schedule the days ahead; each is stored immediately, so the step can be repeated cheaply."""
        with app.app_context():
            drafts.expire(now())
            return work_through(dailies.schedule(now()), stopping)

    @DBOS.step(name="freeze_boards")
    def freeze_boards() -> int:
        """Freeze the leaderboards whose windows are over."""
        with app.app_context():
            return ranking.freeze(now(), stopping.is_set)

    @DBOS.step(name="estimate_points")
    def estimate_points() -> int:
        """Renew the provisional points of leaderboards with new solves."""
        with app.app_context():
            return ranking.estimate(stopping.is_set)

    @DBOS.step(name="turn_seasons")
    def turn_seasons() -> int:
        """Settle leagues whose leaderboards are all frozen, and draw the next."""
        with app.app_context():
            return seasons.turn(now(), stopping.is_set)

    @DBOS.workflow(name="keep_scheduled")
    def keep_scheduled(_scheduled_at: datetime, _context: Any) -> tuple[int, int, int, int, int]:
        # Scheduling first: the next day must never wait.
        return schedule_dailies(), freeze_boards(), estimate_points(), fill_canonical(), turn_seasons()

    app.extensions["keep_scheduled"] = keep_scheduled


def start(app: Flask) -> None:
    """Schedule the job and run it once now; call after launch."""
    start_now_and_every(app, "keep_scheduled", QUEUE, EVERY_TWO_MINUTES)
