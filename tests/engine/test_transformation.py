"""The group of transformations: its laws, and the invariants of an image."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import Grid, Transformation
from engine.generation.transform import random_transformation
from engine.kernels.rng import seeded
from tests.thorough import amount

transformations = st.integers(0, 2**64).map(lambda seed: Transformation.random(random.Random(seed).randrange))
grids = st.binary(min_size=81, max_size=81).map(lambda raw: Grid(bytes(byte % 10 for byte in raw)))
laws = settings(max_examples=amount("EXAMPLES", 25, 60))


@given(transformations, grids)
@laws
def test_the_inverse_undoes(there: Transformation, grid: Grid) -> None:
    assert there.inverse().apply(there.apply(grid)) == grid
    assert there.then(there.inverse()) == Transformation()


@given(transformations, transformations, grids)
@laws
def test_then_is_one_after_the_other(first: Transformation, second: Transformation, grid: Grid) -> None:
    assert first.then(second).apply(grid) == second.apply(first.apply(grid))


@given(transformations)
@laws
def test_source_and_target_are_inverse_maps_of_the_cells(there: Transformation) -> None:
    assert [there.target(there.source(cell)) for cell in range(81)] == list(range(81))


@given(transformations, grids)
@laws
def test_an_image_has_as_many_faults_as_its_grid(there: Transformation, grid: Grid) -> None:
    assert len(there.apply(grid).faults()) == len(grid.faults())


def test_the_identity_changes_nothing() -> None:
    grid = Grid(bytes(cell % 10 for cell in range(81)))
    assert Transformation().apply(grid) == grid


@pytest.mark.parametrize(
    ("draw", "state"),
    [(Transformation.random, random.Random(20240229).randrange), (random_transformation, seeded(20240229))],
    ids=["in Python", "in a kernel"],
)
def test_random_lines_take_every_order_equally_often(draw: Any, state: Any) -> None:
    seen = Counter(draw(state).rows for _ in range(1296 * 10))
    chi_square = sum((count - 10) ** 2 / 10 for count in seen.values()) + 10 * (1296 - len(seen))
    assert chi_square < 1295 + 4 * (2 * 1295) ** 0.5  # four standard deviations


@pytest.mark.parametrize("rows", [(0, 1, 3, 2, 4, 5, 6, 7, 8), (0, 1, 2, 3, 4, 5, 6, 7, 7), (0, 1, 2)])
def test_an_order_that_breaks_a_band_is_refused(rows: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="threes together"):
        Transformation(rows=rows)


def test_digits_that_are_no_order_of_1_to_9_are_refused() -> None:
    with pytest.raises(ValueError, match=r"1\.\.9"):
        Transformation(digits=(1, 1, 3, 4, 5, 6, 7, 8, 9))
