"""What the bank holds, counted whole. A large bank is counted aside, and pages show the latest count.

A million rows take a second, which no page has; the next count begins behind the first page that finds the
last one old.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

import sqlalchemy as sa
from flask import Flask, current_app

from webapp.curation.orders import stock
from webapp.curation.orders.stock import LevelStock, Part
from webapp.models import Puzzle
from webapp.process.database import db
from webapp.process.proxies import this_app

LARGE = 100_000  # puzzles; fewer are counted while the page is made
KEPT = timedelta(minutes=1)
PATIENCE = 0.1  # seconds a page waits for the first count


@dataclass(frozen=True, slots=True)
class Figures:
    """The counts of one moment."""

    at: datetime
    levels: Sequence[LevelStock]
    ratings: Sequence[Part]
    techniques: Sequence[Part]


class Counter:
    """The latest figures of an app, and whether others are being counted."""

    def __init__(self, app: Flask) -> None:
        self._app = app
        self._latest: Figures | None = None
        self._counting: threading.Thread | None = None
        self._lock = threading.Lock()

    def latest(self, now: datetime) -> Figures | None:
        """Return the latest figures, and have old ones counted anew; None if there are none yet."""
        with self._lock:
            old = self._latest is None or not timedelta() <= now - self._latest.at < KEPT
            if old and (self._counting is None or not self._counting.is_alive()):
                self._counting = threading.Thread(
                    target=self._count, args=(now,), name="bank_figures", daemon=True
                )
                self._counting.start()
            counting = self._counting
        if self._latest is None and counting is not None:
            counting.join(PATIENCE)
        return self._latest

    def _count(self, now: datetime) -> None:
        with self._app.app_context():
            self._latest = count(now)


def figures(now: datetime) -> Figures | None:
    """Return what the bank holds; None while a large one is counted for the first time."""
    if (db.session.scalar(sa.select(sa.func.max(Puzzle.id))) or 0) <= LARGE:
        return count(now)
    counter: Counter = current_app.extensions.setdefault("bank_figures", Counter(this_app()))
    return counter.latest(now)


def count(now: datetime) -> Figures:
    """Count the whole bank."""
    return Figures(now, stock.levels(now), stock.er_bars(), stock.technique_bars())
