"""What time it is: UTC, aware. The app holds one such function, so that tests can set it.

Beside it a steady clock that nobody sets: over a span both must have run for as long, else somebody has
changed the machine's time in between.
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
    """The machine's time."""
    return datetime.now(UTC)


def now() -> datetime:
    """The time by this app's clock."""
    clock: Clock = current_app.extensions["clock"]
    return clock()


def boottime() -> str:
    """Nanoseconds since this machine started, sleep included, and which start that was."""
    # Where there is no such clock, the one that stands still during sleep; it begins with the machine too.
    which = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)
    return f"{_boot()}:{time.clock_gettime_ns(which)}"


@cache
def _boot() -> str:
    """Which start of which machine this is; empty where the system does not tell."""
    return _BOOT_ID.read_text().strip() if _BOOT_ID.exists() else ""


def following(clock: Clock) -> Steady:
    """A steady clock that believes `clock`."""
    return lambda: f"set:{int(clock().timestamp() * 1_000_000) * 1000}"


def steady_now() -> str:
    """What this app's steady clock shows."""
    steady: Steady = current_app.extensions["steady"]
    return steady()


def steady_between(start: str, end: str) -> timedelta | None:
    """How long it was from `start` to `end`; None where they are not of one start of one machine."""
    (boot, _, began), (other, _, ended) = start.rpartition(":"), end.rpartition(":")
    if not boot or boot != other:
        return None
    return timedelta(microseconds=(int(ended) - int(began)) // 1000)
