"""Views for the review page: plain values made from the service's objects, without decisions."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import timedelta
from functools import cached_property
from typing import Any

from flask import url_for

from webapp.competition.statistics import Comparison, compare
from webapp.game.cells import CellView, cell_view, position_view
from webapp.game.steps import StepView
from webapp.learn.path import Row, line_of, runs_of
from webapp.play.replays.review import Review
from webapp.play.views import game_title


@dataclass(frozen=True, slots=True)
class StallView:
    """A long wait: its length, the move after it, and the steps available."""

    number: int
    waited_ms: int
    mistaken: bool  # there was a mistake on the board, so no step is shown
    step: StepView | None

    @property
    def line(self) -> str:
        """The effect of the step and its name."""
        return "" if self.step is None else line_of(self.step)


class ReviewView:
    """A solved attempt after `shown` of its moves, with the engine's path."""

    def __init__(self, review: Review, step: int | None = None, page: str = "play.review") -> None:
        """step: the step of the path on the board, from 1; None for the player's own moves.

        page: the endpoint that shows it.
        """
        self._page = page
        self._review = review
        self.id = review.attempt.id
        self.puzzle_id = review.attempt.puzzle_id
        self.level = review.attempt.level
        self.elapsed_ms = review.attempt.elapsed_ms
        self.assisted = review.attempt.assisted
        self.shown = review.shown
        self.count = len(review.moments)
        self.daily = review.attempt.daily
        self.step = step if step is not None and 0 < step <= len(review.path or ()) else None
        self.givens_line = review.attempt.givens

    def address(self, **query: Any) -> str:
        """Return this page's address, with the board at another point."""
        return url_for(self._page, attempt_id=self.id, **query)

    @property
    def title(self) -> str:
        return game_title(self._review.attempt)

    @cached_property
    def cells(self) -> list[CellView]:
        """The board after the shown moves, or on the solution path after the step."""
        if self.step is None or self._review.path is None:
            return [cell_view(self._review.board, cell) for cell in range(81)]
        _step, position = self._review.path[self.step - 1]
        return [position_view(self.givens_line, position, cell) for cell in range(81)]

    @property
    def log(self) -> str:
        """The moves as JSON for the browser's scrubber: [[seq, kind, cell, digit or "", ms], ...]."""
        return json.dumps(
            [
                [
                    moment.move.seq,
                    moment.move.kind,
                    moment.move.cell,
                    moment.move.digit or "",
                    moment.elapsed_ms,
                ]
                for moment in self._review.moments
            ]
        )

    @property
    def clock_ms(self) -> int:
        """The time on the clock after the moves shown."""
        return self._review.moments[self.shown - 1].elapsed_ms if self.shown else 0

    @cached_property
    def path(self) -> list[StepView] | None:
        """The engine's steps; None while they are being computed."""
        path = self._review.path
        return None if path is None else [StepView(step, position) for step, position in path]

    @property
    def runs(self) -> list[list[Row]]:
        """The steps by runs."""
        return runs_of(self.path)

    @property
    def moved(self) -> tuple[int, ...]:
        """The cells of the last move shown."""
        return self._review.moments[self.shown - 1].move.cells if self.shown and self.step is None else ()

    @property
    def stalls(self) -> list[StallView]:
        """The player's longest waits, in order."""
        return [
            StallView(
                number=stall.number,
                waited_ms=stall.waited // timedelta(milliseconds=1),
                mistaken=bool(stall.hint.mistakes),
                step=None if stall.hint.step is None else StepView(stall.hint.step, stall.position),
            )
            for stall in self._review.stalls
        ]

    @cached_property
    def comparison(self) -> Comparison:
        """The solve's comparison with others."""
        return compare(self._review.attempt)
