"""Singles are taken in the order in which they arose, as in a slow implementation with two plain lists."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

import engine
from engine import Grid, Position, Recipe
from engine.geometry import HOUSES, HOUSES_OF, PEERS
from engine.kernels.state import LEFT
from engine.kernels.steps import COUNT, clear, new_steps
from engine.rating import hodoku
from engine.rating.arrivals import ARRIVALS_SIZE, apply_and_join, arrive, put_first_single
from engine.steps.step import decode_all

Taken = tuple[str, int, int]  # technique, cell, digit


class Twin:
    """A board that records every single the moment it arises."""

    def __init__(self, grid: Grid) -> None:
        self.left = [set(range(1, 10)) for _ in range(81)]
        self.naked: list[tuple[int, int]] = []
        self.hidden: list[tuple[int, int]] = []
        for cell, digit in enumerate(grid.digits):
            if digit:
                self.place(cell, digit)

    def note(self, cell: int, digit: int, placing: int = -1) -> None:
        """Record the singles that arise after `digit` has left `cell`; a cell being filled is no longer a
        single.
        """
        for house in HOUSES_OF[cell]:
            places = [other for other in HOUSES[house] if digit in self.left[other]]
            if len(places) == 1 and places != [placing]:
                self.hidden.append((places[0], digit))

    def place(self, cell: int, digit: int) -> None:
        for peer in PEERS[cell]:
            if digit in self.left[peer]:
                self.left[peer].discard(digit)
                self.note(peer, digit, cell)
                if len(self.left[peer]) == 1:
                    self.naked.append((peer, min(self.left[peer])))
        others = sorted(self.left[cell] - {digit})
        self.left[cell] = set()
        for other in others:
            self.note(cell, other)

    def taken(self) -> Iterator[Taken]:
        """Take every single until none is left."""
        while found := self.first():
            yield found
            self.place(*found[1:])

    def first(self) -> Taken | None:
        waiting = [(cell, digit) for cell, digit in self.naked if self.left[cell]]
        for cell, digit in waiting:
            if any(not any(self.left[c] for c in HOUSES[h] if c != cell) for h in HOUSES_OF[cell]):
                return "full_house", cell, digit
        for cell, digit in waiting:
            return "naked_single", cell, digit
        for cell, digit in self.hidden:
            if self.left[cell]:
                return "hidden_single", cell, digit
        return None


def _taken(position: Position) -> Iterator[Taken]:
    state, arrivals, out = position.array.copy(), np.zeros(ARRIVALS_SIZE, np.int32), new_steps(4, 64)
    arrive(state, arrivals)
    while True:
        clear(out)
        if not put_first_single(state, arrivals, out):
            assert out[COUNT] == 0
            return
        (step,) = decode_all(out)
        ((cell, digit),) = step.placements
        yield step.technique, cell, digit
        apply_and_join(out, 0, state, arrivals)
        assert state[LEFT] < 81


@pytest.mark.kernel
@pytest.mark.parametrize("seed", range(3))
def test_singles_come_in_the_order_of_the_twin(seed: int) -> None:
    grid = engine.generate(Recipe(level=1), seed).grid
    expected = list(Twin(grid).taken())
    assert list(_taken(Position.from_grid(grid))) == expected
    assert len(expected) == 81 - grid.givens


@pytest.mark.kernel
def test_a_single_that_a_players_own_candidates_make_is_found() -> None:
    empty = Position.from_grid(Grid(bytes(81)))
    alone = empty.changed((), {(40, digit) for digit in range(2, 10)})
    assert next(_taken(alone)) == ("naked_single", 40, 1)
    hidden = empty.changed((), {(cell, 1) for cell in HOUSES[4] if cell != 40})
    assert next(_taken(hidden)) == ("hidden_single", 40, 1)


def test_hodokus_path_starts_with_the_singles_of_the_twin() -> None:
    grid = engine.generate(Recipe(minimal=True), 2).grid
    expected = list(Twin(grid).taken())
    path = [
        (step.technique, *min(step.placements))
        for (_, step), _ in zip(hodoku.order().follow(Position.from_grid(grid)), expected, strict=False)
    ]
    assert expected
    assert path == expected
