"""generate: from a recipe and a seed to a puzzle. The numbers live in `methods`, the wishes in `recipe`."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.errors import RecipeError
from engine.generation.dig import dig, drawn_groups
from engine.generation.methods import METHODS
from engine.generation.recipe import Puzzle, Recipe
from engine.generation.symmetry import Symmetry
from engine.generation.transform import redraw
from engine.grid import Grid
from engine.kernels.rng import below, seeded
from engine.minimality import is_minimal

State = NDArray[np.uint64]
Digits = NDArray[np.uint8]

MOST_TRIES: Final = 10_000  # solved grids dug before a recipe counts as one that cannot be met: some seconds


def generate(recipe: Recipe, seed: int) -> Puzzle:
    """A puzzle with one solution; the same recipe and seed give the same puzzle on every machine.

    Raises RecipeError naming the field that none of 10,000 dug grids could meet.
    """
    state = seeded(seed)
    puzzle, solution = _dug(recipe, state)
    redraw(state, Symmetry(recipe.symmetry), puzzle, solution)
    return Puzzle(Grid(puzzle.tobytes()), Grid(solution.tobytes()), recipe, seed)


def _dug(recipe: Recipe, state: State) -> tuple[Digits, Digits]:
    plan, method, symmetry = recipe.plan(), METHODS[recipe.method], Symmetry(recipe.symmetry)
    failed = ""
    for _ in range(MOST_TRIES):
        solution = method.solved_grid(state)
        stop = plan.stop_low + below(state, plan.stop_high - plan.stop_low + 1)
        groups = drawn_groups(plan.order, symmetry, state)
        puzzle = dig(solution, groups, stop, plan.fewest_in_line)
        givens = int(np.count_nonzero(puzzle))
        if givens > plan.most:
            failed = "most_givens"
        elif givens < plan.fewest:
            failed = "fewest_givens"
        elif recipe.minimal and not is_minimal(Grid(puzzle.tobytes())):
            failed = "minimal"  # a symmetry keeps givens together of which one could be spared
        else:
            return puzzle, solution
    raise RecipeError(failed, f"not met by any of {MOST_TRIES:,} grids")
