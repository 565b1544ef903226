"""Run jobs at startup and on a schedule, one at a time, until the worker is told to stop."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterable
from datetime import timedelta
from typing import Any

from dbos import DBOS
from flask import Flask

LOOK = 3.0  # seconds between looks at a queue; every second cost an idle worker twice the processor time


def work_through(done: Iterable[Any], stopping: threading.Event, most: timedelta = timedelta.max) -> int:
    """Consume `done` to its end, for `most` at most, or until the worker is to stop. Returns how many."""
    count, began = 0, time.monotonic()
    steps = iter(done)
    while not stopping.is_set() and time.monotonic() - began < most.total_seconds():
        if next(steps, None) is None:
            break
        count += 1
    return count


def start_now_and_every(app: Flask, name: str, queue_name: str, schedule: str) -> None:
    """Run the workflow app.extensions[name] now and on a crontab schedule; call after launch."""
    workflow = app.extensions[name]
    # Limit concurrency per worker, not globally: a lost worker would hold a global slot forever.
    queue = DBOS.register_queue(queue_name, worker_concurrency=1, polling_interval_sec=LOOK)
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
