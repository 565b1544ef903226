"""What somebody can see on a board: the candidates left, and which cells are singles."""

from __future__ import annotations

from engine.geometry import HOUSES, PEERS

ALL = 0b111111111
FULL_HOUSE, BY_BOX, BY_LINE, NAKED = 2.0, 1.0, 0.5, 0.35  # how easily a single leaps to the eye; assumed


class Sight:
    """A board in somebody's head: digits (0 for none) and masks of candidates, bit d - 1 for digit d."""

    def __init__(self, givens: str) -> None:
        self.digits = [0] * 81
        self.open = [ALL] * 81
        for cell, char in enumerate(givens):
            if char != ".":
                self.place(cell, int(char))

    def copy(self) -> Sight:
        other = Sight.__new__(Sight)
        other.digits, other.open = self.digits[:], self.open[:]
        return other

    def place(self, cell: int, digit: int) -> None:
        self.digits[cell] = digit
        self.open[cell] = 0
        keep = ~(1 << digit - 1)
        for peer in PEERS[cell]:
            self.open[peer] &= keep

    def strike(self, cell: int, digit: int) -> None:
        self.open[cell] &= ~(1 << digit - 1)

    def left(self, cell: int) -> list[int]:
        """The candidates of a cell, ascending."""
        return [digit for digit in range(1, 10) if self.open[cell] >> digit - 1 & 1]

    @property
    def empty(self) -> list[int]:
        return [cell for cell in range(81) if not self.digits[cell]]

    @property
    def broken(self) -> bool:
        """Whether an empty cell has no candidate left."""
        return any(not self.digits[cell] and not self.open[cell] for cell in range(81))

    def singles(self) -> dict[int, tuple[int, float]]:
        """The cells that a single fills: cell -> (digit, how easily it is seen)."""
        found: dict[int, tuple[int, float]] = {}
        open_ = self.open
        for cell in range(81):
            mask = open_[cell]
            if mask and not mask & mask - 1:
                found[cell] = mask.bit_length(), NAKED
        for index, house in enumerate(HOUSES):
            once = twice = count = 0
            for cell in house:
                mask = open_[cell]
                if mask:
                    count += 1
                    twice |= once & mask
                    once |= mask
            once &= ~twice
            if not once:
                continue
            ease = FULL_HOUSE if count == 1 else BY_BOX if index >= 18 else BY_LINE
            for cell in house:
                bit = open_[cell] & once
                if bit and not bit & bit - 1 and (cell not in found or found[cell][1] < ease):
                    found[cell] = bit.bit_length(), ease
        return found
