"""What anybody can see on a board: singles, and those that locked candidates, pairs and triples lead to."""

from __future__ import annotations

from collections.abc import Iterable
from copy import copy

import engine
from engine.geometry import HOUSES, HOUSES_OF, PEERS

# The eliminations that people find without marking every candidate, the easiest first.
EASY = ("pointing", "claiming", "naked_pair", "hidden_pair", "naked_triple", "hidden_triple")
BOXES = 18  # the first house that is a box
_ANY = (1 << 9) - 1
_OTHERS = [
    [[other for other in HOUSES[house] if other != cell] for house in HOUSES_OF[cell]] for cell in range(81)
]


class Sight:
    """A board with the candidates that its digits leave, fewer once somebody looks closer. Mutable."""

    def __init__(self, givens: str) -> None:
        self._givens = engine.parse(givens)
        self._digits = [0] * 81
        self._masks = [_ANY] * 81  # bit d - 1 for candidate d; a digit placed is alone in its cell
        self._all = False  # whether every easy elimination has been made
        for cell, digit in enumerate(self._givens.digits):
            if digit:
                self.place(cell, digit)

    def single(self, cell: int, digit: int) -> bool:
        """Whether the digit is the only one for this cell, or the cell the only one for it in a house."""
        masks, bit = self._masks, 1 << (digit - 1)
        if masks[cell] == bit:
            return True
        for others in _OTHERS[cell]:
            for other in others:
                if masks[other] & bit:
                    break
            else:
                return True
        return False

    def effort(self, cell: int, digit: int) -> int:
        """How hard a single is to see.

        1: the last empty cell of a house. 2: the only place in a box. 3: in a row or column. 4: the only
        digit for its cell.
        """
        bit, least = 1 << (digit - 1), 4
        for house, others in zip(HOUSES_OF[cell], _OTHERS[cell], strict=True):
            if not any(self._masks[other] & bit for other in others):
                if all(self._digits[other] for other in others):
                    return 1
                least = min(least, 2 if house >= BOXES else 3)
        return least

    def in_reach(self, cell: int, digit: int) -> bool:
        """Whether it is a single, if need be after easy eliminations, which are then made."""
        while not self.single(cell, digit):
            if not self._look_closer():
                return False
        return True

    def singles(self, answer: str) -> list[int]:
        """The empty cells that hold a single."""
        return [cell for cell in range(81) if not self._digits[cell] and self.single(cell, int(answer[cell]))]

    def choices(self, cell: int, digit: int) -> int:
        """Among how many candidates, or places in one of its houses, a digit is chosen; the fewest."""
        masks, bit = self._masks, 1 << (digit - 1)
        places = (1 + sum(masks[other] & bit != 0 for other in others) for others in _OTHERS[cell])
        return min(masks[cell].bit_count(), *places)

    def reach(self, cells: Iterable[int], answer: str) -> set[int]:
        """The empty cells among these to which singles lead, one after the other, in any order."""
        then, reached = copy(self), set[int]()
        then._digits, then._masks = self._digits[:], self._masks[:]
        left = {cell for cell in cells if not self._digits[cell]}
        while found := [cell for cell in left if then.single(cell, int(answer[cell]))]:
            for cell in found:
                then.place(cell, int(answer[cell]))
            reached.update(found)
            left.difference_update(found)
        return reached

    def place(self, cell: int, digit: int) -> None:
        """Put a digit into an empty cell."""
        self._digits[cell], self._masks[cell] = digit, 1 << (digit - 1)
        rest = _ANY & ~self._masks[cell]
        for peer in PEERS[cell]:
            if not self._digits[peer]:
                self._masks[peer] &= rest
        self._all = False

    def strike(self, candidates: Iterable[tuple[int, int]]) -> None:
        """Take candidates (cell, digit) of empty cells away."""
        for cell, digit in candidates:
            if not self._digits[cell]:
                self._masks[cell] &= ~(1 << (digit - 1))
        self._all = False

    def _look_closer(self) -> bool:
        """Make the easiest eliminations there are; False if there are none."""
        if self._all:
            return False
        board = engine.Grid(bytes(self._digits))
        position = engine.Position.from_marks(self._masks, board, self._givens)
        for key in EASY:
            away = {gone for step in engine.find(position, key) for gone in step.eliminations}
            if away:
                self.strike(away)
                return True
        self._all = True
        return False
