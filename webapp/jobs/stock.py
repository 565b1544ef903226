"""The job that keeps every level stocked with fresh puzzles, once a minute and at the worker's start."""

from __future__ import annotations

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

    @DBOS.step(name="fill_bank")
    def fill_bank() -> int:
        """Add what is missing; each puzzle is stored at once, so a step cut short is repeated at no cost."""
        with app.app_context():
            return sum(1 for _ in bank.stock_up(target, now(), rated=warm.ready()))

    @DBOS.step(name="rate_anew")
    def rate_anew() -> int:
        """Rate what an older version rated, once the techniques are compiled."""
        with app.app_context():
            return sum(1 for _ in bank.rate_anew()) if warm.ready() else 0

    @DBOS.workflow(name="keep_stocked")
    def keep_stocked(_scheduled_at: datetime, _context: Any) -> tuple[int, int]:
        return fill_bank(), rate_anew()

    app.extensions["keep_stocked"] = keep_stocked


def start(app: Flask) -> None:
    """Schedule the job and run it once now; call after the launch."""
    keep_stocked = app.extensions["keep_stocked"]
    queue = DBOS.register_queue(QUEUE, global_concurrency=1)
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
