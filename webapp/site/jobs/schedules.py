"""The jobs of each schedule, run in a thread when a look says that they are due.

Each stores its results at once and is safe beside another worker's, so a killed one is simply run again.
Orders and imports, which last, are durable workflows of DBOS; it polls its database every second, so it is
launched for the first of them.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from threading import Thread

from flask import Flask

from webapp.identity import failures
from webapp.process.clock import Watch
from webapp.process.database import db
from webapp.process.jobs import Job, Schedule, stopping

log = logging.getLogger(__name__)

LOOK_EVERY = timedelta(minutes=1)


class Scheduled:
    """The jobs of one schedule, run in sequence, and not again before they have ended."""

    def __init__(self, app: Flask, schedule: Schedule, jobs: Sequence[Job]) -> None:
        self._app, self._name, self._every, self._jobs = app, schedule.name, schedule.every, jobs
        self._began: datetime | None = None
        self._thread: Thread | None = None
        with app.app_context():
            self._watch = Watch()
        self._steps = [step(app, job, self._watch) for job in jobs]

    @property
    def rests(self) -> bool:
        """Whether no job is running, or put off until the clock has run evenly."""
        return self._watch.even() and not (self._thread is not None and self._thread.is_alive())

    def look(self, now: datetime) -> None:
        """Run the jobs if their time has come, or if one of them has something due at once."""
        if self._thread is not None and self._thread.is_alive():
            return
        passed = None if self._began is None else now - self._began
        waits = passed is not None and timedelta() <= passed < self._every
        if not waits or any(job.due is not None and job.due(now) for job in self._jobs):
            self._began = now
            self._thread = Thread(target=self._run, name=self._name, daemon=True)
            self._thread.start()

    def _run(self) -> None:
        for each in self._steps:
            with self._app.app_context():
                if stopping().is_set():
                    return
                try:
                    each()
                except Exception:  # that waiting can mend
                    log.warning("a job of the schedule %s was put off", self._name, exc_info=True)

    def wait(self) -> None:
        """Wait until the jobs have stopped, which they do with the worker."""
        if self._thread is not None:
            self._thread.join()


def step(app: Flask, job: Job, watch: Watch) -> Callable[[], int]:
    """Return what runs a job once, counts its failures, and skips it while it rests."""
    failing = True  # until a run has shown that it works

    def run() -> int:
        nonlocal failing
        with app.app_context():
            if not watch.even() or failures.rests(job.name):
                return 0
            db.session.rollback()
            try:
                done = job.work(app.extensions["clock"]())
            except failures.PASSING:
                raise
            except Exception as error:  # the next jobs have their turn
                failures.note(job.name, "", error)
                failing = True
                return 0
            if failing:
                failures.forget(job.name)
                failing = False
            return done

    return run
