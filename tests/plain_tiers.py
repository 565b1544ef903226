"""The tiers of techniques as sets and loops, to check levels.

Tiers 1 to 3 are written out here and share nothing with the engine but the cells of houses. For tier 4 the
engine finds the patterns, one technique at a time by its key, and every instance is applied at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations

import engine
from engine.geometry import HOUSES, PEERS

# Fish to jellyfish, strong links and rectangles of one digit or of two, simple coloring, small wings, BUG+1.
TIER_4 = (
    *("x_wing", "finned_x_wing", "sashimi_x_wing", "swordfish", "finned_swordfish", "sashimi_swordfish"),
    *("jellyfish", "finned_jellyfish", "sashimi_jellyfish"),
    *("skyscraper", "two_string_kite", "turbot_fish", "strong_links_2", "empty_rectangle"),
    *("simple_colouring_trap", "simple_colouring_wrap"),
    *("xy_wing", "xyz_wing", "w_wing", "remote_pair"),
    *(f"unique_rectangle_{number}" for number in range(1, 7)),
    *("hidden_rectangle", "bug_plus_1"),
)
LINES, BOXES = HOUSES[:18], HOUSES[18:]

Candidate = tuple[int, int]  # cell, digit


def level_of(givens: str) -> int:
    """Return the first tier 1..4 that solves 81 characters with those below it, 5 if none does.

    Asserts that nothing on the way contradicts the solution.
    """
    board = PlainBoard(givens)
    for tier, use in enumerate((board.tier_1, board.tier_2, board.tier_3, board.tier_4), 1):
        while not board.solved and use():
            pass
        if board.solved:
            return tier
    return 5


class PlainBoard:
    """A puzzle on the way to its solution: the digits, and the candidates of the other cells."""

    def __init__(self, givens: str) -> None:
        self.givens = givens
        solution = engine.solution(engine.parse(givens))
        assert solution is not None
        self._solution = solution.digits
        self._digits = [int(digit) if digit in "123456789" else 0 for digit in givens]
        self._left = {
            cell: set(range(1, 10)) - {self._digits[peer] for peer in PEERS[cell]}
            for cell in range(81)
            if not self._digits[cell]
        }

    @property
    def solved(self) -> bool:
        """Tell whether every cell holds its digit."""
        return not self._left

    def tier_1(self) -> bool:
        """Apply full houses, and hidden singles in boxes."""
        last = [cells[0] for house in HOUSES if len(cells := self._empty(house)) == 1]
        found = [(cell, digit) for cell in last for digit in self._left[cell]]
        return self._place([*found, *self._hidden_singles(BOXES)])

    def tier_2(self) -> bool:
        """Apply all singles."""
        naked = [(cell, digit) for cell, left in self._left.items() if len(left) == 1 for digit in left]
        return self._place([*naked, *self._hidden_singles(HOUSES)])

    def tier_3(self) -> bool:
        """Apply locked candidates, pairs, triples and quads, then singles."""
        return self._remove({*self._locked(), *self._subsets()}) or self.tier_2()

    def tier_4(self) -> bool:
        """Apply the patterns of TIER_4, then everything easier."""
        position = engine.Position.from_pencilmarks(
            "".join(
                str(digit) if digit in self._left.get(cell, ()) else "."
                for cell in range(81)
                for digit in range(1, 10)
            ),
            placed=engine.Grid.from_digits(self._digits),
            givens=engine.parse(self.givens),
        )
        steps = [step for key in TIER_4 for step in engine.find(position, key)]
        # Paths look for hidden rectangles of variant 0 alone.
        steps = [step for step in steps if (step.technique, step.variant) != ("hidden_rectangle", 1)]
        placed = self._place([candidate for step in steps for candidate in step.placements])
        removed = self._remove({candidate for step in steps for candidate in step.eliminations})
        return self.tier_3() or placed or removed

    def _empty(self, house: Iterable[int]) -> list[int]:
        return [cell for cell in house if cell in self._left]

    def _places(self, house: Iterable[int], digit: int) -> list[int]:
        return [cell for cell in self._empty(house) if digit in self._left[cell]]

    def _hidden_singles(self, houses: Iterable[Iterable[int]]) -> Iterator[Candidate]:
        for house in houses:
            for digit in range(1, 10):
                if len(cells := self._places(house, digit)) == 1:
                    yield cells[0], digit

    def _locked(self) -> Iterator[Candidate]:
        for box in BOXES:
            for line in LINES:
                shared = set(box) & set(line)
                for digit in range(1, 10) if shared else ():
                    for one, other in ((box, line), (line, box)):
                        if (cells := self._places(one, digit)) and shared.issuperset(cells):
                            yield from ((cell, digit) for cell in set(other) - shared)

    def _subsets(self) -> Iterator[Candidate]:
        for house in HOUSES:
            empty = self._empty(house)
            for size in range(2, 5):
                for cells in combinations(empty, size):
                    digits = set().union(*(self._left[cell] for cell in cells))
                    if len(digits) == size:
                        yield from ((cell, digit) for cell in set(empty) - set(cells) for digit in digits)
                places: dict[int, set[int]] = {
                    digit: set(self._places(house, digit)) for digit in range(1, 10)
                }
                for hidden in combinations([digit for digit in places if places[digit]], size):
                    held = set().union(*(places[digit] for digit in hidden))
                    if len(held) == size:
                        others = set(range(1, 10)) - set(hidden)
                        yield from ((cell, digit) for cell in held for digit in others)

    def _place(self, found: Iterable[Candidate]) -> bool:
        """Place digits. Returns whether any of them is new."""
        new = {candidate for candidate in found if candidate[0] in self._left}
        for cell, digit in new:
            assert self._solution[cell] == digit
            self._digits[cell] = digit
            del self._left[cell]
        for cell, digit in new:
            for peer in PEERS[cell]:
                self._left.get(peer, set()).discard(digit)
        return bool(new)

    def _remove(self, found: Iterable[Candidate]) -> bool:
        """Remove candidates. Returns whether any of them was left."""
        new = {(cell, digit) for cell, digit in found if digit in self._left.get(cell, ())}
        for cell, digit in new:
            assert self._solution[cell] != digit
            self._left[cell].discard(digit)
        return bool(new)
