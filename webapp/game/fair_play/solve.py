"""A finished game as input for the rules: its log with the server's times, never the browser's."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from functools import cached_property

import engine
from engine.geometry import BOX_OF, COL_OF
from webapp.game.fair_play.sight import Sight
from webapp.game.moves import Kind, Move

AHEAD = 9  # digits that people find in their head before they type them all at once
SETTLED = timedelta(seconds=10)  # from a mark to its digit, or it was noted for show
WIDE = 3  # with so many candidates or places, nobody decides at a glance


Place = Callable[[int], tuple[int, ...]]  # a cell's rank in a sweep over the board


class Source(StrEnum):
    """How a correct digit could be known."""

    SINGLE = "single"  # the board left no other
    AHEAD = "ahead"  # the digits typed next imply it
    MARKED = "marked"  # the player had noted it among others, some time before
    OPEN = "open"  # two or more possibilities were left
    WIDE = "wide"  # three or more


@dataclass(frozen=True, slots=True)
class Step:
    """The first entry of a correct digit."""

    cell: int
    source: Source
    singles: tuple[int, ...]  # the cells with a single on the board before it


@dataclass(frozen=True)
class Solve:
    """A finished game."""

    givens: str
    expected_seconds: float | None
    started_at: datetime
    elapsed: timedelta  # until the last move was received
    log: Sequence[tuple[Move, datetime]]  # every move with the time it was received
    step: timedelta | None = None  # by how much the wall clock ran ahead of a steady one; None: unknown

    @cached_property
    def answer(self) -> str:
        solved = engine.solution(engine.parse(self.givens))
        assert solved is not None, "a finished game has a puzzle with a solution"
        return str(solved)

    @cached_property
    def placings(self) -> dict[int, datetime]:
        """The cells in the order of their first correct digits, with the times received."""
        placed: dict[int, datetime] = {}
        for move, at in self.log:
            if move.kind is Kind.DIGIT:
                for cell in move.cells:
                    if str(move.digit) == self.answer[cell]:
                        placed.setdefault(cell, at)
        return placed

    @cached_property
    def order(self) -> list[int]:
        """The cells in the order of their first correct digits."""
        return list(self.placings)

    @property
    def sweeps(self) -> tuple[Place, ...]:
        """Sweeps over the board: by rows, columns, boxes, digits, and boustrophedon."""
        return (
            lambda cell: (cell,),
            lambda cell: (COL_OF[cell], cell),
            lambda cell: (BOX_OF[cell], cell),
            lambda cell: (int(self.answer[cell]), cell),
            lambda cell: (cell // 9, cell if cell // 9 % 2 else -cell),
        )

    @cached_property
    def onward(self) -> float:
        """The share of steps to the next empty cell of a sweep, in either direction."""
        return max(self._onward(place, back) for place in self.sweeps for back in (False, True))

    def _onward(self, place: Place, back: bool) -> float:
        left, hits, at = sorted(self.order, key=place, reverse=back), 0, 0
        for cell in self.order:
            before, at = at, left.index(cell)
            hits += at == before
            left.pop(at)
        return hits / max(1, len(self.order))

    @cached_property
    def wrong(self) -> int:
        """The number of wrong digits entered."""
        digits = [
            (move.digit, cell) for move, _at in self.log if move.kind is Kind.DIGIT for cell in move.cells
        ]
        return sum(str(digit) != self.answer[cell] for digit, cell in digits)

    @property
    def pace(self) -> float | None:
        """Its time over the puzzle's expected time; None without an expected time."""
        return None if not self.expected_seconds else self.elapsed.total_seconds() / self.expected_seconds

    @cached_property
    def steps(self) -> list[Step]:
        """Every first correct digit with how it could be known, by replaying the log."""
        sight, found = Sight(self.givens), dict[int, Step]()
        marks: dict[int, dict[int, datetime]] = {}  # by cell, the digits noted there, since when
        places = {cell: at for at, cell in enumerate(self.order)}
        for move, at in self.log:
            if move.kind in (Kind.CORNER, Kind.CENTRE):
                for cell in move.cells:
                    marks.setdefault(cell, {}).setdefault(move.digit or 0, at)
            for cell in move.cells if move.kind is Kind.DIGIT else ():
                if cell in found or str(move.digit) != self.answer[cell]:
                    continue
                digit, noted = int(self.answer[cell]), marks.get(cell, {})
                next_ones = self.order[places[cell] : places[cell] + AHEAD]
                if sight.single(cell, digit):
                    source = Source.SINGLE
                elif cell in sight.reach(next_ones, self.answer):
                    source = Source.AHEAD
                elif len(noted) > 1 and digit in noted and at - noted[digit] >= SETTLED:
                    source = Source.MARKED
                else:
                    source = Source.WIDE if sight.choices(cell, digit) >= WIDE else Source.OPEN
                found[cell] = Step(cell, source, tuple(sight.singles(self.answer)))
                sight.place(cell, digit)
        return list(found.values())
