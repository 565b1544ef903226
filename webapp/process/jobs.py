"""Jobs of the worker, their schedules, and how a long job stops with the worker."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from flask import current_app

SHARE = 0.2
_working = threading.Lock()


@dataclass(frozen=True, slots=True)
class Schedule:
    """When jobs run. The jobs of one schedule run in sequence, in parallel to those of other schedules."""

    name: str
    crontab: str  # UTC


STOCK = Schedule("stock", "* * * * *")
DAILY = Schedule("daily", "*/2 * * * *")
MAIL = Schedule("mail", "*/5 * * * *")  # only with a mail server
UPKEEP = Schedule("upkeep", "17 * * * *")


@dataclass(frozen=True, slots=True)
class Job:
    """A job that the worker runs at its start and then on a schedule.

    A killed worker repeats it, so `work` stores each result at once. It returns the number of results.
    """

    name: str
    schedule: Schedule
    work: Callable[[datetime], int]


@dataclass(frozen=True, slots=True)
class Retention:
    """A kind of row that is deleted after a time."""

    what: str  # description for the operator
    when: str
    delete: Callable[[datetime], int]  # returns the number of deleted rows


def stopping() -> threading.Event:
    """Return the event that is set when the worker should stop."""
    found: threading.Event = current_app.extensions["stopping"]
    return found


def work_through(done: Iterable[Any], most: timedelta = timedelta.max) -> int:
    """Consume `done` to its end, but at most for `most` or until the worker stops. Returns the count.

    All such jobs together use SHARE of a processor, so that a laptop stays quiet.
    """
    count, until = 0, time.monotonic() + most.total_seconds()
    steps, stop = iter(done), stopping()
    while not stop.is_set() and time.monotonic() < until:
        with _working:
            began = time.thread_time()
            if next(steps, None) is None:
                break
            stop.wait((time.thread_time() - began) * (1 / SHARE - 1))
        count += 1
    return count
