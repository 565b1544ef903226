"""The fourteen rules of Wu, Xiao, Yang as sets and loops, to check the compiled ones.

Written from the paper's text, sections 2.1 and 2.2; it shares nothing with the engine but the numbers of
cells and houses. Where the text is ambiguous it follows the engine: a hidden single counts as rule 1, and any
other rule counts once for a pattern that removes something, after which rule 1 is tried again.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from math import sqrt

import tests.reference as reference
from engine.geometry import HOUSES, PEERS

WEIGHTS = (1, 5, 10, 15, 20, 25, 30, 35, 40, 500, 1000, 3000, 5000, 8000)
BOUNDS = (1.05, 4.5, 6.0, 13.0)  # where levels 2 to 5 begin

Removed = set[tuple[int, int]]  # (cell, digit)


class PlainRules:
    """A puzzle on the way to its solution."""

    def __init__(self, digits: Sequence[int]) -> None:
        self.givens = list(digits)
        self.digits = list(digits)
        self.left = {
            cell: set(range(1, 10)) - {digits[peer] for peer in PEERS[cell]}
            for cell in range(81)
            if not digits[cell]
        }
        self.counts = [0] * 14

    def solve(self) -> bool:
        """Apply the rules until none works. Returns whether that fills the grid."""
        while self.left:
            if not self._fill_a_single() and not self._strip():
                return False
        return True

    @property
    def difficulty(self) -> float:
        """Return D of the rules used so far."""
        weighed = sum(weight * count for weight, count in zip(WEIGHTS, self.counts, strict=True))
        return sqrt(weighed / sum(self.counts)) if any(self.counts) else 1.0

    @property
    def level(self) -> int:
        """Return the level 1..5 of that D."""
        return 1 + sum(self.difficulty >= bound for bound in BOUNDS)

    def _place(self, cell: int, digit: int) -> None:
        self.digits[cell] = digit
        del self.left[cell]
        for peer in PEERS[cell]:
            self.left.get(peer, set()).discard(digit)

    def _fill_a_single(self) -> bool:
        for cell, found in self.left.items():
            if len(found) == 1:
                self._place(cell, next(iter(found)))
                self.counts[0] += 1
                return True
        for house in HOUSES:
            for digit in range(1, 10):
                cells = self._places(house, digit)
                if len(cells) == 1:
                    self._place(cells[0], digit)
                    self.counts[0] += 1
                    return True
        return False

    def _strip(self) -> bool:
        rules = (
            (3, self._naked(2)),
            (4, self._hidden(2)),
            (5, self._naked(3)),
            (6, self._hidden(3)),
            (7, self._naked(4)),
            (8, self._hidden(4)),
            (9, self._intersections()),
            (10, self._fish(2)),
            (11, self._fish(3)),
            (12, self._xy_wings()),
            (13, self._xyz_wings()),
        )
        for rule, patterns in rules:
            for pattern in patterns:
                found = {(cell, digit) for cell, digit in pattern if digit in self.left.get(cell, ())}
                if found:
                    for cell, digit in found:
                        self.left[cell].discard(digit)
                    self.counts[rule - 1] += 1
                    return True
        return self._try()

    def _places(self, house: Sequence[int], digit: int) -> list[int]:
        return [cell for cell in house if digit in self.left.get(cell, ())]

    def _naked(self, size: int) -> Iterator[Removed]:
        for house in HOUSES:
            blank = [cell for cell in house if cell in self.left]
            for cells in combinations(blank, size):
                held = set().union(*(self.left[cell] for cell in cells))
                if len(held) == size:
                    yield {(cell, digit) for cell in blank if cell not in cells for digit in held}

    def _hidden(self, size: int) -> Iterator[Removed]:
        for house in HOUSES:
            places = {digit: self._places(house, digit) for digit in range(1, 10)}
            missing = [digit for digit, cells in places.items() if cells]
            for digits in combinations(missing, size):
                cells = {cell for digit in digits for cell in places[digit]}
                if len(cells) == size:
                    yield {(cell, digit) for cell in cells for digit in self.left[cell] - set(digits)}

    def _intersections(self) -> Iterator[Removed]:
        boxes, lines = HOUSES[18:], HOUSES[:18]
        for here, there in ((boxes, lines), (lines, boxes)):
            for house in here:
                for digit in range(1, 10):
                    cells = set(self._places(house, digit))
                    for other in there:
                        if cells and cells <= set(other):
                            yield {(cell, digit) for cell in other if cell not in cells}

    def _fish(self, size: int) -> Iterator[Removed]:
        rows, columns = HOUSES[:9], HOUSES[9:18]
        for digit in range(1, 10):
            for bases, covers in ((rows, columns), (columns, rows)):
                able = [house for house in bases if 2 <= len(self._places(house, digit)) <= size]
                for chosen in combinations(able, size):
                    cells = {cell for house in chosen for cell in self._places(house, digit)}
                    crossing = [house for house in covers if cells & set(house)]
                    if len(crossing) == size:
                        yield {(cell, digit) for house in crossing for cell in house if cell not in cells}

    def _xy_wings(self) -> Iterator[Removed]:
        """Find XY and YZ in one box and no line, XY and XZ in one line and no box."""
        pairs = [cell for cell, found in self.left.items() if len(found) == 2]
        for hinge in pairs:
            for inside in pairs:
                if _box(hinge) != _box(inside) or _shares_line(hinge, inside):
                    continue
                for outside in pairs:
                    if _box(hinge) == _box(outside) or not _shares_line(hinge, outside):
                        continue
                    last = self.left[inside] & self.left[outside]
                    if len(last) == 1 and self.left[inside] ^ self.left[outside] == self.left[hinge]:
                        yield self._seen_by((inside, outside), last)

    def _xyz_wings(self) -> Iterator[Removed]:
        for hinge, found in self.left.items():
            if len(found) != 3:
                continue
            for inside in PEERS[hinge]:
                if _box(inside) != _box(hinge) or _shares_line(inside, hinge):
                    continue
                for outside in PEERS[hinge]:
                    if _box(outside) == _box(hinge):
                        continue
                    one, other = self.left.get(inside, set()), self.left.get(outside, set())
                    if len(one) == len(other) == 2 and one | other == found and len(one & other) == 1:
                        yield self._seen_by((hinge, inside, outside), one & other)

    def _seen_by(self, cells: tuple[int, ...], digits: set[int]) -> Removed:
        seen = set.intersection(*(set(PEERS[cell]) for cell in cells))
        return {(cell, digit) for cell in seen for digit in digits}

    def _try(self) -> bool:
        for cell, found in self.left.items():
            if len(found) == 2:
                solution = next(reference.solutions(self.givens), None)
                if solution is None:
                    return False
                self._place(cell, solution[cell])
                self.counts[13] += 1
                return True
        return False


def _box(cell: int) -> int:
    return cell // 27 * 3 + cell % 9 // 3


def _shares_line(one: int, other: int) -> bool:
    return one // 9 == other // 9 or one % 9 == other % 9
