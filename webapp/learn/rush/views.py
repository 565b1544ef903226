"""A run as its page shows it."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import cached_property

import engine
from webapp.game.cells import CellView, position_view
from webapp.game.hints import SINGLES
from webapp.game.steps import StepView
from webapp.learn.rush import rush
from webapp.models import RushRun


@dataclass(frozen=True, slots=True)
class Miss:
    """A question that was answered wrong."""

    digits: str
    cell: int
    answer: int

    @property
    def cells(self) -> list[CellView]:
        """Its board."""
        return _board(self.digits)

    @property
    def step(self) -> StepView | None:
        """Return the proof of the right digit: the easiest single in its cell."""
        position = engine.Position.from_grid(engine.parse(self.digits))
        steps = engine.all_steps(position, techniques=SINGLES)
        found = next((step for step in steps if any(at == self.cell for at, _digit in step.placements)), None)
        return None if found is None else StepView(found, position)


def _board(digits: str) -> list[CellView]:
    """Return a board without candidates: they would be the answer."""
    position = engine.Position.from_grid(engine.parse(digits))
    return [replace(position_view(digits, position, cell), candidates=()) for cell in range(81)]


class RunView:
    """A run with its open question, or its result once it has ended."""

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
        self.misses = [Miss(*each) for each in json.loads(run.misses)]

    @property
    def row(self) -> int:
        """The row of the question's cell, from 1."""
        return self.cell // 9 + 1

    @property
    def column(self) -> int:
        """Its column, from 1."""
        return self.cell % 9 + 1

    @cached_property
    def cells(self) -> list[CellView]:
        """The board."""
        return _board(self._run.digits)
