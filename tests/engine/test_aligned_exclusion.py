"""Aligned pair exclusion with almost locked sets of several cells."""

from __future__ import annotations

import pytest

from engine.position import Position
from engine.steps.logic import find
from engine.techniques import TECHNIQUES
from tests.step_checker import faults

# With 1 in r1c1, r1c2 leaves r1c45 two cells for a 4 if it is 2, and r1c78 if it is 3.
CELLS = {0: "15", 1: "23", 3: "124", 4: "124", 6: "134", 7: "134"}


@pytest.mark.kernel
def test_two_digits_of_an_almost_locked_set_exclude_a_combination() -> None:
    position = Position.from_pencilmarks(
        "".join(digit if digit in CELLS.get(cell, "") else "." for cell in range(81) for digit in "123456789")
    )
    steps = find(position, "aligned_pair_exclusion")
    (step,) = (step for step in steps if step.eliminations == {(0, 1)})
    assert faults(position, step) == []


def test_paths_and_so_ratings_know_cells_of_two_candidates_alone() -> None:
    for path in ("logic", "explainer"):
        assert TECHNIQUES["aligned_pair_exclusion"].on_path(path)["kinds"] == 0
