"""The solution path: the engine's steps one by one, for the analysis board, for reviews and for the desk."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

import engine
from webapp.game.cells import CellView, position_view
from webapp.game.steps import StepView
from webapp.identity.aside import PATIENCE, Aside

Path = tuple[tuple[engine.Step, engine.Position], ...]  # each step with the position it was found in


def path_of(start: engine.Grid | engine.Position, patience: float = PATIENCE) -> Path | None:
    """The engine's path from a puzzle or a position; None while it is still being worked out."""
    position = engine.Position.from_grid(start) if isinstance(start, engine.Grid) else start
    return _paths.ask(position, patience)


def _path(position: engine.Position) -> Path:
    path = []
    for step in engine.solve_path(position).steps:
        path.append((step, position))
        position = position.after(step)
    return tuple(path)


_paths: Aside[engine.Position, Path] = Aside(_path)


class PathView:
    """A position at a step of its solution path, as templates/learn/analysis/ shows it to all its users."""

    def __init__(
        self, start: engine.Position, path: Path | None, step: int | None, address: Callable[..., str]
    ) -> None:
        """path: None while it is being computed. step: from 1; None for the start.

        address: the address of the page with `step=` another one.
        """
        self._start, self._path = start, path
        self.step = step if step is not None and 0 < step <= len(path or ()) else None
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
