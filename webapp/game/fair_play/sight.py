"""Singles on a board: a cell's only digit, or a digit's only place in a house."""

from __future__ import annotations

from collections.abc import Iterable

from engine.geometry import HOUSES, HOUSES_OF, PEERS

_ANY = (1 << 9) - 1
_OTHERS = [
    [[other for other in HOUSES[house] if other != cell] for house in HOUSES_OF[cell]] for cell in range(81)
]


class Sight:
    """A board with the candidates that its digits leave. Mutable."""

    def __init__(self, givens: str) -> None:
        self._empty = {*range(81)}
        self._masks = [_ANY] * 81  # bit d - 1 is candidate d; a placed digit is its cell's only one
        for cell, char in enumerate(givens):
            if char not in ".0":
                self.place(cell, int(char))

    def place(self, cell: int, digit: int) -> None:
        """Put a digit into an empty cell."""
        self._empty.discard(cell)
        self._masks[cell] = bit = 1 << (digit - 1)
        for peer in PEERS[cell]:
            if peer in self._empty:
                self._masks[peer] &= ~bit

    def single(self, cell: int, digit: int) -> bool:
        """Whether the digit is the only one for the cell, or the cell its only place in a house."""
        return self.choices(cell, digit) == 1

    def choices(self, cell: int, digit: int) -> int:
        """Return the smallest number of alternatives to a digit: candidates of its cell, or places in one
        of its houses.
        """
        masks, bit = self._masks, 1 << (digit - 1)
        places = (1 + sum(masks[other] & bit != 0 for other in others) for others in _OTHERS[cell])
        return min(masks[cell].bit_count(), *places)

    def singles(self, answer: str) -> list[int]:
        """Return the empty cells with a single, in reading order."""
        return [cell for cell in sorted(self._empty) if self.single(cell, int(answer[cell]))]

    def reach(self, cells: Iterable[int], answer: str) -> set[int]:
        """Return the cells among these that a series of singles fills, in any order."""
        then = Sight.__new__(Sight)
        then._empty, then._masks = {*self._empty}, self._masks[:]
        left = self._empty.intersection(cells)
        reached = set[int]()
        while found := [cell for cell in left if then.single(cell, int(answer[cell]))]:
            for cell in found:
                then.place(cell, int(answer[cell]))
            reached.update(found)
            left = left.difference(found)
        return reached
