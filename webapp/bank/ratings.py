"""Ratings within a request: most take milliseconds, the hardest many seconds."""

from __future__ import annotations

import engine
from engine import warm
from webapp.identity.aside import Aside

_ratings: Aside[engine.Grid, engine.Rating] = Aside(engine.rate)


def knows(grid: engine.Grid) -> bool:
    """Whether the rating of a puzzle is known or being computed."""
    return _ratings.knows(grid)


def rating_of(grid: engine.Grid, patience: float | None = None) -> engine.Rating | None:
    """Return the rating of a puzzle; None if it takes too long or techniques are still being compiled."""
    return _ratings.ask(grid, patience) if warm.ready() else None
