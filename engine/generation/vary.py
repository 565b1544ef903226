"""Vary: the same puzzle in another form, operation 5 of "dig-hole" by itself."""

from __future__ import annotations

from dataclasses import dataclass

from engine.errors import RecipeError
from engine.generation.symmetry import Symmetry
from engine.generation.transform import random_transformation
from engine.grid import Grid
from engine.kernels.rng import seeded
from engine.transformation import Transformation


@dataclass(frozen=True, slots=True)
class Varied:
    """A variation, and how it came from its puzzle: `grid == transformation.apply(puzzle)`."""

    grid: Grid
    transformation: Transformation
    seed: int


def vary(grid: Grid, seed: int, symmetry: str = "none") -> Varied:
    """An equivalent of `grid`: digits renamed, bands, stacks and lines in other places, perhaps transposed.

    It has as many solutions, needs the same logic and has the same symmetry of givens where `symmetry` names
    it; what depends on the place of its cells, as searches do, may change. The same seed gives the same one
    on every machine. RecipeError names a symmetry that is none, or that the givens do not have.
    Source: Xue, Jiang, Li, operation 5.
    """
    names = [each.value for each in Symmetry]
    if symmetry not in names:
        raise RecipeError(
            "symmetry",
            "expected one of %(names)s, found %(found)s",
            names=", ".join(names),
            found=f"{symmetry!r}",
        )
    kept = Symmetry(symmetry)
    if any(bool(grid[cell]) != bool(grid[image]) for cell in range(81) for image in kept.images(cell)):
        raise RecipeError(
            "symmetry", "expected one that the givens have, or none, found %(found)s", found=f"{symmetry!r}"
        )
    transformation = random_transformation(seeded(seed), kept)
    return Varied(transformation.apply(grid), transformation, seed)
