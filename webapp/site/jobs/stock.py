"""The job that keeps every level stocked with fresh puzzles, at startup and once a minute."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

from dbos import DBOS
from flask import Flask

from engine import warm
from webapp.bank import bank, traits
from webapp.curation.orders import stock
from webapp.process.clock import now
from webapp.site.jobs.schedules import start_now_and_every, work_through

QUEUE = "stock"
EVERY_MINUTE = "* * * * *"
RATING = timedelta(seconds=20)  # a run; what is left waits for the next, behind the stock


def fill_bank(app: Flask) -> int:
    """Add missing puzzles; each is stored immediately, so an interrupted step can be repeated cheaply."""
    target = app.extensions["settings"].bank_stock
    return work_through(bank.stock_up(target, now(), rated=warm.ready()), app.extensions["stopping"])


def rate_anew(app: Flask) -> int:
    """Rate entered puzzles, and update ratings of older versions, once the techniques are compiled."""
    return work_through(bank.rate_anew(), app.extensions["stopping"], RATING) if warm.ready() else 0


def trace(app: Flask) -> int:
    """Write down what the desk finds new and newly rated puzzles by."""
    return work_through(traits.trace(), app.extensions["stopping"], RATING)


def order_ahead(app: Flask) -> int:
    """Order candidates when stock is low or a theme lacks some; a repeated step finds the order placed."""
    days = app.extensions["settings"].order_days
    return len(stock.order_ahead(days, now()) + stock.order_for_themes(now())) if days else 0


# Stock before all else: hard puzzles that players have entered must not keep others waiting for one.
STEPS = (fill_bank, rate_anew, trace, order_ahead)


def register(app: Flask) -> None:
    """Register the job with DBOS; call before launch."""
    steps = [_as_step(app, work) for work in STEPS]

    @DBOS.workflow(name="keep_stocked")
    def keep_stocked(_scheduled_at: datetime, _context: Any) -> list[int]:
        return [step() for step in steps]

    app.extensions["keep_stocked"] = keep_stocked


def _as_step(app: Flask, work: Callable[[Flask], int]) -> Callable[[], int]:
    @DBOS.step(name=work.__name__)
    def step() -> int:
        with app.app_context():
            return work(app)

    return step


def start(app: Flask) -> None:
    """Schedule the job and run it once now; call after launch."""
    start_now_and_every(app, "keep_stocked", QUEUE, EVERY_MINUTE)
