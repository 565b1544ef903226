"""The four kinds of transformation, and random ones that keep a symmetry."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import Grid, Transformation
from engine.generation import transform
from engine.generation.symmetry import Symmetry
from engine.kernels.rng import seeded
from tests.thorough import amount

CELLS = Grid(bytes((cell // 9 * 3 + cell // 27 + cell % 9) % 9 + 1 for cell in range(81)))
laws = settings(max_examples=amount("EXAMPLES", 25, 60))


def test_swap_digits_exchanges_two_digits() -> None:
    image = transform.swap_digits(1, 9).apply(CELLS)
    assert image.digits == CELLS.digits.translate(bytes([0, 9, 2, 3, 4, 5, 6, 7, 8, 1]).ljust(256, b"\0"))


def test_swap_bands_exchanges_three_rows_with_three() -> None:
    image = transform.swap_bands(0, 2).apply(CELLS)
    assert image.digits == CELLS.digits[54:] + CELLS.digits[27:54] + CELLS.digits[:27]


def test_swap_stacks_is_swap_bands_transposed() -> None:
    turn = transform.transpose()
    assert transform.swap_stacks(0, 1) == turn.then(transform.swap_bands(0, 1)).then(turn)


def test_reorder_rows_stays_inside_its_band() -> None:
    image = transform.reorder_rows(1, (2, 0, 1)).apply(CELLS)
    rows = [CELLS.digits[9 * row : 9 * row + 9] for row in (0, 1, 2, 5, 3, 4, 6, 7, 8)]
    assert image.digits == b"".join(rows)


def test_reorder_columns_is_reorder_rows_transposed() -> None:
    turn = transform.transpose()
    assert transform.reorder_columns(2, (1, 0, 2)) == turn.then(transform.reorder_rows(2, (1, 0, 2))).then(
        turn
    )


@pytest.mark.parametrize(
    "kind",
    [
        transform.swap_digits(2, 5),
        transform.swap_bands(0, 1),
        transform.swap_stacks(1, 2),
        transform.reorder_rows(0, (1, 2, 0)),
        transform.reorder_columns(1, (2, 1, 0)),
        transform.transpose(),
    ],
)
def test_every_kind_keeps_the_rules(kind: Transformation) -> None:
    assert CELLS.faults() == []
    assert kind.apply(CELLS).faults() == []
    assert kind.apply(CELLS) != CELLS


@pytest.mark.kernel
@given(st.sampled_from(Symmetry), st.integers(0, 2**64), st.sets(st.integers(0, 80)))
@laws
def test_a_random_transformation_keeps_the_symmetry_of_a_pattern(
    symmetry: Symmetry, seed: int, cells: set[int]
) -> None:
    pattern = {image for cell in cells for image in symmetry.images(cell)}
    there = transform.random_transformation(seeded(seed), symmetry)
    image = {there.target(cell) for cell in pattern}
    assert image == {tied for cell in image for tied in symmetry.images(cell)}


def test_random_lines_take_every_order_equally_often() -> None:
    state = seeded(20240229)
    seen: dict[tuple[int, ...], int] = {}
    for _ in range(1296 * 10):
        rows = transform.random_transformation(state).rows
        seen[rows] = seen.get(rows, 0) + 1
    chi_square = sum((count - 10) ** 2 / 10 for count in seen.values()) + 10 * (1296 - len(seen))
    assert chi_square < 1295 + 4 * (2 * 1295) ** 0.5  # four standard deviations


@pytest.mark.kernel
def test_redraw_puts_all_grids_through_the_same_transformation() -> None:
    whole, part = CELLS.array(), CELLS.array()
    part[::2] = 0
    transform.redraw(seeded(4), Symmetry.NONE, whole, part)
    assert Grid(whole.tobytes()).faults() == []
    assert all(digit in (0, whole[cell]) for cell, digit in enumerate(part.tolist()))
    assert whole.tolist() != list(CELLS.digits)
