"""Trace of the exact cover (evasiu's article): columns and rows covered and uncovered."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Final, Literal

from ..grid import Grid
from ..kernels.dancing_links import COLUMNS, COLUMNS_OF, ROWS
from ..search import dancing_links as solver
from .common import MOST_NODES, MOST_STEPS, Kept, SearchTrace, last_before
from .houses import Houses

_COLUMNS_OF: Final = tuple(tuple(row) for row in COLUMNS_OF.tolist())
_ROWS_OF: Final = tuple(
    tuple(row for row in range(ROWS) if column in _COLUMNS_OF[row]) for column in range(COLUMNS)
)

Kind = Literal["given", "column", "row", "row_back", "column_back", "solution"]


@dataclass(frozen=True, slots=True)
class CoverStep:
    """Columns covered or uncovered at once.

    `given`: the four columns of a given's row. `column`: the one with the fewest rows is chosen. `row`: one
    of its rows is, with its three other columns. `row_back` and `column_back` undo those. `solution`: no
    column is left.
    """

    kind: Kind
    row: int | None  # 9 * cell + digit - 1, the row chosen or taken back
    columns: tuple[int, ...]  # covered or uncovered, in order
    rows: int | None  # for `column`: how many rows it had; None otherwise
    level: int  # rows chosen after it, without the givens'
    nodes: int  # rows chosen so far
    updates: int  # links removed from their lists so far

    @property
    def covers(self) -> bool:
        """Whether it covers its columns; else it uncovers them."""
        return self.kind in ("given", "column", "row")


@dataclass(frozen=True, slots=True)
class Live:
    """The remaining part of the matrix: a row disappears once one of its columns is covered."""

    columns: tuple[int, ...]  # ascending
    rows: tuple[int, ...]  # ascending


@dataclass(frozen=True, slots=True)
class CoverTrace(SearchTrace[CoverStep]):
    """The search for two solutions in the matrix of 729 rows and 324 columns.

    Row 9 * cell + digit - 1 puts a digit into a cell. It has a 1 in four columns: its cell is filled (0..80),
    its row, its column and its box have the digit (81.., 162.., 243.. + 9 * house + digit - 1).
    """

    nodes: int  # of the whole search
    updates: int  # of the whole search

    @property
    def measures(self) -> Mapping[str, float | None]:
        """Rows chosen, and links removed from their lists."""
        return {
            "nodes": None if self.exceeded else self.nodes,
            "updates": None if self.exceeded else self.updates,
        }

    def grid_at(self, step: int) -> Grid:
        """Return the digits whose rows are chosen after a number of steps, including the givens'."""
        start, steps = self.kept.before(self.puzzle, step)
        digits = bytearray(start.digits)
        for each in steps:
            if each.row is not None:
                digits[each.row // 9] = each.row % 9 + 1 if each.covers else 0
        return Grid(bytes(digits))

    def live_at(self, step: int) -> Live:
        """Return the rest of the matrix after a number of steps."""
        start, steps = self.kept.before(Grid(bytes(81)), step)
        chosen = (9 * cell + digit - 1 for cell, digit in enumerate(start.digits) if digit)
        covered = {column for row in chosen for column in _COLUMNS_OF[row]}
        for each in steps:
            if each.covers:
                covered.update(each.columns)
            else:
                covered.difference_update(each.columns)
        return Live(
            tuple(column for column in range(COLUMNS) if column not in covered),
            tuple(row for row in range(ROWS) if covered.isdisjoint(_COLUMNS_OF[row])),
        )


def cover(grid: Grid, bound: int = MOST_STEPS, most_nodes: int = MOST_NODES) -> CoverTrace:
    """Return the trace of `grid`."""
    found = solver.search(grid, 2, most_nodes)
    steps = tuple(islice(steps_of(grid), bound + 1))
    cut_off = len(steps) > bound
    kept = Kept(steps[:bound])
    if cut_off and all(each.kind != "solution" for each in steps[:bound]):
        kept = _with_its_end(grid, kept, most_nodes)
    return CoverTrace(
        puzzle=grid,
        kept=kept,
        bound=bound,
        cut_off=cut_off,
        nodes=found.nodes,
        updates=solver.updates(grid, 2, most_nodes),
        exceeded=found.exceeded,
        solutions=len(found.solutions),
        solution=found.solutions[0] if found.solutions else None,
    )


def _with_its_end(grid: Grid, kept: Kept[CoverStep], most_nodes: int) -> Kept[CoverStep]:
    """Return the kept steps, with those before the first solution if the search finds one."""
    found = solver.search(grid, 1, most_nodes)
    if not found.solutions:
        return kept
    rows = _way(grid, found.solutions[0])
    cells = [row // 9 for row in rows]
    last, resumed = last_before(
        found.solutions[0], cells, lambda filled: steps_of(grid, 1, begun=rows[:filled])
    )
    # Every row chosen is followed by a column, except the last, and the first column comes before any. Rows
    # missing from the end result were undone.
    whole = grid.givens + 4 * found.nodes - 2 * len(rows) + 1
    first = kept.first[: max(0, whole - len(last))]
    nodes = found.nodes - last[-1].nodes
    updates = solver.updates(grid, 1, most_nodes) - last[-1].updates
    last = tuple(replace(each, nodes=each.nodes + nodes, updates=each.updates + updates) for each in last)
    return Kept(first, last, whole - len(last) - len(first), resumed)


def _way(grid: Grid, solution: Grid) -> list[int]:
    """Return the rows of a solution, in the order in which the search chooses them."""
    matrix = _Matrix()
    for cell, digit in enumerate(grid.digits):
        if digit:
            matrix.cover(_COLUMNS_OF[9 * cell + digit - 1])
    own = {9 * cell + digit - 1 for cell, digit in enumerate(solution.digits)}
    way = []
    while matrix.columns:
        (row,) = own & matrix.rows[matrix.fewest()]
        matrix.cover(tuple(column for column in _COLUMNS_OF[row]))
        way.append(row)
    return way


@dataclass(frozen=True, slots=True)
class Column:
    """A column of the matrix at the moment when one of its rows may be chosen."""

    column: int
    rows: tuple[int, ...]  # live rows with a one in it, the chosen one first
    chosen: int | None
    leaving: tuple[int, ...]  # rows that leave with the chosen one, since they share another column with it
    rows_left: int  # after that
    columns_left: int


def live_rows(grid: Grid) -> tuple[int, ...]:
    """Return the rows left once those of a grid's digits are chosen, ascending."""
    houses = Houses(grid)
    empty = (cell for cell in range(81) if grid[cell] == 0)
    return tuple(9 * cell + digit - 1 for cell in empty for digit in houses.candidates(cell))


def column_of(live: Sequence[int], column: int | None = None, chosen: int | None = None) -> Column:
    """Return a column with its live rows; without one, that with the fewest, the leftmost of several.

    Columns without a live row are left out then, so `live` must be free of dead ends.
    """
    if column is None:
        counts = Counter(each for row in live for each in _COLUMNS_OF[row])
        column = min(counts, key=lambda each: (counts[each], each))
    own = sorted((row for row in live if column in _COLUMNS_OF[row]), key=lambda row: (row != chosen, row))
    covered = set() if chosen is None else set(_COLUMNS_OF[chosen])
    leaving = tuple(row for row in live if row not in own and covered.intersection(_COLUMNS_OF[row]))
    return Column(
        column,
        tuple(own),
        chosen,
        leaving,
        len(live) - (0 if chosen is None else len(own) + len(leaving)),
        len({each for row in live for each in _COLUMNS_OF[row]} - covered),
    )


def columns_of(row: int) -> tuple[int, ...]:
    """Return the four columns of a row 0..728."""
    return _COLUMNS_OF[row]


class _Matrix:
    """The remaining columns, each with its remaining rows."""

    def __init__(self) -> None:
        self.rows = [set(rows) for rows in _ROWS_OF]
        self.columns = set(range(COLUMNS))
        self.updates = 0

    def cover(self, columns: tuple[int, ...]) -> None:
        for column in columns:
            self.columns.discard(column)
            self.updates += 1
            for row in self.rows[column]:
                for other in _COLUMNS_OF[row]:
                    if other != column:
                        self.rows[other].discard(row)
                        self.updates += 1

    def fewest(self) -> int:
        """Return the column with the fewest rows, the leftmost of several."""
        return min(self.columns, key=lambda each: (len(self.rows[each]), each))

    def uncover(self, columns: tuple[int, ...]) -> None:
        for column in reversed(columns):
            for row in self.rows[column]:
                for other in _COLUMNS_OF[row]:
                    if other != column:
                        self.rows[other].add(row)
            self.columns.add(column)


@dataclass(slots=True)
class _Choice:
    """A chosen column, with its untried rows and its current one."""

    column: int
    untried: list[int]
    row: int | None = None

    def others(self) -> tuple[int, ...]:
        """The current row's columns, except the chosen one."""
        assert self.row is not None
        return tuple(column for column in _COLUMNS_OF[self.row] if column != self.column)


def steps_of(
    grid: Grid,
    limit: int = 2,
    ordered: Callable[[list[int]], list[int]] = sorted,
    begun: Sequence[int] = (),
) -> Iterator[CoverStep]:
    """Yield every step of the search for up to `limit` solutions, without a limit on steps.

    ordered: puts the rows of a column, ascending, in the order in which they are tried.
    begun: the rows chosen first, which lead to the first solution; the steps are those after them.
    """
    matrix, nodes, solutions = _Matrix(), 0, 0
    stack: list[_Choice] = []

    def step(kind: Kind, row: int | None, columns: tuple[int, ...], rows: int | None = None) -> CoverStep:
        level = sum(choice.row is not None for choice in stack)
        return CoverStep(kind, row, columns, rows, level, nodes, matrix.updates)

    if grid.faults():
        return
    for cell, digit in enumerate(grid.digits):
        if digit:
            row = 9 * cell + digit - 1
            matrix.cover(_COLUMNS_OF[row])
            if not begun:
                yield step("given", row, _COLUMNS_OF[row])
    for row in begun:
        choice = _Choice(matrix.fewest(), [], row)
        stack.append(choice)
        matrix.cover((choice.column, *choice.others()))
    while True:
        if matrix.columns:
            column = matrix.fewest()
            untried = ordered(sorted(matrix.rows[column]))
            matrix.cover((column,))
            stack.append(_Choice(column, untried))
            yield step("column", None, (column,), len(untried))
        else:
            yield step("solution", None, ())
            solutions += 1
            if solutions == limit:
                return
        while stack:
            choice = stack[-1]
            if choice.row is not None:
                row, others = choice.row, choice.others()
                matrix.uncover(others)
                choice.row = None
                yield step("row_back", row, others)
            if choice.untried:
                break
            matrix.uncover((choice.column,))
            stack.pop()
            yield step("column_back", None, (choice.column,))
        if not stack:
            return
        choice = stack[-1]
        choice.row = choice.untried.pop(0)
        nodes += 1
        matrix.cover(choice.others())
        yield step("row", choice.row, choice.others())
