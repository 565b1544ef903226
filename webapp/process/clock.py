"""The clock: aware UTC times. The app holds one such function, so that tests can replace it.

The steady clock cannot be set. If the two disagree over a span, the machine's time has been
changed in between.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path

from flask import current_app

Clock = Callable[[], datetime]
Steady = Callable[[], str]  # what `steady_between` compares

_BOOT_ID = Path("/proc/sys/kernel/random/boot_id")


def utcnow() -> datetime:
    """Return the machine's time."""
    return datetime.now(UTC)


def now() -> datetime:
    """Return the time of this app's clock."""
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
