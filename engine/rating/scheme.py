"""Scheme, the one entry of a rating scheme's score, and Subject, the data that all schemes share about one
puzzle.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Final, NamedTuple

from ..canonical import canonical_start
from ..grid import Grid
from ..position import Position
from ..techniques.limits import MOST_SPENT
from .memo import ITSELF, Origin, new_memo
from .walk import Order, Walk

MOST_EFFORT: Final = 1_000_000_000  # allowed: more than a day


class Image(NamedTuple):
    """The canonical form of a puzzle."""

    start: Position
    origin: Origin  # int32[729]: for each candidate, that of the puzzle


def image_of(position: Position) -> Image | None:
    """Return the canonical form of a puzzle with one solution; None for any other position."""
    if position.solution is None or position.solved or not position._untouched:
        return None
    form, solved, origin = canonical_start(position.givens, position.solution)
    return Image(Position._of_puzzle(form, solved), origin)


class Subject:
    """A puzzle being rated. Each order of techniques is walked once, for all schemes that use it."""

    def __init__(
        self,
        puzzle: Grid | Position,
        explainer_set: str = "default",
        effort: int = MOST_SPENT,
        *,
        orders: int = 2,
    ) -> None:
        """puzzle: with one solution. explainer_set: which techniques the Explainer's scheme may use.

        effort: the limit of its nested chains, in the unit of limits.MOST_SPENT.
        orders: how many will be walked, if known; a lone walk needs no shared memo.
        """
        self.position = Position.from_grid(puzzle) if isinstance(puzzle, Grid) else puzzle
        self.grid = self.position.givens
        self.explainer_set = explainer_set
        self.effort = effort
        self.memo = new_memo() if orders > 1 else None
        self._walks: dict[int, tuple[Order, Walk]] = {}

    @cached_property
    def image(self) -> Image | None:
        """Its canonical form; None for a position that isn't a puzzle with one solution."""
        return image_of(self.position)

    def walk(self, order: Order, after: Order | None = None) -> Walk:
        """Return the walk of an order through the puzzle, which shares the memo of empty scans with others.

        after: an order whose first singles it reuses, if that has been walked; see `Order.walk`.
        """
        if id(order) not in self._walks:
            _, before = self._walks.get(id(after), (None, None))
            self._walks[id(order)] = order, order.walk(self.position, self.memo, ITSELF, before)
        return self._walks[id(order)][1]


@dataclass(frozen=True, slots=True)
class Scheme:
    """One figure of the difficulty of a grid with exactly one solution, under one key of Rating.scores.

    A scheme with several figures has an entry for each of them.
    """

    key: str
    # None if the scheme gave up: its docstring names the limit, and the figure is omitted, never estimated.
    score: Callable[[Subject], float | None]
    of_candidates: bool = True  # False: only applies to printed digits, so a Sukaku has no such score
    by_default: bool = True  # False: only by name or with `schemes="all"`
    order: str = ""  # shared by all schemes that use one walk

    def __call__(self, grid: Grid) -> float | None:
        """Return the score of a grid alone."""
        return self.score(Subject(grid))
