"""A run as its page shows it."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from functools import cached_property

import engine
from webapp.game.cells import CellView, position_view
from webapp.learn.rush import rush
from webapp.models import RushRun


class RunView:
    """A run with its open question, or once it has ended, what came of it."""

    def __init__(self, run: RushRun, now: datetime) -> None:
        self._run = run
        self.key = run.key
        self.number = run.number
        self.right = run.right
        self.wrong = run.wrong
        self.lives = rush.MOST_WRONG - run.wrong
        self.over = now >= run.ends_at
        self.left_ms = max(0, (run.ends_at - now) // timedelta(milliseconds=1))
        self.ends_at = run.ends_at
        self.cell = run.cell

    @property
    def row(self) -> int:
        """The row of the cell that is asked about, from 1."""
        return self.cell // 9 + 1

    @property
    def column(self) -> int:
        """Its column, from 1."""
        return self.cell % 9 + 1

    @cached_property
    def cells(self) -> list[CellView]:
        """The board, without candidates: they would be the answer."""
        grid = engine.parse(self._run.digits)
        position = engine.Position.from_grid(grid)
        views = (position_view(self._run.digits, position, cell) for cell in range(81))
        return [replace(view, candidates=()) for view in views]
