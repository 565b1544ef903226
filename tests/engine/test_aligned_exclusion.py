"""Aligned pair exclusion with almost locked sets of several cells."""

from __future__ import annotations

from itertools import combinations, product

import pytest

import engine
from engine.geometry import PEERS
from engine.position import Position
from engine.steps.logic import find
from engine.techniques import TECHNIQUES
from tests.engine.struck import of_cells
from tests.step_checker import faults

# With 1 in r1c1, r1c2 leaves r1c45 two cells for a 4 if it is 2, and r1c78 if it is 3.
CELLS = {0: "15", 1: "23", 3: "124", 4: "124", 6: "134", 7: "134"}


@pytest.mark.kernel
def test_two_digits_of_an_almost_locked_set_exclude_a_combination() -> None:
    position = of_cells(CELLS)
    steps = find(position, "aligned_pair_exclusion")
    (step,) = (step for step in steps if step.eliminations == {(0, 1)})
    assert faults(position, step) == []


def test_paths_and_so_ratings_know_cells_of_two_candidates_alone() -> None:
    for path in ("logic", "explainer"):
        assert TECHNIQUES["aligned_pair_exclusion"].on_path(path)["kinds"] == 0


def excluded(position: Position) -> set[tuple[int, int]]:
    """Return the candidates of three cells that no combination has: each leaves another cell empty."""
    marks = {cell: position.candidates(cell) for cell in range(81) if len(position.candidates(cell)) > 1}
    found = set()
    for cells in combinations(marks, 3):
        common = [cell for cell, digits in marks.items() if len(digits) < 4 and {*cells} <= PEERS_OF[cell]]
        pairs = [(one, two) for one, two in combinations(range(3), 2) if cells[two] in PEERS_OF[cells[one]]]
        if len(common) < 2 or all(min(len(marks[cells[at]]) for at in pair) > 3 for pair in pairs):
            continue
        allowed = [
            digits
            for digits in product(*(marks[cell] for cell in cells))
            if all(digits[one] != digits[two] for one, two in pairs)
            and not any({*marks[cell]} <= {*digits} for cell in common)
        ]
        for cell, held in zip(cells, zip(*allowed, strict=True), strict=True) if allowed else ():
            found |= {(cell, digit) for digit in marks[cell] if digit not in held}
    return found


PEERS_OF = [{*peers} for peers in PEERS]
PUZZLE = ".........15.....83..9.4.6..2.......69...3...7...671....9.4.8.6.7.25.93.8..8.2.4.."


def test_triplets_exclude_what_no_combination_has() -> None:
    position, found = Position.from_grid(engine.parse(PUZZLE)), 0
    for step in engine.solve_path(position).steps:
        if sum(len(position.candidates(cell)) > 1 for cell in range(81)) < 28:
            steps = find(position, "aligned_triplet_exclusion")
            assert {each for step in steps for each in step.eliminations} == excluded(position)
            found += len(steps)
        position = position.after(step)
    assert found > 5
