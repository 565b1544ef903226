"""What players notice of workers that make puzzles to order: their batches alone, and beside two at work.

`python -m benchmarks workers`: eight players send a batch every tenth of a second for four seconds, first
while two workers wait for work, then while both make puzzles of all levels. Everything runs on the same
machine, the workers at the priority that they give themselves (nice 10).
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path

from flask import Flask

from benchmarks.meanwhile import RUNS, Run, best, play, seated, verdict
from benchmarks.site import compiled, site
from tests.webapp.processes import WORKER, running, wait_until
from webapp import create_app
from webapp.curation.orders import orders
from webapp.curation.orders.orders import Wish
from webapp.models import Heartbeat, Order
from webapp.process.clock import now
from webapp.process.config import Settings
from webapp.process.database import db

NAMES = ("left", "right")
# Nothing else for the workers to do.
AHEAD = {"BANK_STOCK": "1", "DAILY_LEVELS": "1", "ORDER_DAYS": "0", "DRILL_STOCK": "0"}
REST = 3.0  # seconds after which a worker that was told to stop has stopped
WISH = Wish({orders.LEVELS: [1, 2, 3, 4, 5]}, orders.MOST_COUNT, timedelta(hours=2))


@contextmanager
def at_work(app: Flask) -> Iterator[int]:
    """An order that both workers are at."""
    with app.app_context():
        number = orders.place(WISH, None, now())
    wait_until(lambda: made(app, number) >= 20, 120)
    try:
        yield number
    finally:
        with app.app_context():
            orders.cancel(number, None, now())
        time.sleep(REST)


def made(app: Flask, number: int) -> int:
    """How many puzzles an order has."""
    with app.app_context():
        return db.session.get_one(Order, number, populate_existing=True).made


def waiting(app: Flask) -> bool:
    """Whether all workers have come."""
    with app.app_context():
        return db.session.query(Heartbeat).count() == len(NAMES)


def measure(app: Flask, port: int) -> Run:
    """One run, printed."""
    idle = play(seated(port))
    with at_work(app) as number:
        before = made(app, number)
        run = Run(idle, play(seated(port)))
        after = made(app, number)
    if after == orders.MOST_COUNT:
        raise SystemExit("the order was done too soon")
    print(f"  {run}; {after - before} puzzles made")
    return run


def main() -> None:
    compiled()
    with site(**AHEAD) as (port, server):
        instance = Path(server.environment["INSTANCE_PATH"])
        settings = {"instance": instance, "log": instance / "workers.log"}
        app = create_app(Settings.from_environment({"INSTANCE_PATH": str(instance)}))
        with (
            running(*WORKER, "--name", NAMES[0], forked=False, **settings, **AHEAD),
            running(*WORKER, "--name", NAMES[1], forked=False, **settings, **AHEAD),
        ):
            wait_until(lambda: waiting(app), 120)
            with at_work(app):  # what both have to load is loaded
                pass
            play(seated(port))
            print("Two workers at an order")
            found = best([measure(app, port) for _ in range(RUNS)])
            print(f"  {verdict(found)}")
        with app.app_context():
            db.engine.dispose()
    if not found.within:
        raise SystemExit("not within bounds")
