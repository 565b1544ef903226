"""State: how far a player is with a technique, as lessons and practice see it."""

from __future__ import annotations

from enum import IntEnum


class State(IntEnum):
    """How far a player is with a technique; each includes the ones before."""

    NEW = 0
    SEEN = 1  # the lesson was opened
    PRACTICED = 2  # its exercise was solved, or a drill counted
    MASTERED = 3  # a tier's test was passed, or practice says so
