"""The worker process: launches DBOS, registers the jobs, reports that it is alive, and stops when told to."""

from __future__ import annotations

import logging
import os
import signal
import threading
from typing import Any, NoReturn, Protocol

from dbos import DBOS, DBOSConfig
from flask import Flask
from sqlalchemy.exc import SQLAlchemyError

from webapp.curation import workers
from webapp.process.clock import now
from webapp.process.config import Settings
from webapp.process.database import Busy
from webapp.process.ending import leave
from webapp.site.jobs import daily, kernels, orders, stock, upkeep

log = logging.getLogger(__name__)


class Task(Protocol):
    """What a job has begun that must be told to end."""

    def terminate(self) -> object:
        """Ask it to end, without waiting for it."""

    def wait(self) -> object:
        """Wait until it has ended."""


class Job(Protocol):
    """What the modules of this folder are to the worker."""

    def register(self, app: Flask, /) -> None:
        """Declare the job to DBOS; called before its launch."""

    def start(self, app: Flask, /) -> Task | None:
        """Begin it; called after the launch."""


JOBS: tuple[Job, ...] = (kernels, daily, stock, orders, upkeep)
NICENESS = 10  # moves of players go first
PATIENCE = 4.0  # seconds that work has to end when the worker is told to stop


def dbos_config(settings: Settings, name: str) -> DBOSConfig:
    """DBOS in a SQLite file of its own, or in the site's PostgreSQL under a schema of its own.

    The file is never in WAL mode: DBOS opens it with the standard sqlite3, whatever its version. `name` is
    the executor: whoever starts under the same name takes up what it had begun.
    """
    own_file = f"sqlite:///{settings.instance_path / 'jobs.sqlite'}"
    in_sqlite = settings.database_url.startswith("sqlite")
    return {
        "name": "ninefold",
        "system_database_url": own_file if in_sqlite else settings.database_url,
        "executor_id": name,
        # One version for all: a new release takes up the work an older one left.
        "application_version": "ninefold",
        "log_level": "WARNING",
    }


def _report(name: str) -> None:
    """Say that this worker lives; a database that is busy hears it at the next beat."""
    try:
        workers.report(name, now())
    except (Busy, SQLAlchemyError):
        log.warning("could not write the heartbeat", exc_info=True)


def run(app: Flask, name: str) -> NoReturn:
    """Work until SIGINT or SIGTERM."""
    os.nice(NICENESS)
    stop = app.extensions["stopping"] = threading.Event()

    def stop_soon(_signal: int, _frame: Any) -> None:
        stop.set()

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, stop_soon)
    for job in JOBS:
        job.register(app)
    DBOS(config=dbos_config(app.extensions["settings"], name))
    DBOS.launch()
    status = 0
    started: list[Task | None] = []
    try:
        for job in JOBS:
            started.append(job.start(app))
        while not stop.is_set():
            with app.app_context():
                _report(name)
            stop.wait(workers.BEAT_EVERY.total_seconds())
    except Exception:
        log.exception("the worker failed and is stopping")
        status = 1
    stop.set()
    # What does not end in time is left as if killed, before its database is closed, and without a word: the
    # next start takes it up.
    give_up = threading.Timer(PATIENCE, os._exit, [status])
    give_up.daemon = True
    give_up.start()
    for child in filter(None, started):
        child.terminate()
        child.wait()
    # DBOS waits a second before it looks whether anything is running.
    busy = DBOS.list_workflows(status="PENDING", executor_id=name, limit=1, load_input=False)
    DBOS.destroy(workflow_completion_timeout_sec=int(2 * PATIENCE) if busy else 0)
    give_up.cancel()
    leave(app, status)
