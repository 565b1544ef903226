"""What the page that looks back is given: plain values made from a service's object. Decides nothing."""

from __future__ import annotations

import json
from functools import cached_property

from flask_babel import gettext as _

from webapp.i18n import level_name
from webapp.routes.views import CellView, cell_view, daily_title
from webapp.services.review import Review
from webapp.services.statistics import Comparison, compare
from webapp.steps import StepView


class ReviewView:
    """A solved attempt after `shown` of its moves, beside the engine's path."""

    def __init__(self, review: Review) -> None:
        self._review = review
        self.id = review.attempt.id
        self.puzzle_id = review.attempt.puzzle_id
        self.level = review.attempt.level
        self.elapsed_ms = review.attempt.elapsed_ms
        self.assisted = review.attempt.assisted
        self.shown = review.shown
        self.count = len(review.moments)
        self.stalls = review.stalls
        self.daily = review.attempt.daily
        self.givens_line = review.attempt.puzzle.givens

    @property
    def title(self) -> str:
        if self.daily is not None:
            return daily_title(self.daily)
        return _("%(level)s puzzle %(number)s", level=level_name(self.level), number=self.puzzle_id)

    @cached_property
    def cells(self) -> list[CellView]:
        """The board after the moves shown."""
        return [cell_view(self._review.board, cell) for cell in range(81)]

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
    def path(self) -> list[StepView]:
        """The engine's steps."""
        return [StepView(step) for step in self._review.path]

    @cached_property
    def comparison(self) -> Comparison:
        """How this solve compares."""
        return compare(self._review.attempt)
