"""Charts of a solve for moderators: pauses by what implied each digit, and the order on the grid.

Plain values that templates draw as SVG; colors and shapes are theirs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from itertools import chain
from math import log10
from statistics import median

from webapp.competition import logs
from webapp.game.fair_play.likeness import NEAR
from webapp.game.fair_play.solve import Solve, Source
from webapp.game.transforming import transformed
from webapp.models import Attempt
from webapp.process.words import gettext as _

WIDTH, HEIGHT, LEFT, TOP, BOTTOM = 640, 240, 56, 8, 8
SHORTEST, LONGEST = 0.1, 1000.0  # seconds: the ends of the scale, which is logarithmic
SCALE = (1, 10, 100)
INSET = 14  # space beside the dots of a column
SHADES = 5


@dataclass(frozen=True, slots=True)
class Column:
    """The digits known for one reason: a dot each, from left to right in order."""

    source: Source
    name: str
    dots: list[tuple[float, float]]
    median: float | None  # seconds
    median_y: float
    longest: float | None  # seconds
    left: float
    right: float

    @property
    def count(self) -> int:
        return len(self.dots)


@dataclass(frozen=True, slots=True)
class Waits:
    """The pause before each digit, by how it could be known.

    People need longer for harder digits. Of digits received together, only the first has a pause.
    """

    columns: list[Column]
    lines: list[tuple[float, int]]  # y, seconds


@dataclass(frozen=True, slots=True)
class Place:
    """A cell in the chart of an order."""

    x: int
    y: int
    number: int | None  # its digit's place in the order, from 1; None for a given
    shade: int  # 1, the first digits, to SHADES, the last; 0 for a given
    near: bool  # whether it has nearly the same place in the other order


@dataclass(frozen=True, slots=True)
class Pictures:
    """All charts of a solve."""

    waits: Waits
    order: list[Place]
    beside: list[Place] | None  # the order of the most similar game


def pictures(attempt: Attempt, nearest: Attempt | None) -> Pictures:
    """Draw a finished solve, and beside it the game with the most similar order."""
    solve = _solve(attempt)
    other = None if nearest is None or nearest.puzzle_id != attempt.puzzle_id else _solve(nearest, attempt)
    return Pictures(
        _waits(solve),
        _places(solve, other),
        None if other is None else _places(other, solve),
    )


def _solve(attempt: Attempt, beside: Attempt | None = None) -> Solve:
    """beside: an attempt whose transformation of the puzzle is used for the solve; by default its own."""
    puzzle, shown = attempt.puzzle, beside or attempt
    elapsed = timedelta(milliseconds=attempt.elapsed_ms or 0)
    log = logs.part(attempt.id, 1, attempt.last_seq)
    if attempt.turn != shown.turn:
        back = None if attempt.turn is None else attempt.turn.inverse()
        for turn in filter(None, (back, shown.turn)):
            log = [(transformed(move, turn), at) for move, at in log]
    return Solve(shown.givens, puzzle.expected_seconds, attempt.started_at, elapsed, log)


def source_words(source: Source) -> str:
    """Say how a digit could be known."""
    return {
        Source.SINGLE: _("A single"),
        Source.AHEAD: _("Leads to singles"),
        Source.MARKED: _("Own marks"),
        Source.OPEN: _("Two choices left"),
        Source.WIDE: _("More choices left"),
    }[source]


def _waits(solve: Solve) -> Waits:
    source, placings = {step.cell: step.source for step in solve.steps}, solve.placings
    befores = chain([solve.started_at], placings.values())
    waits = {
        cell: (at - before).total_seconds()
        for (cell, at), before in zip(placings.items(), befores, strict=False)
    }
    wide = (WIDTH - LEFT) / len(Source)
    columns = []
    for number, each in enumerate(Source):
        seconds = [wait for cell, wait in waits.items() if source[cell] is each]
        left = LEFT + number * wide
        columns.append(_column(each, seconds, left + INSET, left + wide - INSET))
    return Waits(columns, [(_y(value), value) for value in SCALE])


def _column(source: Source, seconds: Sequence[float], left: float, right: float) -> Column:
    step = (right - left) / max(1, len(seconds) - 1)
    dots = [(round(left + at * step, 1), _y(wait)) for at, wait in enumerate(seconds)]
    middle = median(seconds) if seconds else None
    longest = max(seconds, default=None)
    return Column(source, source_words(source), dots, middle, _y(middle or SHORTEST), longest, left, right)


def _y(seconds: float) -> float:
    within = min(max(seconds, SHORTEST), LONGEST)
    share = log10(within / SHORTEST) / log10(LONGEST / SHORTEST)
    return round(HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM), 1)


def _places(solve: Solve, other: Solve | None) -> list[Place]:
    order = _numbers(solve.order)
    beside: Mapping[int, int] = _numbers(() if other is None else other.order)

    def place(cell: int) -> Place:
        number = order.get(cell)
        shade = 0 if number is None else 1 + (number - 1) * SHADES // len(order)
        near = number is not None and cell in beside and abs(beside[cell] - number) <= NEAR
        return Place(cell % 9, cell // 9, number, shade, near)

    return [place(cell) for cell in range(81)]


def _numbers(order: Sequence[int]) -> Mapping[int, int]:
    return {cell: number for number, cell in enumerate(order, 1)}
