"""Dig orders, their grouping by symmetry, and digging with a solver of one's choice."""

from __future__ import annotations

import pytest

from benchmarks.systems.common import dig_with
from engine import SEARCHERS, Grid
from engine.generation.dig import Order, dig, drawn_groups, groups_of
from engine.generation.solved_grids import las_vegas
from engine.generation.symmetry import Symmetry
from engine.kernels.rng import seeded


@pytest.mark.parametrize("order", Order)
@pytest.mark.parametrize("symmetry", Symmetry)
def test_every_cell_has_one_try(order: Order, symmetry: Symmetry) -> None:
    groups = drawn_groups(order, symmetry, seeded(5))
    assert sorted(cell for cell in groups.ravel().tolist() if cell >= 0) == list(range(81))


def test_left_to_right_is_the_order_of_the_cells() -> None:
    assert groups_of(Order.LEFT_TO_RIGHT, Symmetry.NONE).ravel().tolist() == list(range(81))


def test_the_serpentine_turns_at_the_end_of_each_row() -> None:
    cells = groups_of(Order.SERPENTINE, Symmetry.NONE).ravel().tolist()
    assert cells[7:11] == [7, 8, 17, 16]


def test_interlaced_digs_the_checkerboard_first() -> None:
    cells = groups_of(Order.INTERLACED, Symmetry.NONE).ravel().tolist()
    assert all((cell // 9 + cell % 9) % 2 == 0 for cell in cells[:41])
    assert all((cell // 9 + cell % 9) % 2 == 1 for cell in cells[41:])
    assert cells[41] == 1


def test_random_orders_differ_and_come_back_with_their_seed() -> None:
    first, again, other = (
        drawn_groups(Order.RANDOM, Symmetry.NONE, seeded(seed)).ravel().tolist() for seed in (1, 1, 2)
    )
    assert first == again != other


@pytest.mark.parametrize(
    ("symmetry", "sizes"), [("half_turn", {1, 2}), ("quarter_turn", {1, 4}), ("full", {1, 4, 8})]
)
def test_a_symmetry_ties_cells_together(symmetry: str, sizes: set[int]) -> None:
    assert {len(Symmetry(symmetry).images(cell)) for cell in range(81)} == sizes


def test_horizontal_mirrors_the_first_row_onto_the_last() -> None:
    assert Symmetry.HORIZONTAL.images(3) == (3, 75)
    assert Symmetry.VERTICAL.images(3) == (3, 5)
    assert Symmetry.DIAGONAL.images(3) == (3, 27)
    assert Symmetry.ANTIDIAGONAL.images(3) == (3, 53)


@pytest.mark.parametrize("symmetry", [Symmetry.NONE, Symmetry.QUARTER_TURN])
@pytest.mark.parametrize("fewest_in_line", [0, 3])
def test_digging_with_a_solver_leaves_what_digging_in_one_kernel_leaves(
    symmetry: Symmetry, fewest_in_line: int
) -> None:
    state = seeded(11)
    for order in Order:
        solution = las_vegas(state)
        groups = drawn_groups(order, symmetry, state)
        dug = dig_with(SEARCHERS["bitboard"], Grid(solution.tobytes()), groups, 20, fewest_in_line)
        assert dug == Grid(dig(solution, groups, 20, fewest_in_line).tobytes())
