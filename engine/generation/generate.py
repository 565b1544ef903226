"""generate: from a recipe and a seed to a puzzle. The numbers are in `methods`, the requirements in
`recipe`.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator
from dataclasses import replace
from time import monotonic
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ..arguments import MOST_SECONDS, function, instance, number, whole
from ..errors import ArgumentError, OutOfTime, RecipeError
from ..grid import Grid
from ..kernels import bitboard
from ..kernels.fewer import fewer
from ..kernels.rng import below, seeded
from ..search.bitboard import solution as solution_of
from ..uniqueness import is_minimal
from . import grow
from .dig import Order, dig, drawn_groups
from .methods import METHODS, Method
from .recipe import TO_ORDER, Plan, Puzzle, Recipe
from .solved_grids import SOLVED_GRIDS, las_vegas
from .symmetry import ANY, Symmetry
from .to_order import MOST_JUDGED, MOST_JUDGED_HARD, Nearest, Search, Way, aim_of
from .transform import redraw, rename

State = NDArray[np.uint64]
Digits = NDArray[np.uint8]

MOST_TRIES: Final = 10_000  # puzzles before a recipe counts as impossible: some seconds
MOST_AIMED: Final = 100_000  # the same if they are rated and changed: a minute or more
MOST_OF_LEVEL: Final = 1_000_000  # the same for a paper level: B's third is one in 80,000
MOST_MISFITS: Final = 60  # fruitless starts in a pattern: under a minute
MOST_PATTERNS: Final = 200  # patterns with a symmetry tried if digging gave no minimal puzzle
PATTERN_SIZES: Final = (20, 26)  # of those: puzzles with one solution are often minimal there
# Random digging ends at 24 givens on average, and at 20 once in a million puzzles. But a puzzle of 21 without
# two of its givens has some hundred solutions, and a digit that only one of them has in its cell makes a
# puzzle of 20. If no two givens can be replaced, one is exchanged for another.
MOST_REDUCED: Final = 20  # puzzles whose givens are replaced two by one when few are requested
MOST_EXCHANGES: Final = 100  # of givens: some seconds; 19 givens took at most 47 in ten puzzles
MOST_SOLUTIONS: Final = 600  # that are examined; two givens that leave more stay


ANYTHING: Final = Recipe()


def _never() -> bool:
    return False


def generate(
    recipe: Recipe = ANYTHING,
    seed: int | None = None,
    stop: Callable[[], bool] = _never,
    nearest: Nearest | None = None,
    *,
    seconds: float | None = None,
    **wanted: Any,
) -> Puzzle:
    """Return a puzzle with one solution; the same recipe and seed give the same puzzle on every machine.

    recipe: by default any puzzle. seed: by default random; the puzzle records it.
    seconds: a time limit; then OutOfTime is raised, whose `nearest` is the nearest puzzle.
    wanted: the fields of a recipe by name, instead of one. An ER above 9.4 is searched for beside seven known
    puzzles; if that finds no other, one of them is returned with digits renamed and lines reordered.

    >>> generate(level=2, seed=1) == generate(Recipe(level=2), 1)
    True

    Raises RecipeError naming the field that no try within recipe.effort could meet; its `nearest` is the
    nearest puzzle, with its givens, ER and hardest technique. `stop` is called before every try, every rating
    and every search of a method's own solver; OutOfTime is raised when it returns True. `nearest` receives
    every rating.
    """
    instance("recipe", recipe, Recipe)
    if wanted:
        if recipe is not ANYTHING:
            raise ArgumentError("recipe", "expected a Recipe or fields by name, found both")
        recipe = Recipe.of(wanted)
    seed = secrets.randbits(63) if seed is None else whole("seed", seed)
    if stop is not _never:
        function("stop", stop, takes=0)
    nearest = Nearest() if nearest is None else nearest
    instance("nearest", nearest, Nearest)
    method = METHODS[recipe.method]
    if seconds is None:
        return generate_by(method, recipe, seed, stop, nearest)
    end = monotonic() + number("seconds", seconds, 0.0, MOST_SECONDS)
    try:
        return generate_by(method, recipe, seed, lambda: stop() or monotonic() > end, nearest)
    except OutOfTime:
        if not nearest.puzzle:  # nothing was rated in that time, so any puzzle is as near
            nearest.keep(generate(seed=seed).grid.array(), more=False)
        found = nearest.found()
        near = f"; the nearest was {found}" if found else ""
        raise OutOfTime(
            f"expected a puzzle that matches within {seconds:g} s, found none{near}", found
        ) from None


def generate_by(
    method: Method,
    recipe: Recipe,
    seed: int,
    stop: Callable[[], bool] = _never,
    nearest: Nearest | None = None,
) -> Puzzle:
    """Do what `generate` does with the method of a recipe, which may be varied."""
    nearest = Nearest() if nearest is None else nearest
    if recipe.symmetry == ANY:
        choice = recipe.symmetries
        recipe = replace(recipe, symmetry=choice[below(seeded(seed), len(choice))].value)
    state = seeded(seed)
    plan = planned(method, recipe)
    failed = ""
    search = _search(recipe, plan, state, stop, nearest)
    most = MOST_OF_LEVEL if recipe.paper_level is not None else MOST_TRIES
    tries = recipe.effort * (most if search is None else MOST_AIMED)
    for tried, (made, puzzle) in enumerate(_tries(recipe, method, plan, state, seed, stop, tries)):
        if puzzle is None:
            failed = failed or "paper_level"
            continue
        if recipe.pattern is not None and np.count_nonzero(puzzle) > len(recipe.pattern):
            failed = failed or "pattern"
            nearest.keep(puzzle, more=False)
            continue
        if search is not None:
            most = MOST_JUDGED_HARD if search.aim.hard else MOST_JUDGED
            if search.judged > most * recipe.effort:
                raise RecipeError(
                    search.aim.field,
                    "expected a puzzle that matches, found none among %(judged)s rated",
                    nearest=nearest.found(),
                    judged=search.judged,
                )
            near = search.near(puzzle)
            if near is None:
                failed = search.aim.field
                continue
            if near is not puzzle:
                made = TO_ORDER  # givens were put back and dug again, which none of the systems does
            puzzle = near
        failed = _failing(recipe, plan, puzzle)
        if failed:
            if search is None:
                nearest.keep(puzzle, more=failed == "fewest_givens")
            continue
        if not recipe.keeps_level or recipe.symmetry != Symmetry.NONE.value:
            made = TO_ORDER
        finished = _finished(method, recipe, seed_of_try(recipe, seed, tried), made, state, puzzle)
        # the method's own rating, if any
        rated = recipe.paper_level is not None and method.rating is not None
        if rated and method.grade(finished.grid) != recipe.paper_level:
            failed = "paper_level"
        elif search is None or search.meets(finished.grid):
            return finished
        else:
            failed = search.aim.field
    if failed == "paper_level":
        raise RecipeError(
            failed,
            "expected %(paper_level)s, found none among the puzzles tried",
            nearest=nearest.found(),
            paper_level=recipe.paper_level,
        )
    raise RecipeError(
        failed, "expected a puzzle that matches, found none among those tried", nearest=nearest.found()
    )


def planned(method: Method, recipe: Recipe) -> Plan:
    """Return how to dig for a recipe, in a varied method's own order."""
    plan = recipe.plan()
    return plan if method.order is None else replace(plan, order=method.order)


def seed_of_try(recipe: Recipe, seed: int, tried: int) -> int:
    """Return the seed that the puzzle of a try from 0 records.

    Each try for a paper level has a seed of its own, so that making its puzzle again discards nothing.
    """
    return seed if recipe.paper_level is None else seed + (tried << 32)


def _search(
    recipe: Recipe, plan: Plan, state: State, stop: Callable[[], bool], nearest: Nearest
) -> Search | None:
    """Run the search that fits the recipe: an aimed one if it asks for a rating."""
    aim = aim_of(recipe)
    if aim is None:
        return None
    way = Way.MINIMAL if recipe.minimal else Way.CHAIN
    if recipe.pattern is not None:
        way = Way.FIXED
    elif aim.hard and recipe.free:
        way = Way.EXCHANGE
    return Search(aim, way, state, plan, Symmetry(recipe.symmetry), stop, nearest)


def _tries(
    recipe: Recipe,
    method: Method,
    plan: Plan,
    state: State,
    seed: int,
    stop: Callable[[], bool],
    tries: int,
) -> Iterator[tuple[str, Digits | None]]:
    """Yield at most `tries` puzzles with one solution that may still fail the recipe, each with its method.

    If a pattern led to none, yields one with more givens than the pattern; None for any other failed try.
    Raises OutOfTime once `stop` returns True.
    """
    symmetry, misfits, reduced = Symmetry(recipe.symmetry), 0, 0
    for tried in range(tries):
        if stop():
            raise OutOfTime
        if recipe.paper_level is not None:
            state[:] = seeded(seed_of_try(recipe, seed, tried))
        if recipe.few and method.own is None:
            made = _made(recipe, method, plan, state, stop)
            if made is None:
                continue
            fewest = 0 if recipe.minimal else plan.fewest
            stack, solutions = bitboard.workspace(), np.empty((MOST_SOLUTIONS, 81), np.uint8)
            for _ in range(MOST_EXCHANGES * recipe.effort):
                if stop() or not fewer(state, fewest, plan.most, solutions, stack, made):
                    break
            yield TO_ORDER, made
            reduced += 1
            if reduced == MOST_REDUCED:
                return
        elif recipe.pattern is None:
            yield method.key, _made(recipe, method, plan, state, stop)
        else:
            fitted, left = grow.fitted(_solved_grid(method, state), recipe.pattern, state)
            yield TO_ORDER, fitted if left == 1 else grow.completed(fitted, state)
            misfits += left > 1
            if misfits == MOST_MISFITS * recipe.effort:
                return
    if recipe.minimal and recipe.pattern is None:  # a large symmetry leaves digging little choice
        for _ in range(MOST_PATTERNS * recipe.effort):
            if stop():
                raise OutOfTime
            pattern = _symmetric_pattern(symmetry, state)
            fitted, left = grow.fitted(_solved_grid(method, state), pattern, state)
            yield TO_ORDER, fitted if left == 1 else None


def _solved_grid(method: Method, state: State) -> Digits:
    if method.solved_grid is None:
        return grow.grown_grid(state)
    return SOLVED_GRIDS[method.solved_grid](state) if method.cells is None else las_vegas(state, method.cells)


def _made(
    recipe: Recipe, method: Method, plan: Plan, state: State, stop: Callable[[], bool]
) -> Digits | None:
    symmetry = Symmetry(recipe.symmetry)
    if method.solved_grid is not None:
        solution = _solved_grid(method, state)
        bounds = plan.drawn_stop(state), plan.fewest_in_line
        groups = drawn_groups(plan.order, symmetry, state)
        return dig(solution, groups, *bounds, plan.fewest_in_box)
    wanted = None if recipe.minimal else recipe.paper_level
    fewest = plan.drawn_stop(state)
    if method.own is None:
        grown = grow.grown(state, symmetry, fewest, wanted, method.grade)
    else:
        grown = method.own(state, wanted, stop)
    return grow.pared(state, symmetry, grown) if recipe.minimal and grown is not None else grown


def _symmetric_pattern(symmetry: Symmetry, state: State) -> list[int]:
    """Return random cells with a symmetry, as many as a minimal puzzle may have."""
    low, high = PATTERN_SIZES
    size = low + below(state, high - low + 1)
    pattern: list[int] = []
    for group in drawn_groups(Order.RANDOM, symmetry, state).tolist():
        cells = [cell for cell in group if cell >= 0]
        if len(pattern) + len(cells) <= size:
            pattern += cells
    return pattern


def _failing(recipe: Recipe, plan: Plan, puzzle: Digits) -> str:
    """Return the recipe's field that a puzzle doesn't meet, or ''."""
    grid = Grid(puzzle.tobytes())
    if recipe.pattern is None and not plan.allows(grid):
        if recipe.level is not None and recipe.keeps_level:
            return "level"
        return "most_givens" if grid.givens > plan.most else "fewest_givens"
    # A symmetry or pattern may keep a redundant given; without them each has been tried.
    tied = recipe.symmetry != Symmetry.NONE.value or recipe.pattern is not None
    if recipe.minimal and tied and not is_minimal(grid):
        return "minimal"
    return ""


def _finished(method: Method, recipe: Recipe, seed: int, made: str, state: State, puzzle: Digits) -> Puzzle:
    if recipe.pattern is not None:
        rename(state, puzzle)
    elif method.transformed:
        redraw(state, Symmetry(recipe.symmetry), puzzle)
    grid = Grid(puzzle.tobytes())
    solved = solution_of(grid)
    assert solved is not None
    return Puzzle(grid, solved, recipe, seed, made)
