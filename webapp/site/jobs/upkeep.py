"""The hourly cleanup job: deletes refilled rate limits and guests who never played."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from dbos import DBOS
from flask import Flask

from webapp.identity import limits, players
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

    @DBOS.workflow(name="keep_tidy")
    def keep_tidy(_scheduled_at: datetime, _context: Any) -> tuple[int, int]:
        return sweep_limits(), forget_unused_guests()

    app.extensions["keep_tidy"] = keep_tidy


def start(app: Flask) -> None:
    """Schedule the job and run it once now; call after launch."""
    start_now_and_every(app, "keep_tidy", QUEUE, EVERY_HOUR)
