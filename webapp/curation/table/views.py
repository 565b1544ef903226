"""Views for the drawing table: a sketch and its analysis, as plain values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any
from urllib.parse import urlencode

from flask import url_for

import engine
from engine.generation import MOST_COUNTED, Outlook, outlook
from engine.geometry import cell_name
from webapp.bank import ratings
from webapp.bank.likeness import Twin
from webapp.curation.table import table
from webapp.curation.table.sketch import Sketch
from webapp.game.cells import CellView, position_view
from webapp.game.steps import StepView
from webapp.game.steps.names import technique_name
from webapp.learn.path import PathView, path_of
from webapp.process.words import format_decimal, ngettext
from webapp.process.words import gettext as _
from webapp.web.i18n.lists import listed

AT_ONCE = 0.05  # seconds to wait for the rating; htmx polls for it
MOST_NAMED = 12  # free cells that are listed


@dataclass(frozen=True, slots=True)
class GivenChoice:
    """A digit for the selected cell."""

    digit: int
    there: bool
    fits: bool  # whether the rest still has a solution with it
    address: str


class Table:
    """The page of a sketch."""

    def __init__(self, sketch: Sketch, *, cell: int | None, step: int | None, done: str = "") -> None:
        self.sketch, self.selected, self.done = sketch, cell, done
        self.outlook: Outlook = outlook(sketch.grid)
        self.unique = self.outlook.solutions == 1
        start = engine.Position.from_grid(sketch.grid)
        self.way = PathView(start, path_of(sketch.grid, AT_ONCE) if self.unique else (), step, self.address)
        self.rating = ratings.rating_of(sketch.grid, AT_ONCE) if self.unique else None

    def address(self, **more: Any) -> str:
        """Return the link of this sketch, with `more` parameters."""
        given = {name: value for name, value in more.items() if value is not None}
        if not given:
            return self._link
        return f"{self._link}{'&' if '?' in self._link else '?'}{urlencode(given, safe=':')}"

    @cached_property
    def _link(self) -> str:  # of every cell: Flask's url_for for each took a third of the time of a board
        return url_for("admin.table.show", **self.sketch.query)

    # For the analysis board

    @cached_property
    def cells(self) -> list[CellView]:
        """The board: at a step of the solution path, or only the givens."""
        if self.way.step:
            return self.way.cells
        givens, clash = str(self.sketch.grid), self.sketch.conflicts
        start = engine.Position.from_grid(self.sketch.grid)
        views = (position_view(givens, start, cell) for cell in range(81))
        return [replace(view, candidates=(), conflict=view.cell in clash) for view in views]

    @property
    def shown(self) -> StepView | None:
        """The step drawn on the board."""
        return self.way.path[self.way.step - 1] if self.way.step and self.way.path else None

    @cached_property
    def notes(self) -> dict[int, str]:
        """The board's marks on a cell, besides its digit: tokens for the style sheet."""
        free = self.outlook.free if self.outlook.solutions > 1 else frozenset()
        sets = {"shape": self.sketch.shape, "locked": self.sketch.locked, "free": free}
        named = {cell: [name for name, cells in sets.items() if cell in cells] for cell in range(81)}
        return {cell: " ".join(names) for cell, names in named.items() if names}

    def words_of(self, cell: int) -> str:
        """The same in words, as part of the cell's name."""
        words = {"shape": _("in the shape"), "locked": _("locked"), "free": _("still free")}
        return "".join(f", {words[name]}" for name in self.notes.get(cell, "").split())

    # The selected cell

    @property
    def selected_name(self) -> str:
        """The selected cell: r4c7."""
        return "" if self.selected is None else cell_name(self.selected)

    @property
    def entries(self) -> list[GivenChoice]:
        """The digits for the selected cell; none if it is locked."""
        cell = self.selected
        if cell is None or cell in self.sketch.locked:
            return []
        there, fit = self.sketch.grid[cell], self.outlook.digits[cell]
        return [
            GivenChoice(
                digit,
                there == digit,
                digit in fit,
                self.address(set=f"{cell}:{0 if there == digit else digit}", cell=cell),
            )
            for digit in range(1, 10)
        ]

    # The analysis

    @property
    def words(self) -> str:
        """The line below the title."""
        return ngettext("%(num)s given", "%(num)s givens", self.sketch.grid.givens)

    @property
    def answer(self) -> str:
        """The number of solutions, in a sentence."""
        found = self.outlook.solutions
        if not found:
            return _("No solution.")
        if found > MOST_COUNTED:
            return _("More than %(most)s solutions.", most=format_decimal(MOST_COUNTED))
        return ngettext("Exactly one solution.", "%(num)s solutions.", found)

    @property
    def free(self) -> str:
        """The cells that are still free, in a sentence; empty if there are none."""
        cells = sorted(self.outlook.free)
        if not cells or self.unique:
            return ""
        if len(cells) > MOST_NAMED:
            return ngettext("%(num)s cell is still free.", "%(num)s cells are still free.", len(cells))
        return _("Still free: %(cells)s.", cells=listed(list(map(cell_name, cells))))

    @property
    def hardest(self) -> str:
        """The name of the hardest technique it needs."""
        return technique_name(self.rating.hardest) if self.rating and self.rating.hardest else ""

    @cached_property
    def alike(self) -> Sequence[Twin]:
        """The bank's puzzles like it."""
        return table.alike(self.sketch.grid) if self.unique else ()
