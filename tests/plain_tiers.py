"""The tiers of techniques as sets and loops, to check levels.

Tiers 1 to 3 share nothing with the engine but the cells of houses. For tier 4 the engine finds the patterns,
one technique at a time by its key, and every instance is applied at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

import engine
from engine.geometry import HOUSES
from tests.plain_rules import PlainRules

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
BOXES = HOUSES[18:]

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


class PlainBoard(PlainRules):
    """A puzzle on the way to its solution: the digits, and the candidates of the other cells."""

    def __init__(self, givens: str) -> None:
        self._grid = engine.parse(givens)
        super().__init__(self._grid.digits)
        solution = engine.solution(self._grid)
        assert solution is not None
        self._solution = solution.digits

    @property
    def solved(self) -> bool:
        """Tell whether every cell holds its digit."""
        return not self.left

    def tier_1(self) -> bool:
        """Apply full houses, and hidden singles in boxes."""
        last = [cells[0] for house in HOUSES if len(cells := self._empty(house)) == 1]
        found = [(cell, digit) for cell in last for digit in self.left[cell]]
        return self._place_all([*found, *self._hidden_singles(BOXES)])

    def tier_2(self) -> bool:
        """Apply all singles."""
        naked = [(cell, digit) for cell, left in self.left.items() if len(left) == 1 for digit in left]
        return self._place_all([*naked, *self._hidden_singles(HOUSES)])

    def tier_3(self) -> bool:
        """Apply locked candidates, pairs, triples and quads, then singles."""
        subsets = (find(size) for find in (self._naked, self._hidden) for size in (2, 3, 4))
        return self._remove(chain.from_iterable(chain(self._intersections(), *subsets))) or self.tier_2()

    def tier_4(self) -> bool:
        """Apply the patterns of TIER_4, then everything easier."""
        position = engine.Position.from_pencilmarks(
            "".join(
                str(digit) if digit in self.left.get(cell, ()) else "."
                for cell in range(81)
                for digit in range(1, 10)
            ),
            placed=engine.Grid.from_digits(self.digits),
            givens=self._grid,
        )
        steps = [step for key in TIER_4 for step in engine.find(position, key)]
        # Paths look for hidden rectangles of variant 0 alone.
        steps = [step for step in steps if (step.technique, step.variant) != ("hidden_rectangle", 1)]
        placed = self._place_all([candidate for step in steps for candidate in step.placements])
        removed = self._remove({candidate for step in steps for candidate in step.eliminations})
        return self.tier_3() or placed or removed

    def _empty(self, house: Iterable[int]) -> list[int]:
        return [cell for cell in house if cell in self.left]

    def _hidden_singles(self, houses: Iterable[Sequence[int]]) -> Iterator[Candidate]:
        for house in houses:
            for digit in range(1, 10):
                if len(cells := self._places(house, digit)) == 1:
                    yield cells[0], digit

    def _place_all(self, found: Iterable[Candidate]) -> bool:
        """Place digits. Returns whether any of them is new."""
        new = {candidate for candidate in found if candidate[0] in self.left}
        for cell, digit in new:
            assert self._solution[cell] == digit
            self._place(cell, digit)
        return bool(new)

    def _remove(self, found: Iterable[Candidate]) -> bool:
        """Remove candidates. Returns whether any of them was left."""
        new = {(cell, digit) for cell, digit in found if digit in self.left.get(cell, ())}
        for cell, digit in new:
            assert self._solution[cell] != digit
            self.left[cell].discard(digit)
        return bool(new)
