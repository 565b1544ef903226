"""Vary: the same puzzle in another form, operation 5 of "dig-hole" by itself."""

from __future__ import annotations

from dataclasses import dataclass

from ..errors import RecipeError
from ..grid import Grid
from ..kernels.rng import seeded
from ..transformation import Transformation
from .recipe import check_name
from .symmetry import Symmetry
from .transform import random_transformation


@dataclass(frozen=True, slots=True)
class Varied:
    """A variation, and its transformation: `grid == transformation.apply(puzzle)`."""

    grid: Grid
    transformation: Transformation
    seed: int


def vary(grid: Grid, seed: int, symmetry: str = "none") -> Varied:
    """Return an equivalent of `grid`: digits relabeled, bands, stacks and lines permuted, perhaps transposed.

    It has as many solutions and needs the same logic. It has the same symmetry of givens if `symmetry` names
    it. Whatever depends on the places of cells, as searches do, may change. The same seed gives the same one
    on every machine. RecipeError for an unknown symmetry, or one that the givens don't have.
    Source: Xue, Jiang, Li, operation 5.
    """
    check_name("symmetry", symmetry, [each.value for each in Symmetry])
    kept = Symmetry(symmetry)
    if any(bool(grid[cell]) != bool(grid[image]) for cell in range(81) for image in kept.images(cell)):
        raise RecipeError(
            "symmetry", "expected one that the givens have, or none, found %(found)s", found=f"{symmetry!r}"
        )
    transformation = random_transformation(seeded(seed), kept)
    return Varied(transformation.apply(grid), transformation, seed)
