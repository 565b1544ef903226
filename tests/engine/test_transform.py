"""Each kind of transformation, and random ones that keep a symmetry."""

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


@pytest.mark.parametrize(
    "kind",
    [
        Transformation(digits=(1, 5, 3, 4, 2, 6, 7, 8, 9)),
        Transformation(rows=(3, 4, 5, 0, 1, 2, 6, 7, 8)),
        Transformation(columns=(0, 1, 2, 6, 7, 8, 3, 4, 5)),
        Transformation(rows=(1, 2, 0, *range(3, 9))),
        Transformation(columns=(*range(3), 5, 4, 3, 6, 7, 8)),
        Transformation(transposed=True),
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


@pytest.mark.kernel
def test_redraw_puts_all_grids_through_the_same_transformation() -> None:
    whole, part = CELLS.array(), CELLS.array()
    part[::2] = 0
    transform.redraw(seeded(4), Symmetry.NONE, whole, part)
    assert Grid(whole.tobytes()).faults() == []
    assert all(digit in (0, whole[cell]) for cell, digit in enumerate(part.tolist()))
    assert whole.tolist() != list(CELLS.digits)
