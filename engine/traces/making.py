"""The five published systems generating a puzzle, step by step: the solved grid, the holes, the
transformation.

A trace draws from the seed as `generate` does, so both result in the same puzzle.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final, Literal

import numpy as np
from numpy.typing import NDArray

from ..generation.dig import drawn_groups
from ..generation.generate import begun
from ..generation.methods import METHODS
from ..generation.recipe import Plan, Recipe
from ..generation.solved_grids import LAS_VEGAS_CELLS, MOST_NODES, MOST_SEARCHES
from ..generation.symmetry import Symmetry
from ..generation.transform import random_transformation
from ..geometry import PEERS
from ..grid import Grid
from ..kernels import uniform_grids
from ..kernels.rng import below, shuffle
from ..search import SEARCHERS
from ..search.bitboard import solution, solution_count
from ..transformation import Transformation
from .cover import steps_of
from .houses import Houses

State = NDArray[np.uint64]

MOST_COUNTED: Final = 1_000  # solutions of a growing layout; the paper only needs to know when one is left

Kind = Literal[
    "draw",  # Las Vegas: a random digit that the rules allow, in a random cell
    "box",  # a box of the diagonal, filled at random
    "row",  # exact cover: a row chosen at random
    "row_back",  # exact cover: a row taken back
    "again",  # no solution, so the grid is begun again
    "completed",  # the solver filled the rest
    "hole",  # a digit removed for good
    "kept",  # a rejected hole, which isn't tried again
    "given",  # growing: a digit added
    "skipped",  # growing: a cell where only one digit is possible, left empty
    "transposed",
    "rows",
    "columns",
    "digits",
]
Reason = Literal["givens", "line", "solution"]  # too few givens, too few in a line, a second solution


@dataclass(frozen=True, slots=True)
class Trial:
    """Another digit tried in a hole: it contradicts the cell `clash`, or the search, or nothing."""

    digit: int  # 1..9
    clash: int | None  # a cell of the same house with the digit; None: the solver was run
    solution: Grid | None  # the solver's result; None: a contradiction


@dataclass(frozen=True, slots=True)
class MakingStep:
    """One step, and the grid after it."""

    kind: Kind
    grid: Grid
    cells: tuple[int, ...] = ()  # written, emptied or tried
    reason: Reason | None = None  # for `kept`
    trials: tuple[Trial, ...] = ()  # for `hole` and `kept`: the other digits, up to the first with a solution
    solutions: int | None = None  # for `given` and `skipped`: solutions left, counted up to MOST_COUNTED


@dataclass(frozen=True, slots=True)
class MakingTrace:
    """How one system generated one puzzle."""

    key: str  # of the method
    recipe: Recipe
    seed: int
    discarded: int  # puzzles discarded because their own rating was another level
    order: tuple[int, ...]  # the cells in the order of trying; empty if nothing is dug
    plan: Plan  # where digging stops: `plan.stop_low` is the number drawn for this puzzle
    steps: tuple[MakingStep, ...]
    level: int | None  # by the method's own rating, if it has one

    @property
    def puzzle(self) -> Grid:
        """The generated puzzle."""
        return self.steps[-1].grid

    @property
    def measures(self) -> Mapping[str, float | None]:
        """Givens, holes dug and rejected, and digits tested with the solver."""
        kinds = [step.kind for step in self.steps]
        asked = sum(trial.clash is None for step in self.steps for trial in step.trials)
        found: dict[str, float | None] = {"givens": self.puzzle.givens, "again": kinds.count("again")}
        if self.order:
            found |= {"holes": kinds.count("hole"), "kept": kinds.count("kept"), "searches": asked}
        return found if self.level is None else found | {"level": self.level}

    def __len__(self) -> int:
        return len(self.steps)

    def grid_at(self, step: int) -> Grid:
        """Return the digits after a number of steps, 0 being the empty grid. IndexError beyond the last."""
        if not 0 <= step <= len(self.steps):
            raise IndexError(f"expected a step 0..{len(self.steps)}, found {step}")
        return self.steps[step - 1].grid if step else _EMPTY


def make(
    key: str,
    seed: int,
    *,
    paper_level: int | None = None,
    order: str | None = None,
    cells: int | None = None,
    stop: Callable[[], bool] = lambda: False,
) -> MakingTrace:
    """Generate the puzzle of a method and a seed, step by step.

    key: of METHODS. paper_level, order, cells: as in `Recipe`; a level that only a search for near misses
    reaches (a `Band`) and a level of a method that digs nothing are rejected. The Las Vegas grid is the
    paper's own: plain depth-first search completes it. Raises RecipeError, and OutOfTime once `stop` returns
    True.

    >>> make("exact_cover", 7).puzzle == generate(Recipe(method="exact_cover"), 7).grid
    True
    """
    recipe = recipe_of(key, paper_level=paper_level, order=order, cells=cells)
    method = METHODS[key]
    state, discarded = begun(recipe, seed, stop)
    steps = list(_GRIDS[key](state, recipe))
    stopped = recipe.plan()
    tried: tuple[int, ...] = ()
    if method.solved_grid is not None:
        stopped = replace(stopped, stop_low=_drawn_stop(stopped, state))
        tried = tuple(int(cell) for (cell,) in drawn_groups(stopped.order, Symmetry.NONE, state))
        steps += _dug(steps[-1].grid, tried, stopped)
    if recipe.transformed:
        steps += _transformed(steps[-1].grid, random_transformation(state))
    return MakingTrace(
        key=key,
        recipe=recipe,
        seed=seed,
        discarded=discarded,
        order=tried,
        plan=stopped,
        steps=tuple(steps),
        level=method.grade(steps[-1].grid),
    )


def recipe_of(
    key: str, *, paper_level: int | None = None, order: str | None = None, cells: int | None = None
) -> Recipe:
    """Return the recipe that `make` follows."""
    plain = "las_vegas_plain" if METHODS[key].solved_grid == "las_vegas" else None
    return Recipe(method=key, solved_grid=plain, paper_level=paper_level, order=order, cells=cells)


_EMPTY: Final = Grid(bytes(81))


def _drawn_stop(plan: Plan, state: State) -> int:
    return plan.stop_low + below(state, plan.stop_high - plan.stop_low + 1)


def _las_vegas(state: State, recipe: Recipe) -> Iterator[MakingStep]:
    """Fill random cells with random digits until depth-first search completes them."""
    wanted = LAS_VEGAS_CELLS if recipe.cells is None else recipe.cells
    while True:
        houses, places = Houses(_EMPTY), np.arange(81)
        shuffle(state, places)
        complete = None
        for cell in places[:wanted].tolist():
            allowed = houses.candidates(cell)
            if not allowed:
                break
            houses.put(cell, allowed[below(state, len(allowed))])
            yield MakingStep("draw", _grid(houses), (cell,))
        else:
            found = SEARCHERS["depth_first"](_grid(houses), 1, MOST_SEARCHES)
            complete = found.solutions[0] if found.solutions else None
        if complete is not None:
            yield MakingStep("completed", complete)
            return
        yield MakingStep("again", _EMPTY)


def _diagonal(state: State) -> Iterator[MakingStep]:
    """Fill the three boxes of the diagonal, each at random."""
    digits, out = np.arange(1, 10), bytearray(81)
    for box in range(3):
        shuffle(state, digits)
        cells = tuple(30 * box + 9 * (place // 3) + place % 3 for place in range(9))
        for cell, digit in zip(cells, digits.tolist(), strict=True):
            out[cell] = digit
        yield MakingStep("box", Grid(bytes(out)), cells)


def _diagonal_boxes(state: State, _recipe: Recipe) -> Iterator[MakingStep]:
    """Fill the diagonal, then take one of its solutions, all equally likely."""
    steps = list(_diagonal(state))
    yield from steps
    out = steps[-1].grid.array()
    uniform_grids.complete_diagonal(state, uniform_grids.corners(), out)
    yield MakingStep("completed", Grid(out.tobytes()))


def _linked_boxes(state: State, _recipe: Recipe) -> Iterator[MakingStep]:
    """Fill the diagonal, then solve the exact cover with the rows of each column in random order."""
    while True:
        steps = list(_diagonal(state))
        yield from steps
        digits, nodes = bytearray(steps[-1].grid.digits), 0
        for each in steps_of(steps[-1].grid, 1, partial(_shuffled, state)):
            nodes = each.nodes
            if each.kind not in ("row", "row_back", "solution") or nodes > MOST_NODES:
                continue
            if each.row is None:
                yield MakingStep("completed", Grid(bytes(digits)))
                return
            digits[each.row // 9] = each.row % 9 + 1 if each.covers else 0
            yield MakingStep("row" if each.covers else "row_back", Grid(bytes(digits)), (each.row // 9,))
        yield MakingStep("again", _EMPTY)


def _shuffled(state: State, rows: list[int]) -> list[int]:
    drawn = np.array(rows, np.int64)
    shuffle(state, drawn)
    return list(drawn.tolist())


def _grown(state: State, recipe: Recipe) -> Iterator[MakingStep]:
    """Put digits of solutions into random cells of an empty grid until one solution is left."""
    plan = recipe.plan()
    _drawn_stop(plan, state)  # `generate` draws it for every method
    digits = bytearray(81)
    for (cell,) in drawn_groups(plan.order, Symmetry.NONE, state).tolist():
        before = Grid(bytes(digits))
        choices = np.arange(1, 10)
        shuffle(state, choices)
        allowed = Houses(before).candidates(cell)
        able = [digit for digit in choices.tolist() if digit in allowed and _fits(before, cell, digit)]
        if len(able) == 1:  # it rules nothing out
            yield MakingStep("skipped", before, (cell,), solutions=solution_count(before, MOST_COUNTED))
            continue
        digits[cell] = able[0]
        after = Grid(bytes(digits))
        left = solution_count(after, MOST_COUNTED)
        yield MakingStep("given", after, (cell,), solutions=left)
        if left == 1:
            return


def _fits(grid: Grid, cell: int, digit: int) -> bool:
    return solution(_with(grid, cell, digit)) is not None


def _dug(solved: Grid, order: tuple[int, ...], plan: Plan) -> Iterator[MakingStep]:
    """Try each cell once: a removal that gave a second solution would do so later too."""
    grid = solved
    for cell in order:
        dug = _with(grid, cell, 0)
        if dug.givens < plan.stop_low:
            yield MakingStep("kept", grid, (cell,), reason="givens")
            return  # so would all that follow
        row, column = cell // 9, cell % 9
        in_row = sum(map(bool, dug.digits[9 * row : 9 * row + 9]))
        in_column = sum(map(bool, dug.digits[column::9]))
        if min(in_row, in_column) < plan.fewest_in_line:
            yield MakingStep("kept", grid, (cell,), reason="line")
            continue
        trials = tuple(_trials(dug, cell, solved[cell]))
        if trials[-1].solution is not None:
            yield MakingStep("kept", grid, (cell,), "solution", trials)
            continue
        grid = dug
        yield MakingStep("hole", grid, (cell,), trials=trials)


def _trials(dug: Grid, cell: int, own: int) -> Iterator[Trial]:
    """Try the eight other digits in order, up to the first that has a solution."""
    for digit in range(1, 10):
        if digit == own:
            continue
        clash = next((peer for peer in PEERS[cell] if dug[peer] == digit), None)
        found = solution(_with(dug, cell, digit)) if clash is None else None
        yield Trial(digit, clash, found)
        if found is not None:
            return


def _transformed(grid: Grid, drawn: Transformation) -> Iterator[MakingStep]:
    """Apply the four kinds of equivalence transformation, one after the other."""
    parts: list[tuple[Kind, dict[str, Any]]] = [
        ("transposed", {"transposed": drawn.transposed}),
        ("rows", {"rows": drawn.rows}),
        ("columns", {"columns": drawn.columns}),
        ("digits", {"digits": drawn.digits}),
    ]
    for kind, part in parts:
        image = Transformation(**part).apply(grid)
        if kind != "transposed" or drawn.transposed:
            yield MakingStep(kind, image)
        grid = image


def _grid(houses: Houses) -> Grid:
    return Grid(bytes(houses.digits))


def _with(grid: Grid, cell: int, digit: int) -> Grid:
    digits = bytearray(grid.digits)
    digits[cell] = digit
    return Grid(bytes(digits))


_GRIDS: Final[Mapping[str, Callable[[State, Recipe], Iterator[MakingStep]]]] = {
    "dig_hole": _las_vegas,
    "weighted_rules": _diagonal_boxes,
    "exact_cover": _linked_boxes,
    "min_candidates": _grown,
    "propagation": _las_vegas,
}
