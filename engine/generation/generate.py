"""generate: from a recipe and a seed to a puzzle. The numbers live in `methods`, the wishes in `recipe`."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.arguments import function, instance, whole
from engine.errors import RecipeError
from engine.generation import few, grow
from engine.generation.dig import Order, dig, dig_with, drawn_groups
from engine.generation.methods import METHODS, Method
from engine.generation.recipe import TO_ORDER, Plan, Puzzle, Recipe
from engine.generation.solved_grids import SOLVED_GRIDS
from engine.generation.symmetry import ANY, Symmetry
from engine.generation.to_order import MOST_JUDGED, MOST_JUDGED_HARD, Nearest, OutOfTime, Search, Way, aim_of
from engine.generation.transform import redraw, rename
from engine.grid import Grid
from engine.kernels.rng import below, seeded
from engine.minimality import is_minimal
from engine.search import SEARCHERS, Searcher
from engine.search.bitboard import solution as solution_of
from engine.search.searcher import MOST_NODES, SearchResult

State = NDArray[np.uint64]
Digits = NDArray[np.uint8]

MOST_TRIES: Final = 10_000  # puzzles made before a recipe counts as one that cannot be met: some seconds
MOST_GRADED: Final = 3_000  # of those, puzzles that only their own method's rating refused
MOST_MISFITS: Final = 60  # beginnings in a pattern that came to nothing: under a minute
MOST_PATTERNS: Final = 200  # patterns with a symmetry tried where digging came to no minimal puzzle
PATTERN_SIZES: Final = (20, 26)  # of those: what has one solution is often minimal there
MOST_REDUCED: Final = 3  # puzzles that givens are taken from, two for one, where few are asked for


ANYTHING: Final = Recipe()


def _never() -> bool:
    return False


def generate(
    recipe: Recipe = ANYTHING,
    seed: int | None = None,
    stop: Callable[[], bool] = _never,
    nearest: Nearest | None = None,
) -> Puzzle:
    """A puzzle with one solution; the same recipe and seed give the same puzzle on every machine.

    recipe: by default any puzzle.  seed: by default a random one, which the puzzle has as its seed.
    Raises RecipeError naming the field that none of as many tries as recipe.effort allows could meet; its
    `nearest` is the puzzle that came nearest, with its givens, ER and hardest technique. `stop` is asked
    before every try, every rating and every search of a method's own solver; once it says yes, OutOfTime is
    raised. `nearest` is told of every rating.
    """
    instance("recipe", recipe, Recipe)
    seed = secrets.randbits(63) if seed is None else whole("seed", seed)
    if stop is not _never:
        function("stop", stop, takes=0)
    nearest = Nearest() if nearest is None else nearest
    instance("nearest", nearest, Nearest)
    recipe, state = _with_one_symmetry(recipe, seed), seeded(seed)
    method, plan = METHODS[recipe.method], recipe.plan()
    failed, graded = "", 0
    search = _search(recipe, plan, state, stop, nearest)
    for made, puzzle in _tries(recipe, method, plan, state, stop):
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
            if near is not puzzle and recipe.band is None:
                made = TO_ORDER  # it has givens put back and dug again, which none of the systems does
            puzzle = near
        failed = _failing(recipe, plan, puzzle)
        if failed:
            if search is None:
                nearest.keep(puzzle, more=failed == "fewest_givens")
            continue
        if not recipe.keeps_level or recipe.symmetry != Symmetry.NONE.value:
            made = TO_ORDER
        finished = _finished(recipe, seed, made, state, puzzle)
        # An image of a puzzle is hardly ever rated otherwise, but by a plain search it often is.
        if not _has_level(recipe, method, finished.grid):
            failed, graded = "paper_level", graded + 1
            if graded == MOST_GRADED * recipe.effort:
                break
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


def _with_one_symmetry(recipe: Recipe, seed: int) -> Recipe:
    """The recipe, with one of the symmetries it leaves to choose from."""
    if recipe.symmetry != ANY:
        return recipe
    choice = recipe.symmetries
    return replace(recipe, symmetry=choice[below(seeded(seed), len(choice))].value)


def _search(
    recipe: Recipe, plan: Plan, state: State, stop: Callable[[], bool], nearest: Nearest
) -> Search | None:
    """What aims where the recipe asks for a rating."""
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
    recipe: Recipe, method: Method, plan: Plan, state: State, stop: Callable[[], bool]
) -> Iterator[tuple[str, Digits | None]]:
    """Puzzles with one solution that may still fail the recipe, each with what made it.

    One with more givens than the pattern has where that led to none; None for another try that came to
    nothing. Raises OutOfTime once `stop` says yes.
    """
    symmetry, misfits, reduced = Symmetry(recipe.symmetry), 0, 0
    own = None if recipe.search == "ours" else _until(stop, SEARCHERS[method.solver])
    for _ in range(MOST_TRIES * recipe.effort):
        if stop():
            raise OutOfTime
        if recipe.few:
            made = _made(recipe, method, plan, state, own)
            if made is None:
                continue
            fewest = 0 if recipe.minimal else plan.fewest
            exchanges = few.MOST_EXCHANGES * recipe.effort
            yield TO_ORDER, few.reduced(state, made, fewest, plan.most, exchanges, stop)
            reduced += 1
            if reduced == MOST_REDUCED:
                return
        elif recipe.pattern is None:
            yield method.key, _made(recipe, method, plan, state, own)
        else:
            fitted, left = grow.fitted(_solved_grid(recipe, method, state), recipe.pattern, state)
            yield TO_ORDER, fitted if left == 1 else grow.completed(fitted, state)
            misfits += left > 1
            if misfits == MOST_MISFITS * recipe.effort:
                return
    if recipe.minimal and recipe.pattern is None:  # a symmetry of many cells leaves digging little choice
        for _ in range(MOST_PATTERNS * recipe.effort):
            if stop():
                raise OutOfTime
            pattern = _symmetric_pattern(symmetry, state)
            fitted, left = grow.fitted(_solved_grid(recipe, method, state), pattern, state)
            yield TO_ORDER, fitted if left == 1 else None


def _until(stop: Callable[[], bool], searcher: Searcher) -> Searcher:
    """A searcher that raises OutOfTime once `stop` says yes; digging with it ends early in no other way."""

    def search(grid: Grid, limit: int = 2, most_nodes: int = MOST_NODES) -> SearchResult:
        if stop():
            raise OutOfTime
        return searcher(grid, limit, most_nodes)

    return search


def _solved_grid(recipe: Recipe, method: Method, state: State) -> Digits:
    maker = recipe.solved_grid or method.solved_grid
    return grow.grown_grid(state) if maker is None else SOLVED_GRIDS[maker](state)


def _made(recipe: Recipe, method: Method, plan: Plan, state: State, own: Searcher | None) -> Digits | None:
    symmetry = Symmetry(recipe.symmetry)
    if method.solved_grid is not None:
        solution = _solved_grid(recipe, method, state)
        bounds = _drawn_stop(plan, state), plan.fewest_in_line
        groups = drawn_groups(plan.order, symmetry, state)
        if own is None:
            return dig(solution, groups, *bounds, plan.fewest_in_box)
        return dig_with(own, Grid(solution.tobytes()), groups, *bounds).array()
    wanted = None if recipe.minimal else recipe.paper_level
    grown = grow.grown(state, symmetry, _drawn_stop(plan, state), wanted, method.grade, own)
    return grow.pared(state, symmetry, grown, own) if recipe.minimal and grown is not None else grown


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


def _has_level(recipe: Recipe, method: Method, grid: Grid) -> bool:
    """Whether the method's own rating, where it has one, gives a puzzle the paper's level asked for."""
    checked = recipe.paper_level is not None and method.checks(recipe.variant)
    return not checked or method.grade(grid) == recipe.paper_level


def _failing(recipe: Recipe, plan: Plan, puzzle: Digits) -> str:
    """The field of the recipe that a puzzle does not meet, or ''."""
    grid = Grid(puzzle.tobytes())
    if recipe.pattern is None and not plan.allows(grid):
        if recipe.level is not None and recipe.keeps_level:
            return "level"
        return "most_givens" if grid.givens > plan.most else "fewest_givens"
    # A symmetry or a pattern keeps givens of which one could be spared; without them each has had its try.
    tied = recipe.symmetry != Symmetry.NONE.value or recipe.pattern is not None
    if recipe.minimal and tied and not is_minimal(grid):
        return "minimal"
    return ""


def _finished(recipe: Recipe, seed: int, made: str, state: State, puzzle: Digits) -> Puzzle:
    if recipe.pattern is not None:
        rename(state, puzzle)
    elif recipe.transformed:
        redraw(state, Symmetry(recipe.symmetry), puzzle)
    grid = Grid(puzzle.tobytes())
    solved = solution_of(grid)
    assert solved is not None
    return Puzzle(grid, solved, recipe, seed, made)
