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
from webapp.process.config import Settings
from webapp.process.database import db
from webapp.site.jobs.schedules import start_now_and_every, work_through

QUEUE = "exercises"
EVERY_MINUTE = "* * * * *"
TURN = 40.0  # seconds of work a minute
LOOK_EVERY = 1.0  # seconds between looks at the stock of puzzles


def register(app: Flask) -> None:
    """Register the job with DBOS; call before launch."""
    settings = app.extensions["settings"]
    stopping: threading.Event = app.extensions["stopping"]

    @DBOS.step(name="renew_exercises")
    def renew_exercises() -> int:
        """Check, remake and fill up; each exercise is stored immediately, so the step can be repeated."""
        with app.app_context():
            return turn(settings, stopping) if warm.ready() else 0

    @DBOS.workflow(name="keep_exercises")
    def keep_exercises(_scheduled_at: datetime, _context: Any) -> int:
        return renew_exercises()

    app.extensions["keep_exercises"] = keep_exercises


def turn(settings: Settings, stopping: threading.Event, seconds: float = TURN) -> int:
    """Work for so many seconds at most, once the bank is full. Returns how many exercises were done."""
    end = time.monotonic() + seconds

    def over() -> bool:
        return stopping.is_set() or time.monotonic() > end

    count = work_through(renewal.check_lessons(now(), over), stopping)
    # Puzzles to play come first: a drill can wait.
    while min(bank.fresh_stock().values()) < settings.bank_stock:
        db.session.rollback()
        if over():
            return count
        stopping.wait(LOOK_EVERY)
    count += work_through(renewal.check_drills(over), stopping)
    return count + work_through(renewal.fill_up(settings.drill_stock, now(), over), stopping)


def start(app: Flask) -> None:
    """Schedule the job and run it once now; call after launch."""
    start_now_and_every(app, "keep_exercises", QUEUE, EVERY_MINUTE)
