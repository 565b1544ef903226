"""The worker process: launches DBOS, registers the jobs, sends heartbeats, and stops when told to."""

from __future__ import annotations

import logging
import os
import signal
import threading
from typing import Any, NoReturn, Protocol

from dbos import DBOS, DBOSConfig
from flask import Flask
from sqlalchemy import make_url
from sqlalchemy.exc import SQLAlchemyError

from webapp.curation.orders import workers
from webapp.process.clock import now
from webapp.process.commands.ending import leave
from webapp.process.config import Settings
from webapp.process.database import Busy, db, for_its_owner_alone
from webapp.process.operation import logs, tracing
from webapp.site.jobs import daily, exercises, kernels, packing, pruning, reminders, stock, strength, upkeep
from webapp.site.jobs.desk import imports, orders

log = logging.getLogger(__name__)


class Task(Protocol):
    """Something a job has started that must be stopped."""

    def terminate(self) -> object:
        """Ask it to stop, without waiting."""

    def wait(self) -> object:
        """Wait until it has stopped."""


class Job(Protocol):
    """The interface of the job modules in this folder."""

    def register(self, app: Flask, /) -> None:
        """Register the job with DBOS; called before launch."""

    def start(self, app: Flask, /) -> Task | None:
        """Start the job; called after launch."""


JOBS: tuple[Job, ...] = (
    *(kernels, daily, stock, orders, imports, exercises),
    *(strength, reminders, upkeep, packing, pruning),
)
NICENESS = 10  # players' moves take priority
PATIENCE = 4.0  # seconds for work to finish when the worker is told to stop


def dbos_config(settings: Settings, name: str) -> DBOSConfig:
    """Configure DBOS with its own SQLite file, or its own schema in the site's PostgreSQL.

    The file is never in WAL mode: DBOS opens it with the standard sqlite3, whatever its version. `name` is
    the executor: a worker started under the same name resumes its work.
    """
    own_file = f"sqlite:///{settings.instance_path / 'jobs.sqlite'}"
    in_sqlite = settings.database_url.startswith("sqlite")
    return {
        "name": "ninefold",
        "system_database_url": own_file if in_sqlite else settings.database_url,
        "executor_id": name,
        # One version for all, so that a new release resumes the work of an older one.
        "application_version": "ninefold",
        "log_level": "WARNING",
        "enable_otlp": settings.otel_exporter_otlp_endpoint
        is not None,  # it then adds spans of jobs to `tracing`'s
        "otel_attribute_format": "semconv",
    }


def _report(name: str) -> None:
    """Send a heartbeat; if the database is busy, the next one has to do."""
    try:
        workers.report(name, now())
    except (Busy, SQLAlchemyError):
        log.warning("could not write the heartbeat", exc_info=True)


def is_news(record: logging.LogRecord) -> bool:
    """Whether a line that DBOS logs while it ends is worth reading.

    A thread of its own that claims work just then finds no executor any more, and logs that as an error. The
    next start resumes the work.
    """
    return "accessed before DBOS was launched" not in record.getMessage()


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
    with app.app_context():
        tracing.start(app, list(db.engines.values()), "worker")
    config = dbos_config(app.extensions["settings"], name)
    own = make_url(config["system_database_url"] or "")
    if own.get_backend_name() == "sqlite" and own.database:
        for_its_owner_alone(own.database)
    DBOS(config=config)
    logs.take_over("dbos")
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
    # Work that does not finish in time is abandoned as if killed, before its database is closed. The
    # next start resumes it.
    give_up = threading.Timer(PATIENCE, os._exit, [status])
    give_up.daemon = True
    give_up.start()
    for child in filter(None, started):
        child.terminate()
        child.wait()
    # DBOS waits a second before it checks whether anything is running.
    busy = DBOS.list_workflows(status="PENDING", executor_id=name, limit=1, load_input=False)
    logging.getLogger("dbos").addFilter(is_news)
    DBOS.destroy(workflow_completion_timeout_sec=int(2 * PATIENCE) if busy else 0)
    give_up.cancel()
    leave(app, status)
