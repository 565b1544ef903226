"""generate: from a recipe and a seed to a puzzle. The numbers live in `methods`, the wishes in `recipe`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.errors import RecipeError
from engine.generation import grow
from engine.generation.dig import Order, dig, drawn_groups, groups_of
from engine.generation.methods import METHODS, Method
from engine.generation.recipe import Plan, Puzzle, Recipe
from engine.generation.solved_grids import SOLVED_GRIDS
from engine.generation.symmetry import Symmetry
from engine.generation.to_order import MOST_JUDGED, Search, Way, aim_of
from engine.generation.transform import redraw, rename
from engine.grid import Grid
from engine.kernels.rng import below, seeded
from engine.minimality import is_minimal
from engine.search.bitboard import solution as solution_of

State = NDArray[np.uint64]
Digits = NDArray[np.uint8]

MOST_TRIES: Final = 10_000  # puzzles made before a recipe counts as one that cannot be met: some seconds
MOST_MISFITS: Final = 20  # beginnings in a pattern that came to nothing, 2,000 steps each: as long
MOST_PATTERNS: Final = 200  # patterns with a symmetry tried where digging came to no minimal puzzle
PATTERN_SIZES: Final = (20, 26)  # of those: what has one solution is often minimal there


def _never() -> bool:
    return False


def generate(recipe: Recipe, seed: int, stop: Callable[[], bool] = _never) -> Puzzle:
    """A puzzle with one solution; the same recipe and seed give the same puzzle on every machine.

    Raises RecipeError naming the field that none of many tries, some seconds' worth, could meet. `stop` is
    asked again and again while a rating is aimed at; once it says yes, OutOfTime is raised.
    """
    state = seeded(seed)
    method, plan = METHODS[recipe.method], recipe.plan()
    failed = ""
    search = _search(recipe, state, stop)
    for puzzle in _tries(recipe, method, plan, state):
        if puzzle is None:
            failed = failed or ("pattern" if recipe.pattern is not None else "paper_level")
            continue
        if search is not None:
            if search.judged > MOST_JUDGED:
                raise RecipeError(search.aim.field, f"not met by any of {search.judged} puzzles rated")
            puzzle = search.near(puzzle)
            if puzzle is None:
                failed = search.aim.field
                continue
        failed = _failing(recipe, method, plan, puzzle)
        if failed:
            continue
        finished = _finished(recipe, seed, method, state, puzzle)
        # An image of a puzzle is hardly ever rated otherwise, but it happens.
        if search is None or search.meets(finished.grid):
            return finished
        failed = search.aim.field
    raise RecipeError(failed, "not met by any of the puzzles tried")


def _search(recipe: Recipe, state: State, stop: Callable[[], bool]) -> Search | None:
    """What aims where the recipe asks for a rating."""
    aim = aim_of(recipe)
    if aim is None:
        return None
    way = Way.FIXED if recipe.pattern is not None else Way.MINIMAL if recipe.minimal else Way.CHAIN
    groups = groups_of(Order.RANDOM, Symmetry(recipe.symmetry))
    return Search(aim, way, state, groups, (recipe.fewest_givens or 0, 0), stop)


def _tries(recipe: Recipe, method: Method, plan: Plan, state: State) -> Iterator[Digits | None]:
    """Puzzles with one solution that may still fail the recipe; None for a try that came to nothing."""
    symmetry, misfits = Symmetry(recipe.symmetry), 0
    for _ in range(MOST_TRIES):
        if recipe.pattern is None:
            yield _made(recipe, method, plan, state)
        else:
            fitted = grow.fitted(_solved_grid(recipe, method, state), recipe.pattern, state)
            yield fitted
            misfits += fitted is None
            if misfits == MOST_MISFITS:
                return
    if recipe.minimal and recipe.pattern is None:  # a symmetry of many cells leaves digging little choice
        for _ in range(MOST_PATTERNS):
            pattern = _symmetric_pattern(symmetry, state)
            yield grow.fitted(_solved_grid(recipe, method, state), pattern, state)


def _solved_grid(recipe: Recipe, method: Method, state: State) -> Digits:
    maker = recipe.solved_grid or method.solved_grid
    return grow.grown_grid(state) if maker is None else SOLVED_GRIDS[maker](state)


def _made(recipe: Recipe, method: Method, plan: Plan, state: State) -> Digits | None:
    symmetry = Symmetry(recipe.symmetry)
    if method.solved_grid is not None:
        solution = _solved_grid(recipe, method, state)
        stop = _drawn_stop(plan, state)
        return dig(solution, drawn_groups(plan.order, symmetry, state), stop, plan.fewest_in_line)
    wanted = None if recipe.minimal else recipe.paper_level
    grown = grow.grown(state, symmetry, _drawn_stop(plan, state), wanted, method.grade)
    return grow.pared(state, symmetry, grown) if recipe.minimal and grown is not None else grown


def _symmetric_pattern(symmetry: Symmetry, state: State) -> list[int]:
    """Random cells with a symmetry, as many as a minimal puzzle may have."""
    low, high = PATTERN_SIZES
    size = low + below(state, high - low + 1)
    pattern: list[int] = []
    for group in drawn_groups(Order.RANDOM, symmetry, state).tolist():
        cells = [cell for cell in group if cell >= 0]
        if len(pattern) + len(cells) <= size:
            pattern += cells
    return pattern


def _drawn_stop(plan: Plan, state: State) -> int:
    return plan.stop_low + below(state, plan.stop_high - plan.stop_low + 1)


def _failing(recipe: Recipe, method: Method, plan: Plan, puzzle: Digits) -> str:
    """The field of the recipe that a puzzle does not meet, or ''."""
    givens = int(np.count_nonzero(puzzle))
    if recipe.pattern is None and givens > plan.most:
        return "most_givens"
    if recipe.pattern is None and givens < plan.fewest:
        return "fewest_givens"
    grid = Grid(puzzle.tobytes())
    # A symmetry or a pattern keeps givens of which one could be spared; without them each has had its try.
    tied = recipe.symmetry != Symmetry.NONE.value or recipe.pattern is not None
    if recipe.minimal and tied and not is_minimal(grid):
        return "minimal"
    if (
        recipe.paper_level is not None
        and method.grade is not None
        and method.grade(grid) != recipe.paper_level
    ):
        return "paper_level"
    return ""


def _finished(recipe: Recipe, seed: int, method: Method, state: State, puzzle: Digits) -> Puzzle:
    if recipe.pattern is not None:
        rename(state, puzzle)
    elif method.transformed:
        redraw(state, Symmetry(recipe.symmetry), puzzle)
    grid = Grid(puzzle.tobytes())
    solved = solution_of(grid)
    assert solved is not None
    return Puzzle(grid, solved, recipe, seed)
