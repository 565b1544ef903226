"""The laboratory's view of one system at one step, solving or making a puzzle."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from functools import cached_property
from typing import ClassVar

import engine
from webapp.game.cells import CellView
from webapp.game.steps import StepView
from webapp.play.lab.systems import SYSTEMS, Source, Verdict, source_of, system_name
from webapp.process.words import gettext as _


class Panel(ABC):
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

    def __init__(self, letter: str, step: int, count: int) -> None:
        """step: clipped to the `count` steps there are."""
        self.letter, self.count = letter, count
        self.name = system_name(letter)
        self.step = min(max(step, 0), count)
        self.parts: list[str] = []
        self.facts: list[tuple[str, str]] = []  # value and name
        self.notices: list[str] = []
        self.grid = engine.Grid(bytes(81))
        self.given = [True] * 81
        self.marks: Mapping[int, tuple[int, ...]] = {}

    @property
    def tabs(self) -> list[tuple[str, str]]:
        """The five systems by letter and name."""
        return [(letter, system_name(letter)) for letter in SYSTEMS]

    @property
    @abstractmethod
    def query(self) -> dict[str, str | int | None]:
        """The query parameters except the step; None is left out."""

    @property
    @abstractmethod
    def puzzle(self) -> engine.Grid:
        """The puzzle that is solved, or made."""

    @property
    @abstractmethod
    def verdict(self) -> Verdict | None:
        """The result of the system's own measure, if the puzzle has one solution."""

    @property
    def source(self) -> Source:
        """The text of the system."""
        return source_of(self.letter)

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
