"""The solution path: the engine's steps one by one, for the analysis board, reviews and the desk."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from typing import Final

import engine
from engine.geometry import cell_name
from engine.techniques import Family
from webapp.game.cells import CellView, position_view
from webapp.game.steps import StepView
from webapp.game.steps.parts import House
from webapp.identity.aside import Aside
from webapp.process.words import comma, pgettext
from webapp.process.words import gettext as _
from webapp.web.i18n.lists import listed

Path = tuple[tuple[engine.Step, engine.Position], ...]  # each step with the position before it


def path_of(start: engine.Grid | engine.Position, patience: float | None = None) -> Path | None:
    """Return the engine's path from a puzzle or a position; None while it is being computed."""
    position = engine.Position.from_grid(start) if isinstance(start, engine.Grid) else start
    return _paths.ask(position, patience)


def _path(position: engine.Position) -> Path:
    path = []
    for step in engine.solve_path(position).steps:
        path.append((step, position))
        position = position.after(step)
    return tuple(path)


_paths: Aside[engine.Position, Path] = Aside(_path)


FEWEST_FOLDED: Final = 3  # singles in a row


@dataclass(frozen=True, slots=True)
class Row:
    """A step in the list of a path."""

    number: int  # from 1
    step: StepView

    @property
    def text(self) -> str:
        """Its effect and its name."""
        return line_of(self.step)


def line_of(step: StepView) -> str:
    """Say what a step does and what it is called: `3 in r2c7, Hidden Single (box 3)`."""
    parts = [_("%(digit)s in %(cell)s", digit=digit, cell=cell_name(cell)) for cell, digit in step.placements]
    parts += [
        _(
            "no %(digits)s in %(cells)s",
            digits=listed([*map(str, each.digits)]),
            cells=listed([*map(cell_name, each.cells)]),
        )
        for each in step.removals
    ]
    house = f" ({house_name(step.bases[0])})" if step.shape == "hidden_single" else ""
    return comma().join([*parts, step.name]) + house


def house_name(house: House) -> str:
    """Name a house in a sentence: `row 3`."""
    number = house.number
    if house.kind == "row":
        return pgettext("house in a sentence", "row %(number)s", number=number)
    if house.kind == "column":
        return pgettext("house in a sentence", "column %(number)s", number=number)
    return pgettext("house in a sentence", "box %(number)s", number=number)


class PathView:
    """A position at a step of its solution path, for templates/learn/analysis/."""

    def __init__(
        self, start: engine.Position, path: Path | None, step: int | None, address: Callable[..., str]
    ) -> None:
        """path: None while it is being computed. step: from 1; None for the start.

        address: returns the page's address with another `step=`.
        """
        self._start, self._path = start, path
        self.step = step if step is not None and 0 < step <= len(path or ()) else None
        self.back = self.step - 1 if self.step and self.step > 1 else None
        self.on = min((self.step or 0) + 1, len(path or ()))
        self.address = address

    @property
    def position(self) -> engine.Position:
        """The position at the step, or at the start."""
        return self._start if self._path is None or self.step is None else self._path[self.step - 1][1]

    @cached_property
    def cells(self) -> list[CellView]:
        """Its board."""
        givens = str(self._start.givens)
        return [position_view(givens, self.position, cell) for cell in range(81)]

    @cached_property
    def path(self) -> list[StepView] | None:
        """The engine's steps."""
        return None if self._path is None else [StepView(step, position) for step, position in self._path]

    @property
    def told(self) -> StepView | None:
        """The step shown."""
        return self.path[self.step - 1] if self.path and self.step else None

    @property
    def runs(self) -> list[list[Row]]:
        """The steps of the path: FEWEST_FOLDED singles or more in a row together, all others alone."""
        rows = [Row(number, step) for number, step in enumerate(self.path or (), 1)]
        found: list[list[Row]] = []
        for single, group in groupby(
            rows, lambda row: engine.TECHNIQUES[row.step.key].family is Family.SINGLES
        ):
            run = list(group)
            found += [run] if single and len(run) >= FEWEST_FOLDED else [[row] for row in run]
        return found
