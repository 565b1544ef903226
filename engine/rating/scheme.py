"""Scheme, the one entry of a rating scheme's score, and Subject, what all schemes share about one puzzle."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, TypeVar, cast

from engine.grid import Grid
from engine.position import Position
from engine.rating.memo import ITSELF, new_memo
from engine.rating.walk import Order, Walk
from engine.techniques.limits import MOST_SPENT

T = TypeVar("T")

MOST_EFFORT: Final = 1_000_000_000  # that can be asked for: a day and more


class Subject:
    """A puzzle under rating. Each order of techniques is walked once, whichever schemes ask for it."""

    def __init__(
        self,
        puzzle: Grid | Position,
        explainer_set: str = "default",
        effort: int = MOST_SPENT,
        *,
        orders: int = 2,
    ) -> None:
        """puzzle: with one solution.  explainer_set: which techniques the Explainer's scheme may use.

        effort: what its nested chains may cost, in the unit of limits.MOST_SPENT.
        orders: how many will be walked, as far as is known; a lone walk has nothing to share with others.
        """
        self.position = Position.from_grid(puzzle) if isinstance(puzzle, Grid) else puzzle
        self.grid = self.position.givens
        self.explainer_set = explainer_set
        self.effort = effort
        self.memo = new_memo() if orders > 1 else None
        self._walks: dict[int, tuple[Order, Walk]] = {}
        self._read: dict[tuple[int, Callable[[Walk], object]], object] = {}

    def walk(self, order: Order, after: Order | None = None) -> Walk:
        """The walk of an order through the puzzle, which shares with the others what found nothing where.

        after: an order whose first singles it takes over, if that has been walked; see `Order.walk`.
        """
        if id(order) not in self._walks:
            _, before = self._walks.get(id(after), (None, None))
            self._walks[id(order)] = order, order.walk(self.position, self.memo, ITSELF, before)
        return self._walks[id(order)][1]

    def read(self, order: Order, figures: Callable[[Walk], T]) -> T:
        """What a scheme reads off its walk, read once for all figures it gives."""
        key = id(order), figures
        if key not in self._read:
            self._read[key] = figures(self.walk(order))
        return cast("T", self._read[key])


@dataclass(frozen=True, slots=True)
class Scheme:
    """One figure for how hard a grid with exactly one solution is, under one key of Rating.scores.

    A scheme that gives several figures has an entry for each of them.
    """

    key: str
    # None where the scheme gave up: its docstring names the bound, and the figure is left out, never guessed.
    score: Callable[[Subject], float | None]
    of_candidates: bool = True  # False: makes sense of printed digits alone, so a Sukaku has no such score
    by_default: bool = True  # False: only with `schemes="all"`, since it counts a plain search
    order: str = ""  # one name for all schemes read off one walk

    def __call__(self, grid: Grid) -> float | None:
        """The score of a grid alone."""
        return self.score(Subject(grid))
