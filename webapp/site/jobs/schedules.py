"""The jobs of one schedule as a durable workflow with a step for each, run at the worker's start and
later.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any

from dbos import DBOS
from flask import Flask

from webapp.identity import failures
from webapp.process.clock import Watch
from webapp.process.database import db
from webapp.process.jobs import Job, Schedule

LOOK = 5.0  # seconds between polls of a queue, which are most of an idle worker's load


class Scheduled:
    """The jobs of one schedule, run in sequence."""

    def __init__(self, schedule: Schedule, jobs: Sequence[Job]) -> None:
        self.name, self._schedule, self._jobs = schedule.name, schedule, jobs

    def register(self, app: Flask) -> None:
        """Register the workflow with DBOS; call before launch."""
        with app.app_context():
            watch = Watch()
        steps = [_step(app, job, watch) for job in self._jobs]

        @DBOS.workflow(name=f"keep_{self.name}")
        def keep(_scheduled_at: datetime, _context: Any) -> None:
            for step in steps:
                step()

        self._workflow = keep

    def start(self, app: Flask) -> None:
        """Run the workflow now and on its schedule; call after launch."""
        name = self.name
        # Limit concurrency per worker, not globally: a lost worker would hold a global slot forever.
        queue = DBOS.register_queue(name, worker_concurrency=1, polling_interval_sec=LOOK)
        DBOS.apply_schedules(
            [
                {
                    "schedule_name": name,
                    "workflow_fn": self._workflow,
                    "schedule": self._schedule.crontab,
                    "context": None,
                    "queue_name": name,
                }
            ]
        )
        queue.enqueue(self._workflow, app.extensions["clock"](), None)


def _step(app: Flask, job: Job, watch: Watch) -> Callable[[], int]:
    failing = True  # until a run has shown that it works

    @DBOS.step(name=job.name)
    def step() -> int:
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

    return step
