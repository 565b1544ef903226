"""What every rating scheme takes and answers; the schemes themselves are its neighbours."""

from __future__ import annotations

from typing import Protocol

from engine.grid import Grid


class Scheme(Protocol):
    """One figure for how hard a grid with exactly one solution is; None where the scheme gave up.

    A scheme that gives up names its bound in its docstring, and that figure is left out, never guessed.
    """

    def __call__(self, grid: Grid) -> float | None: ...
