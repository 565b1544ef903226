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
    """How often jobs run: those of one schedule in sequence, in parallel to those of other schedules."""

    name: str
    every: timedelta


STOCK = Schedule("stock", timedelta(minutes=10))
DAILY = Schedule("daily", timedelta(minutes=10))
MAIL = Schedule("mail", timedelta(minutes=10))  # only with a mail server
UPKEEP = Schedule("upkeep", timedelta(hours=1))


@dataclass(frozen=True, slots=True)
class Job:
    """A job that the worker runs at its start and then on a schedule.

    A killed worker repeats it, so `work` stores each result at once. It returns the number of results.
    """

    name: str
    schedule: Schedule
    work: Callable[[datetime], int]
    # A cheap look, every minute: whether there is something that players or the desk wait for
    due: Callable[[datetime], bool] | None = None


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
