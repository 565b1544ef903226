"""How hard a puzzle is, for a request: most ratings take milliseconds, the hardest many seconds."""

from __future__ import annotations

import engine
from engine import warm
from webapp.bank.aside import PATIENCE, Aside

_ratings: Aside[engine.Grid, engine.Rating] = Aside(engine.rate)


def rating_of(grid: engine.Grid, patience: float = PATIENCE) -> engine.Rating | None:
    """The rating of a puzzle; None where it takes longer, or while techniques are still being compiled."""
    return _ratings.ask(grid, patience) if warm.ready() else None
