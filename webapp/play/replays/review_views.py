"""The review of a solved puzzle: the player's moves, where they got stuck, and the engine's path."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import timedelta
from functools import cached_property, partial
from typing import Final

from flask import url_for

import engine
from webapp.competition import logs
from webapp.competition.statistics import Comparison, compare
from webapp.game import hints
from webapp.game.board import Board
from webapp.game.cells import CellView, cell_view
from webapp.game.moves import Kind, Move
from webapp.game.steps import StepView
from webapp.learn.path import PathView, line_of, path_of
from webapp.models import Attempt
from webapp.play.play import elapsed_ms
from webapp.play.views import game_title

MOST_STALLS: Final = 3
STALL: Final = timedelta(seconds=20)  # a shorter pause is thinking, not being stuck


@dataclass(frozen=True)
class Stall:
    """A long wait, and the board at the time."""

    before: int  # how many moves were made
    waited_ms: int
    board: Board

    @property
    def number(self) -> int:
        """That of the move which ended it."""
        return self.before + 1

    @cached_property
    def hint(self) -> hints.Hint:
        """The mistakes or, without any, the available step."""
        return hints.hint(self.board)

    @cached_property
    def step(self) -> StepView | None:
        step = self.hint.step
        return None if step is None else StepView(step, hints.position_of(self.board))

    @property
    def line(self) -> str:
        """The effect of the step and its name."""
        return "" if self.step is None else line_of(self.step)


class Review(PathView):
    """A solved attempt as it looked after one of its moves, or at a step of the engine's path."""

    def __init__(
        self, attempt: Attempt, shown: int | None, step: int | None, page: str = "play.review"
    ) -> None:
        """shown: how many moves are played on the board; None for all. step: of the path, from 1.

        page: the endpoint that shows it.
        """
        grid = engine.parse(attempt.givens)
        address = partial(url_for, page, attempt_id=attempt.id)
        super().__init__(engine.Position.from_grid(grid), path_of(grid), step, address)
        log = logs.part(attempt.id, 1, attempt.last_seq)
        self.attempt = attempt
        self.count = len(log)
        self.shown = self.count if shown is None else min(max(shown, 0), self.count)
        self.earlier, self.later = max(self.shown - 1, 0), min(self.shown + 1, self.count)
        self.moments: list[tuple[Move, int]] = []  # each move with the time on the clock, without pauses
        self.board = board = Board.of(grid)
        waits: list[Stall] = []
        before = attempt.started_at
        for number, (move, received_at) in enumerate(log, 1):
            if move.kind is not Kind.RESUME and received_at - before >= STALL:
                waits.append(Stall(number - 1, (received_at - before) // timedelta(milliseconds=1), board))
            before = received_at
            board = board.after(move, received_at)
            self.moments.append((move, elapsed_ms(attempt, board, received_at)))
            if number == self.shown:
                self.board = board
        longest = sorted(waits, key=lambda stall: stall.waited_ms, reverse=True)[:MOST_STALLS]
        self.stalls = sorted(longest, key=lambda stall: stall.before)

    @property
    def title(self) -> str:
        return game_title(self.attempt)

    @cached_property
    def cells(self) -> list[CellView]:
        """The board after the shown moves, or on the solution path after the step."""
        return super().cells if self.step else [cell_view(self.board, cell) for cell in range(81)]

    @property
    def log(self) -> str:
        """The moves as JSON for the browser's scrubber: [[seq, kind, cell, digit or "", ms], ...]."""
        return json.dumps(
            [[move.seq, move.kind, move.cell, move.digit or "", at] for move, at in self.moments]
        )

    @property
    def clock_ms(self) -> int:
        """The time on the clock after the moves shown."""
        return self.moments[self.shown - 1][1] if self.shown else 0

    @property
    def moved(self) -> tuple[int, ...]:
        """The cells of the last move shown."""
        return self.moments[self.shown - 1][0].cells if self.shown and self.step is None else ()

    @cached_property
    def comparison(self) -> Comparison:
        """The solve's comparison with others."""
        return compare(self.attempt)
