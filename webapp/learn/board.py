"""MarkingBoard: a position as templates/learn/_board.html draws it, with the reader's marks on it."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from functools import cached_property

import engine
from webapp.game.cells import CellView, position_view
from webapp.learn.marks import NONE, Marks


@dataclass(frozen=True)
class MarkingBoard:
    """A board to mark or to view. Holds plain values for the template and for mark.js."""

    position: engine.Position
    marks: Marks = NONE
    typed: str | None = None  # the input, if it couldn't be parsed as marks

    @property
    def givens(self) -> str:
        """The printed digits as 81 characters."""
        return str(self.position.givens)

    @cached_property
    def candidates(self) -> str:
        """JSON of 81 bit sets: bit d is set if digit d is a candidate. 0 for a filled cell."""
        return json.dumps(
            [sum(1 << digit for digit in self.position.candidates(cell)) for cell in range(81)],
            separators=(",", ":"),
        )

    @cached_property
    def cells(self) -> list[CellView]:
        """The 81 cells: crossed-out candidates struck, placed digits in the player's ink."""
        placed, found = dict(self.marks.placements), []
        for cell in range(81):
            view = position_view(self.givens, self.position, cell)
            struck = tuple(digit for digit in view.candidates if (cell, digit) in self.marks.eliminations)
            left = tuple(digit for digit in view.candidates if digit not in struck)
            found.append(replace(view, digit=placed.get(cell) or view.digit, candidates=left, struck=struck))
        return found

    @property
    def line(self) -> str:
        """The value of the marks field."""
        return str(self.marks) if self.typed is None else self.typed
