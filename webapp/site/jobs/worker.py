"""The worker process: launches DBOS, registers the jobs, sends heartbeats, and stops on a signal."""

from __future__ import annotations

import logging
import os
import signal
import threading
from collections.abc import Sequence
from importlib import import_module
from typing import Any, NoReturn, Protocol

from dbos import DBOS, DBOSConfig
from flask import Flask
from sqlalchemy import make_url
from sqlalchemy.exc import SQLAlchemyError

from webapp.capability import Capabilities
from webapp.curation.orders import workers
from webapp.process.clock import now
from webapp.process.commands.ending import leave
from webapp.process.config import Settings
from webapp.process.database import Busy, make_private
from webapp.process.jobs import MAIL, Job, Schedule
from webapp.process.operation import logs
from webapp.site.jobs.schedules import Scheduled
from webapp.site.storage import pruning

log = logging.getLogger(__name__)


class Task(Protocol):
    """Something that a job started and that must be stopped."""

    def terminate(self) -> object:
        """Request the stop, without waiting."""

    def wait(self) -> object:
        """Wait until it has stopped."""


class Worker(Protocol):
    """The interface of the modules that capabilities name as workers."""

    def register(self, app: Flask, /) -> None:
        """Register the job with DBOS; called before launch."""

    def start(self, app: Flask, /) -> Task | None:
        """Start the job; called after launch."""


def workers_of(app: Flask) -> list[Worker]:
    """Return the worker's parts: the modules that capabilities name, and their jobs by schedule."""
    entries: Capabilities = app.extensions["capabilities"]
    mails = app.extensions["settings"].mail_url is not None
    modules: list[Worker] = [import_module(name) for entry in entries for name in entry.workers]
    by_schedule: dict[Schedule, list[Job]] = {}
    for entry in entries:
        for job in entry.jobs:
            if job.schedule != MAIL or mails:
                by_schedule.setdefault(job.schedule, []).append(job)
    return [*modules, *(Scheduled(schedule, jobs) for schedule, jobs in by_schedule.items())]


NICENESS = 10  # players' moves take priority
PATIENCE = 4.0  # seconds for work to finish after a signal to stop


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
        "notification_listener_polling_interval_sec": 60.0,  # no workflow here waits for notifications
    }


def _report(name: str) -> None:
    """Send a heartbeat; skip it if the database is busy."""
    try:
        workers.report(name, now())
    except (Busy, SQLAlchemyError):
        log.warning("could not write the heartbeat", exc_info=True)


def forget_others(jobs: Sequence[Worker]) -> None:
    """Delete the schedules of an older release that no capability has anymore."""
    ours = {job.name for job in jobs if isinstance(job, Scheduled)}
    for schedule in DBOS.list_schedules():
        if schedule["schedule_name"] not in ours:
            DBOS.delete_schedule(schedule["schedule_name"])


def run(app: Flask, name: str) -> NoReturn:
    """Work until SIGINT or SIGTERM."""
    os.nice(NICENESS)
    stop = app.extensions["stopping"] = threading.Event()

    def stop_soon(_signal: int, _frame: Any) -> None:
        stop.set()

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, stop_soon)
    jobs = workers_of(app)
    for job in jobs:
        job.register(app)
    with app.app_context():
        pruning.begin(now())
    config = dbos_config(app.extensions["settings"], name)
    own = make_url(config["system_database_url"] or "")
    if own.get_backend_name() == "sqlite" and own.database:
        make_private(own.database)
    DBOS(config=config)
    logs.take_over("dbos")
    DBOS.launch()
    status = 0
    started: list[Task | None] = []
    try:
        forget_others(jobs)
        for job in jobs:
            started.append(job.start(app))
        while not stop.is_set():
            with app.app_context():
                _report(name)
            stop.wait(workers.BEAT_EVERY.total_seconds())
    except Exception:
        log.exception("the worker failed and is stopping")
        status = 1
    stop.set()
    # Abandon work that doesn't finish in time, as if killed, before its database is closed. The next start
    # resumes it.
    give_up = threading.Timer(PATIENCE, os._exit, [status])
    give_up.daemon = True
    give_up.start()
    for child in filter(None, started):
        child.terminate()
        child.wait()
    # DBOS waits a second before it checks whether anything is running.
    busy = DBOS.list_workflows(status="PENDING", executor_id=name, limit=1, load_input=False)
    # Its threads that are about to claim work log errors now; the next start resumes that work.
    logging.getLogger("dbos").disabled = True
    DBOS.destroy(workflow_completion_timeout_sec=int(2 * PATIENCE) if busy else 0)
    give_up.cancel()
    leave(app, status)
