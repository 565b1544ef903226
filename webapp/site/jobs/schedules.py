"""How a job is run: at the start and on a schedule, one at a time, until the worker is told to stop."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from typing import Any

from dbos import DBOS
from flask import Flask


def work_through(done: Iterable[Any], stopping: threading.Event) -> int:
    """Work through `done` until it ends or the worker is told to stop; what is stored by then stays."""
    count = 0
    steps = iter(done)
    while not stopping.is_set() and next(steps, None) is not None:
        count += 1
    return count


def start_now_and_every(app: Flask, name: str, queue_name: str, schedule: str) -> None:
    """Run the workflow app.extensions[name] now and by a crontab schedule; call after the launch."""
    workflow = app.extensions[name]
    # A limit for each worker, none over all: a worker that is gone for good would hold that for ever.
    queue = DBOS.register_queue(queue_name, worker_concurrency=1)
    DBOS.apply_schedules(
        [
            {
                "schedule_name": name,
                "workflow_fn": workflow,
                "schedule": schedule,
                "context": None,
                "queue_name": queue_name,
            }
        ]
    )
    queue.enqueue(workflow, app.extensions["clock"](), None)
