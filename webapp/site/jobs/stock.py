"""The job that keeps every level stocked with fresh puzzles, at startup and once a minute."""

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
    """Register the job with DBOS; call before launch."""
    target = app.extensions["settings"].bank_stock
    days = app.extensions["settings"].order_days
    stopping: threading.Event = app.extensions["stopping"]

    @DBOS.step(name="fill_bank")
    def fill_bank() -> int:
        """Add missing puzzles; each is stored immediately, so an interrupted step can be repeated cheaply."""
        with app.app_context():
            return work_through(bank.stock_up(target, now(), rated=warm.ready()), stopping)

    @DBOS.step(name="rate_anew")
    def rate_anew() -> int:
        """Update ratings from older versions, once the techniques are compiled."""
        with app.app_context():
            return work_through(bank.rate_anew(), stopping) if warm.ready() else 0

    @DBOS.step(name="order_ahead")
    def order_ahead() -> int:
        """Order candidates when stock is low; a repeated step finds the order already placed."""
        with app.app_context():
            return len(stock.order_ahead(days, now())) if days else 0

    @DBOS.workflow(name="keep_stocked")
    def keep_stocked(_scheduled_at: datetime, _context: Any) -> tuple[int, int, int]:
        # Rate first: that may move puzzles away from the level they were dug for.
        return rate_anew(), fill_bank(), order_ahead()

    app.extensions["keep_stocked"] = keep_stocked


def start(app: Flask) -> None:
    """Schedule the job and run it once now; call after launch."""
    start_now_and_every(app, "keep_stocked", QUEUE, EVERY_MINUTE)
