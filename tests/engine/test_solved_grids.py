"""Full grids of every maker: the rules hold, and no digit, position or class of bands is favored."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

import tests.reference as reference
from engine import Grid
from engine.generation.solved_grids import SOLVED_GRIDS
from engine.kernels import uniform_grids
from engine.kernels.rng import seeded
from engine.kernels.solved_grids import allowed_digits, draw_layout
from tests.bands import class_of, class_sizes
from tests.thorough import amount

SOLVED_GRID_COUNT = 6_670_903_752_021_072_936_960  # Felgenhauer and Jarvis 2005
FACTORIAL_9 = 362_880


@pytest.mark.kernel
@pytest.mark.parametrize("key", SOLVED_GRIDS)
def test_a_solved_grid_is_full_and_keeps_the_rules(key: str) -> None:
    state = seeded(8)
    for _ in range(3):
        assert reference.is_solution(SOLVED_GRIDS[key](state).tolist())


@pytest.mark.parametrize("key", SOLVED_GRIDS)
def test_one_seed_is_one_sequence_of_grids(key: str) -> None:
    first, second = seeded(5), seeded(5)
    grids = [SOLVED_GRIDS[key](first).tobytes() for _ in range(5)]
    assert grids == [SOLVED_GRIDS[key](second).tobytes() for _ in range(5)]
    assert len(set(grids)) == 5


@pytest.mark.parametrize("key", [key for key in SOLVED_GRIDS if key != "las_vegas"])
def test_every_digit_is_as_likely_in_every_cell(key: str) -> None:
    state, drawn = seeded(20240229), 9 * 200
    counts = np.zeros((81, 10), np.int64)
    for _ in range(drawn):
        counts[np.arange(81), SOLVED_GRIDS[key](state)] += 1
    chi_square = ((counts[:, 1:] - 200) ** 2 / 200).sum()
    # Its mean is 729 * 8/9 = 648. The rules leave the 729 counts 480 degrees of freedom, so its variance is 2
    # * 648**2 / 480 if these are equal; five standard deviations allow for unequal ones. The 9! grids of a
    # center box leave only 64 degrees of freedom.
    directions = 64 if key == "centre_box" else 480
    assert chi_square < 648 + 5 * (2 * 648**2 / directions) ** 0.5


@pytest.mark.slow
@pytest.mark.parametrize("key", ["uniform", "diagonal_boxes"])
def test_no_class_of_first_bands_is_favoured(key: str) -> None:
    """Compared with the sizes of the classes: the number of completions of a band varies too little to
    show.
    """
    state, drawn = seeded(416), amount("BANDS", 5_000, 20_000)
    found = Counter(class_of(SOLVED_GRIDS[key](state)[:27]) for _ in range(drawn))
    chi_square, classes, rest, rest_expected = 0.0, 0, 0, 0.0
    for least, size in class_sizes().items():
        expected = drawn * size / 2_612_736
        if expected < 5:
            rest, rest_expected = rest + found[least], rest_expected + expected
        else:
            chi_square += (found[least] - expected) ** 2 / expected
            classes += 1
    chi_square += (rest - rest_expected) ** 2 / rest_expected
    assert chi_square < classes + 4 * (2 * classes) ** 0.5


@pytest.mark.slow
def test_uniform_draws_fit_as_often_as_the_number_of_grids_says() -> None:
    """Each grid comes from one of 9!^3 * 448^2 * 64 equally likely draws, so the acceptance rate estimates
    the number of grids.
    """
    state, out, corners = seeded(1), np.zeros(81, np.uint8), uniform_grids.corners()
    grids = 20_000
    draws = sum(uniform_grids.uniform(state, corners, out) for _ in range(grids))
    estimate = FACTORIAL_9**3 * 448**2 * 64 * grids / draws
    assert abs(estimate / SOLVED_GRID_COUNT - 1) < 4 / grids**0.5  # four standard deviations


def test_corners_list_every_filling_once() -> None:
    corners = uniform_grids.corners()
    sizes = corners[:, 0][corners[:, 0] > 0]
    assert len(sizes) == 55  # tables of 3 x 3 with lines that sum to 3
    assert set(sizes.tolist()) == {384, 392, 400, 432, 448}
    for row in corners:
        assert len(set(row[1 : 1 + row[0]].tolist())) == row[0]


@pytest.mark.kernel
def test_a_diagonal_is_completed_and_stays() -> None:
    state, out = seeded(6), np.zeros(81, np.uint8)
    uniform_grids.draw_diagonal(state, out)
    before = out.copy()
    assert np.count_nonzero(before) == 27
    uniform_grids.complete_diagonal(state, uniform_grids.corners(), out)
    assert reference.is_solution(out.tolist())
    assert (out[before > 0] == before[before > 0]).all()


def test_a_centre_box_makes_one_grid_each() -> None:
    state = seeded(2)
    grids = {SOLVED_GRIDS["centre_box"](state).tobytes() for _ in range(300)}
    centres = {
        bytes(grid[27 + 9 * row + 3 + column] for row in range(3) for column in range(3)) for grid in grids
    }
    assert len(centres) == len(grids)


@pytest.mark.kernel
def test_a_layout_has_as_many_digits_as_asked_and_keeps_the_rules() -> None:
    state, layout = seeded(2), np.empty(81, np.uint8)
    for cells in (1, 11, 17):
        assert draw_layout(state, cells, layout)
        grid = Grid(layout.tobytes())
        assert grid.givens == cells
        assert grid.faults() == []


@pytest.mark.kernel
def test_the_rules_allow_what_no_peer_holds() -> None:
    digits = np.zeros(81, np.uint8)
    digits[[0, 8, 36, 10]] = [1, 2, 3, 4]  # two in its row, one in its column, one in its box, one in both
    digits[80] = 9
    assert allowed_digits(digits, 4) == 1022 & ~(1 << 1 | 1 << 2)
    assert allowed_digits(digits, 18) == 1022 & ~(1 << 1 | 1 << 3 | 1 << 4)
