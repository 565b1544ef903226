"""The worker process: looks for what is due, launches DBOS for durable work, and stops on a signal."""

from __future__ import annotations

import logging
import os
import signal
import subprocess
import sys
import threading
from datetime import timedelta
from importlib import import_module
from itertools import count
from typing import TYPE_CHECKING, Any, NoReturn

from flask import Flask
from sqlalchemy import make_url
from sqlalchemy.exc import SQLAlchemyError

from engine import warm
from webapp.capability import capabilities_of
from webapp.identity import workers
from webapp.process.children import leave
from webapp.process.clock import now
from webapp.process.config import Settings
from webapp.process.database import Busy, make_private
from webapp.process.jobs import MAIL, Job, Schedule
from webapp.process.operation import logs
from webapp.process.operation.machine import memory_of
from webapp.site.jobs.schedules import LOOK_EVERY, Scheduled
from webapp.site.storage import pruning

if TYPE_CHECKING:
    from dbos import DBOSConfig  # large, and an idle worker doesn't need it

log = logging.getLogger(__name__)


def schedules_of(app: Flask) -> list[Scheduled]:
    """Return the jobs that capabilities declare, by schedule."""
    mails = app.extensions["settings"].mail_url is not None
    by_schedule: dict[Schedule, list[Job]] = {}
    for entry in capabilities_of(app):
        for job in entry.jobs:
            if job.schedule != MAIL or mails:
                by_schedule.setdefault(job.schedule, []).append(job)
    return [Scheduled(app, schedule, jobs) for schedule, jobs in by_schedule.items()]


NICENESS = 10  # players' moves take priority
PATIENCE = 4.0  # seconds for work to finish after a signal to stop
LEAST_BEATS = timedelta(minutes=10) // workers.BEAT_EVERY  # before it ends to return memory
GROWN = 50 * 2**20  # bytes for which it does; the kernels of ratings take 70 MB


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
        # No workflow here waits for notifications, and none is scheduled by DBOS
        "notification_listener_polling_interval_sec": 60.0,
        "scheduler_polling_interval_sec": 3600.0,
    }


def modules_of(app: Flask) -> list[Any]:
    """Return the modules that capabilities name as workers: `waiting`, `register` and `start`."""
    return [import_module(name) for entry in capabilities_of(app) for name in entry.workers]


class Durable:
    """DBOS, launched once there is durable work: it polls its database every second from then on."""

    def __init__(self, app: Flask, name: str) -> None:
        self._app, self._name = app, name
        self._modules = modules_of(app)
        self.started: list[Any] | None = None

    def look(self) -> None:
        """Launch DBOS if there is work for it. Work that a killed worker left counts, too."""
        if self.started is not None or not any(module.waiting() for module in self._modules):
            return
        from dbos import DBOS

        for module in self._modules:
            module.register(self._app)
        config = dbos_config(self._app.extensions["settings"], self._name)
        own = make_url(config["system_database_url"] or "")
        if own.get_backend_name() == "sqlite" and own.database:
            make_private(own.database)
        DBOS(config=config)
        logs.take_over("dbos")
        DBOS.launch()
        for schedule in DBOS.list_schedules():  # of an older release
            DBOS.delete_schedule(schedule["schedule_name"])
        self.started = [module.start(self._app) for module in self._modules]

    def stop(self) -> None:
        """Stop what works, and DBOS."""
        if self.started is None:
            return
        from dbos import DBOS

        for child in filter(None, self.started):
            child.terminate()
            child.wait()
        # DBOS waits a second before it checks whether anything is running.
        busy = DBOS.list_workflows(status="PENDING", executor_id=self._name, limit=1, load_input=False)
        # Its threads that are about to claim work log errors now; the next start resumes that work.
        logging.getLogger("dbos").disabled = True
        DBOS.destroy(workflow_completion_timeout_sec=int(2 * PATIENCE) if busy else 0)


def compile_kernels() -> subprocess.Popen[bytes] | None:
    """Compile missing kernels, so that no player waits for them, in a process beside the jobs."""
    if warm.ready():
        return None
    log.setLevel(logging.INFO)
    log.info("compiling the engine for this machine, once: hints and ratings are there in a few minutes")
    return subprocess.Popen([sys.executable, "-m", "engine.warm"], stderr=subprocess.DEVNULL)


def run(app: Flask, name: str, *, replaced: bool = False) -> NoReturn:
    """Work until SIGINT or SIGTERM, or if it is replaced then, until it has grown and is at rest."""
    os.nice(NICENESS)
    stop = app.extensions["stopping"] = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda _signal, _frame: stop.set())
    with app.app_context():
        doubtful = pruning.begin(now())  # the next worker would not know
    schedules, durable, compiling = schedules_of(app), Durable(app, name), compile_kernels()
    status, beats, small = 0, LOOK_EVERY // workers.BEAT_EVERY, memory_of(os.getpid())
    for beat in count():
        try:
            with app.app_context():
                workers.report(name, now())
                durable.look()
                for each in schedules if beat % beats == 0 else ():
                    each.look(now())
                may_end = replaced and not doubtful and beat >= LEAST_BEATS and beat % beats == 0
                rests = durable.started is None and all(each.rests for each in schedules)
                if may_end and rests and memory_of(os.getpid()) - small > GROWN:
                    break
        except (Busy, SQLAlchemyError) as error:
            log.warning("could not see what is due: %s", type(error).__name__)
        except Exception:
            log.exception("the worker failed and is stopping")
            status = 1
            break
        if stop.wait(workers.BEAT_EVERY.total_seconds()):
            break
    stop.set()
    # Abandon work that doesn't finish in time, as if killed, before its database is closed. The next start
    # resumes it.
    give_up = threading.Timer(PATIENCE, os._exit, [status])
    give_up.daemon = True
    give_up.start()
    if compiling is not None:
        compiling.terminate()
        compiling.wait()
    durable.stop()
    for each in schedules:
        each.wait()
    give_up.cancel()
    leave(app, status)
