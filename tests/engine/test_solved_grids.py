"""Full grids of every maker: the rules hold, a seed settles them, no position or digit is favoured."""

from __future__ import annotations

import numpy as np
import pytest

from engine import Grid
from engine.generation.methods import METHODS
from engine.kernels.rng import seeded
from engine.kernels.solved_grids import allowed_digits, draw_layout


@pytest.mark.parametrize("key", METHODS)
def test_a_solved_grid_is_full_and_keeps_the_rules(key: str) -> None:
    state = seeded(8)
    for _ in range(20):
        grid = Grid(METHODS[key].solved_grid(state).tobytes())
        assert grid.full
        assert grid.faults() == []


@pytest.mark.parametrize("key", METHODS)
def test_every_digit_is_as_likely_in_every_cell(key: str) -> None:
    state, drawn = seeded(20240229), 9 * 200
    counts = np.zeros((81, 10), np.int64)
    for _ in range(drawn):
        counts[np.arange(81), METHODS[key].solved_grid(state)] += 1
    chi_square = ((counts[:, 1:] - 200) ** 2 / 200).sum()
    # Its mean is 729 * 8/9 = 648. The rules leave the 729 counts 480 directions to vary in, so that its
    # variance is 2 * 648**2 / 480 where they are alike; five standard deviations allow for unlike ones.
    assert chi_square < 648 + 5 * (2 * 648**2 / 480) ** 0.5


@pytest.mark.kernel
def test_a_layout_has_as_many_digits_as_asked_and_keeps_the_rules() -> None:
    state, layout = seeded(2), np.empty(81, np.uint8)
    for cells in (1, 11, 17):
        assert draw_layout(state, cells, False, layout)
        grid = Grid(layout.tobytes())
        assert grid.givens == cells
        assert grid.faults() == []


@pytest.mark.kernel
def test_a_blind_layout_tells_whether_it_broke_the_rules() -> None:
    state, layout = seeded(2), np.empty(81, np.uint8)
    told = []
    for _ in range(50):
        told.append(draw_layout(state, 11, True, layout))
        assert told[-1] == (Grid(layout.tobytes()).faults() == [])
    assert set(told) == {True, False}


@pytest.mark.kernel
def test_the_rules_allow_what_no_peer_holds() -> None:
    digits = np.zeros(81, np.uint8)
    digits[[0, 8, 36, 10]] = [1, 2, 3, 4]  # two in its row, one in its column, one in its box, one in both
    digits[80] = 9
    assert allowed_digits(digits, 4) == 1022 & ~(1 << 1 | 1 << 2)
    assert allowed_digits(digits, 18) == 1022 & ~(1 << 1 | 1 << 3 | 1 << 4)
