"""The jobs that keep ratings, at startup and later.

Once a minute new puzzles get one and given-up games count; once a day the scale of puzzles is put back.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from dbos import DBOS
from flask import Flask

from webapp.learn.strength import anchoring, strength
from webapp.process.clock import now
from webapp.site.jobs.schedules import start_now_and_every

QUEUE, ANCHOR_QUEUE = "strength", "anchor"
EVERY_MINUTE = "* * * * *"
EVERY_NIGHT = "40 3 * * *"


def register(app: Flask) -> None:
    """Register the job with DBOS; call before launch."""

    @DBOS.step(name="begin_ratings")
    def begin_ratings() -> int:
        """Each puzzle is stored at once, so an interrupted step can be repeated cheaply."""
        with app.app_context():
            return strength.begin_ratings()

    @DBOS.step(name="count_given_up")
    def count_given_up() -> int:
        with app.app_context():
            return strength.count_given_up(now())

    @DBOS.step(name="refold_older")
    def refold_older() -> int:
        with app.app_context():
            return strength.refold_older()

    @DBOS.workflow(name="keep_rated")
    def keep_rated(_scheduled_at: datetime, _context: Any) -> tuple[int, int, int]:
        return begin_ratings(), count_given_up(), refold_older()

    @DBOS.step(name="anchor")
    def anchor() -> float:
        with app.app_context():
            return anchoring.anchor()

    @DBOS.workflow(name="keep_anchored")
    def keep_anchored(_scheduled_at: datetime, _context: Any) -> float:
        return anchor()

    app.extensions["keep_rated"] = keep_rated
    app.extensions["keep_anchored"] = keep_anchored


def start(app: Flask) -> None:
    """Schedule the jobs and run each once now; call after launch."""
    start_now_and_every(app, "keep_rated", QUEUE, EVERY_MINUTE)
    start_now_and_every(app, "keep_anchored", ANCHOR_QUEUE, EVERY_NIGHT)
