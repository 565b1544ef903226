"""The daily job that deletes what is past its time; `webapp/site/storage/pruning.py` says what that is."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from dbos import DBOS
from flask import Flask

from webapp.process.clock import now
from webapp.site.jobs.schedules import start_now_and_every
from webapp.site.storage.pruning import prune

QUEUE = "pruning"
EVERY_DAY = "43 3 * * *"


def register(app: Flask) -> None:
    """Register the job with DBOS; call before launch."""

    @DBOS.step(name="prune")
    def prune_all() -> int:
        with app.app_context():
            return sum(prune(app, now()).values())

    @DBOS.workflow(name="keep_pruned")
    def keep_pruned(_scheduled_at: datetime, _context: Any) -> int:
        return prune_all()

    app.extensions["keep_pruned"] = keep_pruned


def start(app: Flask) -> None:
    """Schedule the job and run it once now; call after launch."""
    start_now_and_every(app, "keep_pruned", QUEUE, EVERY_DAY)
