"""Show progress on the last line of a terminal. Silent if stderr isn't a terminal."""

from __future__ import annotations

import sys
from time import monotonic
from types import TracebackType
from typing import Final, Self

_PATIENCE: Final = 1.0  # seconds before progress is shown
_EVERY: Final = 0.2  # seconds between two updates


class Progress:
    """Count steps; print at most five times a second and clean up at the end."""

    def __init__(self) -> None:
        self.done = 0
        self.shown = False
        self.start = monotonic()
        # Reading the clock only every few steps keeps the cost of a step to nanoseconds.
        self.next_look = 1 if sys.stderr.isatty() else 0
        self.next_time = self.start + _PATIENCE

    def step(self) -> None:
        """Count one more step."""
        self.done += 1
        if self.done == self.next_look:
            self._look()

    def clear(self) -> None:
        """Erase the line so that something else can be printed."""
        if self.shown:
            sys.stderr.write("\r\x1b[K")
            self.shown = False

    def _look(self) -> None:
        now = monotonic()
        rate = self.done / max(now - self.start, 1e-9)
        self.next_look = self.done + max(1, int(rate * _EVERY / 4))
        if now >= self.next_time:
            self.next_time = now + _EVERY
            self.shown = True
            sys.stderr.write(f"\r\x1b[K{self.done:,} puzzles, {rate:,.0f} per second")
            sys.stderr.flush()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.clear()
