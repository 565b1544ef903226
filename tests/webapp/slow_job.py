"""A worker with one job, for tests: `python -m tests.webapp.slow_job SECONDS` continues when told to stop.

The job runs once under a name of its own. It prints "begun", works until SECONDS after the worker is told to
stop, and prints "ended"; a second start under the same name resumes it. With a second argument the worker
itself fails once the job has begun, and prints that.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from typing import Any, cast

from dbos import DBOS, SetWorkflowID
from flask import Flask

from webapp.identity import workers
from webapp.site.jobs import worker
from webapp.site.jobs.schedules import Scheduled


class SlowJob:
    """A job with the interface of a job module, as capabilities name them."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self.begun = threading.Event()

    def waiting(self) -> bool:
        """Return True: DBOS is launched at once."""
        return True

    def register(self, app: Flask) -> None:
        """Declare the job to DBOS."""

        @DBOS.step(name="work_slowly")
        def work_slowly() -> None:
            os.write(1, b"begun\n")
            self.begun.set()
            app.extensions["stopping"].wait()
            time.sleep(self._seconds)

        @DBOS.step(name="say_so")
        def say_so() -> None:
            os.write(1, b"ended\n")

        @DBOS.workflow(name="slow_job")
        def slow_job() -> None:
            work_slowly()
            say_so()

        self._workflow = slow_job

    def start(self, _app: Flask) -> None:
        """Start it once."""
        if not DBOS.list_workflows(workflow_ids=["slow"]):
            with SetWorkflowID("slow"):
                DBOS.start_workflow(self._workflow)


def without(app: Flask) -> list[Scheduled]:
    """Schedule nothing."""
    del app
    return []


if __name__ == "__main__":
    from wsgi import app

    job = SlowJob(float(sys.argv[1]))
    worker.modules_of = lambda app: [job] if app else []
    worker.schedules_of = without
    if failure := "".join(sys.argv[2:]):

        def fail(*_: object) -> None:
            if job.begun.is_set():
                raise RuntimeError(failure)

        workers.report = cast(Any, fail)
    worker.run(app, "slow")
