"""What time it is: UTC, aware. The app holds one such function, so that tests can set it."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

from flask import current_app

Clock = Callable[[], datetime]


def utcnow() -> datetime:
    """The machine's time."""
    return datetime.now(UTC)


def now() -> datetime:
    """The time by this app's clock."""
    clock: Clock = current_app.extensions["clock"]
    return clock()
