"""The hourly job that packs the logs of finished games; `webapp/competition/logs.py` says how."""

from __future__ import annotations

import threading
from datetime import datetime, timedelta
from typing import Any

from dbos import DBOS
from flask import Flask

from webapp.competition import logs
from webapp.process.clock import now
from webapp.site.jobs.schedules import start_now_and_every, work_through

QUEUE = "packing"
EVERY_HOUR = "17 * * * *"
MOST = timedelta(minutes=20)  # at a time; what is left waits for the next hour


class Stop:
    """Ends the job between two transactions."""

    def __init__(self) -> None:
        self.stopping = threading.Event()

    def terminate(self) -> None:
        """Ask it to stop, without waiting."""
        self.stopping.set()

    def wait(self) -> None:
        """Nothing: DBOS waits for its steps."""


def register(app: Flask) -> None:
    """Register the job with DBOS; call before launch."""
    stop = app.extensions["packing_stop"] = Stop()

    @DBOS.step(name="pack")
    def pack() -> int:
        with app.app_context():
            return work_through(logs.pack_finished(now()), stop.stopping, MOST)

    @DBOS.workflow(name="keep_packed")
    def keep_packed(_scheduled_at: datetime, _context: Any) -> int:
        return pack()

    app.extensions["keep_packed"] = keep_packed


def start(app: Flask) -> Stop:
    """Schedule the job and run it once now; call after launch."""
    start_now_and_every(app, "keep_packed", QUEUE, EVERY_HOUR)
    stop: Stop = app.extensions["packing_stop"]
    return stop
