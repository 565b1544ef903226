"""The job that checks lessons and stocks drills, once a minute, while the bank has all its puzzles."""

from __future__ import annotations

import threading
import time
from datetime import datetime
from typing import Any

from dbos import DBOS
from flask import Flask

from engine import warm
from webapp.bank import bank
from webapp.learn.exercises import renewal
from webapp.process.clock import now
from webapp.site.jobs.schedules import start_now_and_every, work_through

QUEUE = "exercises"
EVERY_MINUTE = "* * * * *"
TURN = 40.0  # seconds of work; then the next minute's turn has the say


def register(app: Flask) -> None:
    """Register the job with DBOS; call before launch."""
    settings = app.extensions["settings"]
    stopping: threading.Event = app.extensions["stopping"]

    @DBOS.step(name="renew_exercises")
    def renew_exercises() -> int:
        """Check, remake and fill up; each exercise is stored immediately, so the step can be repeated."""
        end = time.monotonic() + TURN

        def over() -> bool:
            return stopping.is_set() or time.monotonic() > end

        with app.app_context():
            if not warm.ready():
                return 0
            count = work_through(renewal.check_lessons(now(), over), stopping)
            # Puzzles to play come first: a drill can wait.
            if min(bank.fresh_stock().values()) < settings.bank_stock:
                return count
            count += work_through(renewal.check_drills(over), stopping)
            return count + work_through(renewal.fill_up(settings.drill_stock, now(), over), stopping)

    @DBOS.workflow(name="keep_exercises")
    def keep_exercises(_scheduled_at: datetime, _context: Any) -> int:
        return renew_exercises()

    app.extensions["keep_exercises"] = keep_exercises


def start(app: Flask) -> None:
    """Schedule the job and run it once now; call after launch."""
    start_now_and_every(app, "keep_exercises", QUEUE, EVERY_MINUTE)
