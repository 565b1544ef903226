"""State: a player's progress with a technique, for lessons and practice."""

from __future__ import annotations

from enum import IntEnum


class State(IntEnum):
    """A player's progress with a technique; each state includes the earlier ones."""

    NEW = 0
    SEEN = 1  # the lesson was opened
    PRACTICED = 2  # its exercise was solved, or a drill counted
    MASTERED = 3  # a tier's test was passed, or its card is stable enough
