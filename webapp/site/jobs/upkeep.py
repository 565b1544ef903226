"""The hourly cleanup job: refilled limits, ended sessions, idle guests, past suspensions, forgotten files."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from dbos import DBOS
from flask import Flask

from webapp.competition import suspensions
from webapp.competition.races import races
from webapp.curation.importing import uploads
from webapp.identity import limits, players, sessions
from webapp.process.clock import now
from webapp.site.jobs.schedules import start_now_and_every

QUEUE = "upkeep"
EVERY_HOUR = "17 * * * *"


def register(app: Flask) -> None:
    """Register the job with DBOS; call before launch."""

    @DBOS.step(name="sweep_limits")
    def sweep_limits() -> int:
        with app.app_context():
            return limits.sweep(now())

    @DBOS.step(name="forget_unused_guests")
    def forget_unused_guests() -> int:
        with app.app_context():
            return players.forget_unused_guests(now())

    @DBOS.step(name="sweep_sessions")
    def sweep_sessions() -> int:
        with app.app_context():
            return sessions.sweep(now())

    @DBOS.step(name="end_suspensions")
    def end_suspensions() -> int:
        with app.app_context():
            return suspensions.end_expired(now())

    @DBOS.step(name="forget_waiting_files")
    def forget_waiting_files() -> int:
        with app.app_context():
            return uploads.forget_waiting(now())

    @DBOS.step(name="forget_races")
    def forget_races() -> int:
        with app.app_context():
            return races.forget(now())

    @DBOS.workflow(name="keep_tidy")
    def keep_tidy(_scheduled_at: datetime, _context: Any) -> tuple[int, ...]:
        done = sweep_limits(), sweep_sessions(), forget_unused_guests(), end_suspensions()
        return *done, forget_waiting_files(), forget_races()

    app.extensions["keep_tidy"] = keep_tidy


def start(app: Flask) -> None:
    """Schedule the job and run it once now; call after launch."""
    start_now_and_every(app, "keep_tidy", QUEUE, EVERY_HOUR)
