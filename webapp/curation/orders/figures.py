"""Statistics of the whole bank. A large bank is counted in the background, and pages show the latest count.

Counting a million rows takes a second, too long for a page. The first page that finds the count outdated
starts the next one.
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

LARGE = 100_000  # puzzles; a smaller bank is counted within the request
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
    """An app's latest count, and whether another is running."""

    def __init__(self, app: Flask) -> None:
        self._app = app
        self._latest: Figures | None = None
        self._counting: threading.Thread | None = None
        self._lock = threading.Lock()

    def latest(self, now: datetime) -> Figures | None:
        """Return the latest count, and start another if it is old; None if there is none yet."""
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
    """Return the bank's statistics; None while a large bank is counted for the first time."""
    if (db.session.scalar(sa.select(sa.func.max(Puzzle.id))) or 0) <= LARGE:
        return count(now)
    counter: Counter = current_app.extensions.setdefault("bank_figures", Counter(this_app()))
    return counter.latest(now)


def count(now: datetime) -> Figures:
    """Count the whole bank."""
    return Figures(now, stock.levels(now), stock.er_bars(), stock.technique_bars())
