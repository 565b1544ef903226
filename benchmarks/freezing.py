"""Freezing a day's board on which SOLVES stand (100,000), on SQLite and PostgreSQL (TEST_DATABASE_URL).

`python -m benchmarks freezing`: how long it takes in all, and for how long its transactions hold others up.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta

import sqlalchemy as sa

from benchmarks.databases import databases, site_on
from benchmarks.leaderboard import DAY, NOW, fill
from webapp.competition import ranking
from webapp.models import Daily
from webapp.process.database import db

SOLVES = int(os.environ.get("SOLVES", "100000"))
CLOSED = NOW + timedelta(days=2)


@contextmanager
def transactions() -> Iterator[list[float]]:
    """The seconds that each transaction on the engine lasts."""
    lasted: list[float] = []
    began: list[float] = []

    def begins(_connection: sa.Connection) -> None:
        began.append(time.perf_counter())

    def ends(_connection: sa.Connection) -> None:
        lasted.append(time.perf_counter() - began.pop())

    hooks = (("begin", begins), ("commit", ends), ("rollback", ends))
    for name, hook in hooks:
        sa.event.listen(db.engine, name, hook)
    try:
        yield lasted
    finally:
        for name, hook in hooks:
            sa.event.remove(db.engine, name, hook)


def measure(url: str) -> None:
    with site_on(url, clock=lambda: CLOSED) as app, app.app_context():
        fill(SOLVES)
        began, worked = time.perf_counter(), time.process_time()
        with transactions() as lasted:
            frozen = ranking.freeze(CLOSED)
        seconds, work = time.perf_counter() - began, time.process_time() - worked
        left = db.session.scalar(sa.select(sa.func.count()).where(Daily.frozen_at.is_(None)))
        if frozen != 1 or left or db.session.scalar(_WITHOUT_PERCENTILE):
            raise SystemExit(f"the board of {DAY} is not frozen")
        lasted.sort()
        middle, longest = (1000 * lasted[at] for at in (len(lasted) // 2, -1))
        print(
            f"| {db.engine.dialect.name} | {SOLVES:,} | {seconds:.0f} s | {work:.0f} s | {len(lasted):,} "
            f"| {middle:.0f} ms | {longest:.0f} ms |",
            flush=True,
        )


_WITHOUT_PERCENTILE = sa.text("SELECT count(*) FROM attempt WHERE percentile IS NULL")


def main() -> None:
    print("| database | solves | wall clock | processor | transactions | median | longest |")
    print("|---|---|---|---|---|---|---|")
    with databases() as urls:
        for url in urls:
            measure(url)


if __name__ == "__main__":
    main()
