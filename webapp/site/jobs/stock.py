"""The job that keeps every level stocked with fresh puzzles, once a minute and at the worker's start."""

from __future__ import annotations

import threading
from datetime import datetime
from typing import Any

from dbos import DBOS
from flask import Flask

from engine import warm
from webapp.bank import bank
from webapp.curation.orders import stock
from webapp.process.clock import now
from webapp.site.jobs.schedules import start_now_and_every, work_through

QUEUE = "stock"
EVERY_MINUTE = "* * * * *"


def register(app: Flask) -> None:
    """Declare the job to DBOS; call before its launch."""
    target = app.extensions["settings"].bank_stock
    days = app.extensions["settings"].order_days
    stopping: threading.Event = app.extensions["stopping"]

    @DBOS.step(name="fill_bank")
    def fill_bank() -> int:
        """Add what is missing; each puzzle is stored at once, so a step cut short is repeated at no cost."""
        with app.app_context():
            return work_through(bank.stock_up(target, now(), rated=warm.ready()), stopping)

    @DBOS.step(name="rate_anew")
    def rate_anew() -> int:
        """Rate what an older version rated, once the techniques are compiled."""
        with app.app_context():
            return work_through(bank.rate_anew(), stopping) if warm.ready() else 0

    @DBOS.step(name="order_ahead")
    def order_ahead() -> int:
        """Order candidates where the stock runs low; a step repeated finds the order placed."""
        with app.app_context():
            return len(stock.order_ahead(days, now())) if days else 0

    @DBOS.workflow(name="keep_stocked")
    def keep_stocked(_scheduled_at: datetime, _context: Any) -> tuple[int, int, int]:
        # Rating first: it may move puzzles away from the level they were dug for.
        return rate_anew(), fill_bank(), order_ahead()

    app.extensions["keep_stocked"] = keep_stocked


def start(app: Flask) -> None:
    """Schedule the job and run it once now; call after the launch."""
    start_now_and_every(app, "keep_stocked", QUEUE, EVERY_MINUTE)
