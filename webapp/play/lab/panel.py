"""The laboratory's view of one system at one step, solving or making a puzzle."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import ClassVar

import engine
from webapp.game.cells import CellView
from webapp.game.steps import StepView
from webapp.play.lab.systems import SYSTEMS, Verdict, source_of, system_name, verdict
from webapp.process.words import gettext as _


class Panel:
    """One system at one step: a board, a sentence, figures, and its own drawings.

    `parts` names the drawings, templates of play/lab/parts/; each takes what it draws from the panel.
    """

    endpoint: ClassVar[str]

    lead = ""  # the step in short
    said = ""  # and what follows from it
    lit: frozenset[int] = frozenset()
    now: int | None = None  # the cell of the step
    clash: int | None = None
    review: StepView | None = None  # a step of logic drawn over the board
    solved_at: int | None = None  # the step with the solution
    measured = True  # whether the system's own measure has a result: not without one solution

    def __init__(
        self, letter: str, puzzle: engine.Grid, query: dict[str, str | int | None], step: int, count: int
    ) -> None:
        """puzzle: solved, or made in the end. query: the parameters except the step; None is left out.

        step: clipped to the `count` steps there are.
        """
        self.letter, self.puzzle, self.query, self.count = letter, puzzle, query, count
        self.name, self.source = system_name(letter), source_of(letter)
        self.tabs = [(each, system_name(each)) for each in SYSTEMS]
        self.step = min(max(step, 0), count)
        self.back, self.on = self.step - 1, self.step + 1
        self.parts: list[str] = []
        self.facts: list[tuple[str, str]] = []  # value and name
        self.notices: list[str] = []
        self.grid = engine.Grid(bytes(81))
        self.given = [True] * 81
        self.marks: Mapping[int, tuple[int, ...]] = {}

    @cached_property
    def verdict(self) -> Verdict | None:
        """The result of the system's own measure."""
        return verdict(self.letter, self.puzzle) if self.measured else None

    @property
    def canonical(self) -> engine.Grid:
        """The form of the puzzle that scores are taken from."""
        return engine.canonical_form(self.puzzle)

    @cached_property
    def cells(self) -> list[CellView]:
        """The board."""
        return [
            CellView(
                cell,
                self.grid[cell],
                given and self.grid[cell] > 0,
                conflict=cell == self.clash,
                candidates=self.marks.get(cell, ()),
            )
            for cell, given in enumerate(self.given)
        ]


def candidates_of(grid: engine.Grid) -> dict[int, tuple[int, ...]]:
    """Return the candidates of the empty cells, by the rules of the game alone."""
    position = engine.Position.from_grid(grid)
    return {cell: position.candidates(cell) for cell in range(81) if not grid[cell]}


def so_far(value: str, total: str | None) -> str:
    """Format a count so far, of the total if known."""
    return value if total is None else _("%(value)s of %(total)s", value=value, total=total)
