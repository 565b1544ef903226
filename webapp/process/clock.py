"""The app's clock, in aware UTC times. Tests can replace it.

The steady clock can't be set. If the two disagree over an interval, the machine's time was changed during it.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path

from flask import current_app

Clock = Callable[[], datetime]
Steady = Callable[[], str]  # a reading for `steady_between`

AHEAD = timedelta(minutes=5)  # a stored moment further ahead is of a wrong clock and counts as now
LASTS = timedelta(minutes=10)
_BOOT_ID = Path("/proc/sys/kernel/random/boot_id")


def utcnow() -> datetime:
    """Return the system time."""
    return datetime.now(UTC)


def now() -> datetime:
    """Return the current time by this app's clock."""
    clock: Clock = current_app.extensions["clock"]
    return clock()


def boottime() -> str:
    """Return nanoseconds since boot, including sleep, and the boot id."""
    # Fall back to the clock that stops during sleep; it starts at boot as well.
    which = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)
    return f"{_boot()}:{time.clock_gettime_ns(which)}"


@cache
def _boot() -> str:
    """Return the boot id; empty if the system has none."""
    return _BOOT_ID.read_text().strip() if _BOOT_ID.exists() else ""


def following(clock: Clock) -> Steady:
    """Return a steady clock that follows `clock`."""
    return lambda: f"set:{int(clock().timestamp() * 1_000_000) * 1000}"


def steady_now() -> str:
    """Return the reading of this app's steady clock."""
    steady: Steady = current_app.extensions["steady"]
    return steady()


def steady_between(start: str, end: str) -> timedelta | None:
    """Return the time from `start` to `end`; None if they are from different boots."""
    (boot, _, began), (other, _, ended) = start.rpartition(":"), end.rpartition(":")
    if not boot or boot != other:
        return None
    return timedelta(microseconds=(int(ended) - int(began)) // 1000)


def ran() -> timedelta:
    """Return how long ago this process started. A clock that is wrong at boot is set within minutes."""
    return steady_between(current_app.extensions["started"], steady_now()) or timedelta()


class Watch:
    """Notices a clock that is set: what ends by the clock then waits until it has run evenly for a while."""

    def __init__(self) -> None:
        self._began = now(), steady_now()
        self._set = False

    def even(self) -> bool:
        """Whether the clock has run evenly since the last look, and for LASTS since it was set."""
        moment, steady = now(), steady_now()
        began, at = self._began
        ran = steady_between(at, steady)
        if ran is not None and abs(moment - began - ran) > AHEAD:
            self._began, self._set = (moment, steady), True
        elif not self._set or ran is None or ran >= LASTS:
            self._began, self._set = (moment, steady), False
        return not self._set
