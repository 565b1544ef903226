"""The guided first puzzle of the home page: its grid, and what is shown on it step by step."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from engine.geometry import HOUSES


@dataclass(frozen=True, slots=True)
class Step:
    """A house that lacks one digit, in this cell."""

    house: int
    cell: int
    digit: int

    @property
    def cells(self) -> tuple[int, ...]:
        return tuple(HOUSES[self.house])

    @property
    def number(self) -> int:
        """The number of the house among those of its kind."""
        return self.house % 9 + 1


# A Beginner's puzzle. At first the middle box, row 2 and column 2 lack one digit each.
GIVENS: Final = ".82...43.4397182.5.762..8..21.965.4.85.4.29...6.831..2...62..5..2..5.68.69.18.7.3"
STEPS: Final = (Step(22, 40, 7), Step(1, 16, 6), Step(10, 55, 4))
