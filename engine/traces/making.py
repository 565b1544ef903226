"""The five published systems generating a puzzle, step by step: the solved grid, the holes, the
transformation.

`generate` makes the puzzle first, which says how many others are discarded because their own rating was
another level. The trace then draws from the same seed and results in the same puzzle.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from ..errors import OutOfTime, RecipeError
from ..generation.dig import Order, drawn_groups
from ..generation.generate import generate_by, planned
from ..generation.grow import MOST_STEPS_BACK, reached
from ..generation.methods import METHODS, Method
from ..generation.recipe import Plan, Recipe
from ..generation.solved_grids import LAS_VEGAS_CELLS, MOST_NODES, MOST_SEARCHES, SOLVED_GRIDS
from ..generation.symmetry import Symmetry
from ..generation.transform import random_transformation
from ..geometry import HOUSES, PEERS
from ..grid import Grid
from ..kernels import uniform_grids
from ..kernels.rng import below, seeded, shuffle
from ..search import SEARCHERS, Searcher, SearchResult
from ..search.bitboard import solution, solution_count
from ..transformation import Transformation
from .cover import steps_of
from .houses import Houses
from .rounds import RoundsTrace, rounds, rounds_of

State = NDArray[np.uint64]
Digits = NDArray[np.uint8]

MOST_LAYOUTS: Final = 20_000  # of D's own search, which may get lost if a few givens conflict
MOST_COUNTED: Final = 1_000  # solutions of a growing layout; the paper only needs to know when one is left

Kind = Literal[
    "draw",  # Las Vegas: a random digit that the rules allow, in a random cell
    "box",  # a box of the diagonal, filled at random
    "row",  # exact cover: a row chosen at random, of the column with the fewest
    "row_back",  # exact cover: a row taken back
    "again",  # no solution, so the grid is begun again
    "shifted",  # exact cover: a box with the digits of the center box, its lines moved
    "round",  # propagation: a round of the cells with one possibility
    "completed",  # the solver filled the rest
    "hole",  # a digit removed for good
    "kept",  # a rejected hole, which isn't tried again
    "given",  # growing: a digit added
    "skipped",  # growing: a cell where only one digit is possible, left empty
    "eased",  # growing: a digit added to a puzzle that is too hard
    "withdrawn",  # growing: half of the digits of a puzzle that is too easy, taken back
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
    solutions: int | None = None  # while growing: solutions left, counted up to MOST_COUNTED


@dataclass(frozen=True, slots=True)
class MakingTrace:
    """How one system generated one puzzle."""

    method: Method  # perhaps varied
    recipe: Recipe
    seed: int  # of the puzzle itself: with it, nothing is discarded
    discarded: int  # puzzles discarded because they were of another level
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

    @property
    def solved(self) -> Grid:
        """The solved grid, before it is dug or transformed; of a grown puzzle, its solution."""
        if not self.order:
            found = solution(self.puzzle)
            assert found is not None
            return found
        return next(step.grid for step in self.steps if step.kind == "completed")

    def outcomes(self, step: int) -> dict[int, Kind]:
        """Return `hole` or `kept` of the cells that were tried after a number of steps."""
        return {each.cells[0]: each.kind for each in self.steps[:step] if each.kind in ("hole", "kept")}

    def differing(self, step: int) -> frozenset[int]:
        """Return the cells where the second solution that a step found differs from the first."""
        trials = self.steps[step - 1].trials if step else ()
        second = trials[-1].solution if trials else None
        return frozenset(
            cell for cell in range(81) if second is not None and second[cell] != self.solved[cell]
        )

    def final_layouts(self, step: int, most: int) -> tuple[Grid, ...]:
        """Return all solutions after a number of steps; none if there are more than `most`."""
        found = SEARCHERS["bitboard"](self.grid_at(step), most + 1).solutions
        return tuple(found) if len(found) <= most else ()

    def completing(self) -> RoundsTrace:
        """Return how rounds and stack complete the solved grid of a method that has them."""
        first = next(at for at, each in enumerate(self.steps) if each.kind == "round")
        return rounds(self.grid_at(first))

    def cost(self, step: int, digit: int) -> int:
        """Return the nodes, up to 100,000, of the method's own search for another digit at a step."""
        dug = _with(self.grid_at(step - 1), self.steps[step - 1].cells[0], digit)
        return SEARCHERS[self.method.solver](dug, 1, 100_000).nodes

    def __len__(self) -> int:
        return len(self.steps)

    def grid_at(self, step: int) -> Grid:
        """Return the digits after a number of steps, 0 being the empty grid. IndexError beyond the last."""
        if not 0 <= step <= len(self.steps):
            raise IndexError(f"expected a step 0..{len(self.steps)}, found {step}")
        return self.steps[step - 1].grid if step else _EMPTY


def make(
    recipe: Recipe, seed: int, stop: Callable[[], bool] = lambda: False, method: Method | None = None
) -> MakingTrace:
    """Generate the puzzle of a system's recipe and a seed, step by step.

    recipe: with nothing but method and paper_level. method: as `system` varies it; by default the recipe's.
    Raises RecipeError, and OutOfTime once `stop` returns True before a try.

    >>> make(Recipe("exact_cover"), 7).puzzle == generate(Recipe("exact_cover"), 7).grid
    True
    """
    for name in recipe.asked.keys() - {"method", "paper_level"}:
        raise RecipeError(name, "expected none, since no published system has it")
    method = METHODS[recipe.method] if method is None else method
    made = generate_by(method, recipe, seed, stop)
    stopped, state = planned(method, recipe), seeded(made.seed)
    tried: tuple[int, ...] = ()
    if method.solved_grid is None:
        stopped.drawn_stop(state)  # `generate_by` draws it for every method
        searcher = None if method.own is None else SEARCHERS[method.solver]
        steps = list(_grown(state, method, recipe.paper_level, searcher))
    else:
        steps = list(_GRIDS[method.solved_grid](state, method))
        stopped = replace(stopped, stop_low=stopped.drawn_stop(state))
        tried = tuple(int(cell) for (cell,) in drawn_groups(stopped.order, Symmetry.NONE, state))
        steps += _dug(steps[-1].grid, tried, stopped)
    if method.transformed:
        steps += _transformed(steps[-1].grid, random_transformation(state))
    return MakingTrace(
        method=method,
        recipe=recipe,
        seed=made.seed,
        discarded=(made.seed - seed) >> 32,
        order=tried,
        plan=stopped,
        steps=tuple(steps),
        level=method.grade(steps[-1].grid),
    )


_EMPTY: Final = Grid(bytes(81))


def _las_vegas(state: State, method: Method) -> Iterator[MakingStep]:
    """Fill random cells with random digits until the method's search completes them."""
    wanted = LAS_VEGAS_CELLS if method.cells is None else method.cells
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
        if complete is None:
            yield MakingStep("again", _EMPTY)
            continue
        if method.solver == "propagation":
            digits = bytearray(_grid(houses).digits)
            for each in rounds_of(houses):
                for cell, digit in each.fixed:
                    digits[cell] = digit
                yield MakingStep("round", Grid(bytes(digits)), tuple(cell for cell, _ in each.fixed))
        yield MakingStep("completed", complete)
        return


def _diagonal(state: State) -> Iterator[MakingStep]:
    """Fill the three boxes of the diagonal, each at random."""
    digits, out = np.arange(1, 10), bytearray(81)
    for box in range(3):
        shuffle(state, digits)
        cells = tuple(30 * box + 9 * (place // 3) + place % 3 for place in range(9))
        for cell, digit in zip(cells, digits.tolist(), strict=True):
            out[cell] = digit
        yield MakingStep("box", Grid(bytes(out)), cells)


def _diagonal_boxes(state: State, _method: Method) -> Iterator[MakingStep]:
    """Fill the diagonal, then take one of its solutions, all equally likely."""
    steps = list(_diagonal(state))
    yield from steps
    out = steps[-1].grid.array()
    uniform_grids.complete_diagonal(state, uniform_grids.corners(), out)
    yield MakingStep("completed", Grid(out.tobytes()))


def _linked_boxes(state: State, _method: Method) -> Iterator[MakingStep]:
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
            kind: Kind = "row" if each.covers else "row_back"
            yield MakingStep(kind, Grid(bytes(digits)), (each.row // 9,))
        yield MakingStep("again", _EMPTY)


def _centre_box(state: State, _method: Method) -> Iterator[MakingStep]:
    """Fill the center box at random, then the others with its lines moved."""
    solved, out = SOLVED_GRIDS["centre_box"](state).tolist(), bytearray(81)
    for number, box in enumerate((4, 3, 5, 1, 7, 0, 2, 6, 8), 1):
        cells = HOUSES[18 + box]
        for cell in cells:
            out[cell] = solved[cell]
        kind: Kind = "box" if number == 1 else "completed" if number == 9 else "shifted"
        yield MakingStep(kind, Grid(bytes(out)), tuple(cells))


def _shuffled(state: State, rows: list[int]) -> list[int]:
    drawn = np.array(rows, np.int64)
    shuffle(state, drawn)
    return list(drawn.tolist())


def own_growth(state: State, wanted: int | None, stop: Callable[[], bool]) -> Digits | None:
    """Grow a puzzle of a grade with the own search of min_candidates; None if 20 withdrawals met none."""

    def search(grid: Grid, limit: int = 2, most_nodes: int = MOST_LAYOUTS) -> SearchResult:
        if stop():
            raise OutOfTime
        return SEARCHERS["min_candidates"](grid, limit, most_nodes)

    *_, last = _grown(state, METHODS["min_candidates"], wanted, search)
    return None if last.kind == "withdrawn" else last.grid.array()


def _grown(
    state: State, method: Method, wanted: int | None, searcher: Searcher | None
) -> Iterator[MakingStep]:
    """Put digits of solutions into random cells of an empty grid until one solution is left.

    For a grade, `grow.grown` describes what follows.
    """
    digits, added = bytearray(81), []
    for _ in range(MOST_STEPS_BACK):
        cells = [int(cell) for (cell,) in drawn_groups(Order.RANDOM, Symmetry.NONE, state)]
        for cell in cells:
            if digits[cell]:
                continue
            before = Grid(bytes(digits))
            able = _able(state, before, cell, searcher)
            if len(able) < 2:  # it rules nothing out
                yield MakingStep("skipped", before, (cell,), solutions=solution_count(before, MOST_COUNTED))
                continue
            digits[cell] = able[0]
            added.append(cell)
            after = Grid(bytes(digits))
            left = solution_count(after, MOST_COUNTED)
            yield MakingStep("given", after, (cell,), solutions=left)
            if (left if searcher is None else len(searcher(after, 2, MOST_LAYOUTS).solutions)) == 1:
                break
        spare = [cell for cell in cells if not digits[cell]]
        while reached(np.frombuffer(digits, np.uint8), 0, wanted, method.grade) > 0 and spare:
            cell = spare.pop()
            digits[cell] = next(iter(_able(state, Grid(bytes(digits)), cell, searcher)), 0)
            added.append(cell)
            yield MakingStep("eased", Grid(bytes(digits)), (cell,), solutions=1)
        if reached(np.frombuffer(digits, np.uint8), 0, wanted, method.grade) == 0:
            return
        half = len(added) // 2
        for cell in added[half:]:
            digits[cell] = 0
        left = solution_count(Grid(bytes(digits)), MOST_COUNTED)
        yield MakingStep("withdrawn", Grid(bytes(digits)), tuple(added[half:]), solutions=left)
        del added[half:]


def _able(state: State, grid: Grid, cell: int, searcher: Searcher | None) -> list[int]:
    """Return the first digits, one or two, that lead to a solution in a random order."""
    choices, able = np.arange(1, 10), []
    shuffle(state, choices)
    allowed = Houses(grid).candidates(cell)
    for digit in choices.tolist():
        after = _with(grid, cell, digit)
        if digit in allowed and (
            solution(after) if searcher is None else searcher(after, 1, MOST_LAYOUTS).solutions
        ):
            able.append(digit)
            if len(able) == 2:
                break
    return able


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
    parts: tuple[Kind, ...] = ("transposed", "rows", "columns", "digits")
    for kind in parts:
        image = Transformation(**{kind: getattr(drawn, kind)}).apply(grid)
        if kind != "transposed" or drawn.transposed:
            yield MakingStep(kind, image)
        grid = image


def _grid(houses: Houses) -> Grid:
    return Grid(bytes(houses.digits))


def _with(grid: Grid, cell: int, digit: int) -> Grid:
    digits = bytearray(grid.digits)
    digits[cell] = digit
    return Grid(bytes(digits))


_GRIDS: Final[Mapping[str, Callable[[State, Method], Iterator[MakingStep]]]] = {
    "las_vegas": _las_vegas,
    "diagonal_boxes": _diagonal_boxes,
    "linked_boxes": _linked_boxes,
    "centre_box": _centre_box,
}
