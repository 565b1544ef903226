"""The job that keeps every level stocked with fresh puzzles, once a minute and at the worker's start."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from datetime import datetime
from typing import Any

from dbos import DBOS
from flask import Flask

from engine import warm
from webapp.clock import now
from webapp.services import bank

QUEUE = "stock"
EVERY_MINUTE = "* * * * *"


def register(app: Flask) -> None:
    """Declare the job to DBOS; call before its launch."""
    target = app.extensions["settings"].bank_stock
    stopping: threading.Event = app.extensions["stopping"]

    @DBOS.step(name="fill_bank")
    def fill_bank() -> int:
        """Add what is missing; each puzzle is stored at once, so a step cut short is repeated at no cost."""
        with app.app_context():
            return _count(bank.stock_up(target, now(), rated=warm.ready()), stopping)

    @DBOS.step(name="rate_anew")
    def rate_anew() -> int:
        """Rate what an older version rated, once the techniques are compiled."""
        with app.app_context():
            return _count(bank.rate_anew(), stopping) if warm.ready() else 0

    @DBOS.workflow(name="keep_stocked")
    def keep_stocked(_scheduled_at: datetime, _context: Any) -> tuple[int, int]:
        # Rating first: it may move puzzles away from the level they were dug for.
        return rate_anew(), fill_bank()

    app.extensions["keep_stocked"] = keep_stocked


def _count(done: Iterable[int], stopping: threading.Event) -> int:
    """Work through `done` until it ends or the worker is told to stop; what is stored by then stays."""
    count = 0
    for _ in done:
        count += 1
        if stopping.is_set():
            break
    return count


def start(app: Flask) -> None:
    """Schedule the job and run it once now; call after the launch."""
    keep_stocked = app.extensions["keep_stocked"]
    # A limit for each worker, none over all: a worker that is gone for good would hold that for ever.
    queue = DBOS.register_queue(QUEUE, worker_concurrency=1)
    DBOS.apply_schedules(
        [
            {
                "schedule_name": "keep_stocked",
                "workflow_fn": keep_stocked,
                "schedule": EVERY_MINUTE,
                "context": None,
                "queue_name": QUEUE,
            }
        ]
    )
    queue.enqueue(keep_stocked, app.extensions["clock"](), None)
