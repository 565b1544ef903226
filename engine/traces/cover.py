"""Trace of the exact cover (evasiu's article): columns and rows covered and uncovered."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Final, Literal

from engine.grid import Grid
from engine.kernels.dancing_links import COLUMNS, COLUMNS_OF, ROWS
from engine.search import dancing_links as solver
from engine.traces.common import MOST_NODES, MOST_STEPS, check_step

_COLUMNS_OF: Final = tuple(tuple(row) for row in COLUMNS_OF.tolist())
_ROWS_OF: Final = tuple(
    tuple(row for row in range(ROWS) if column in _COLUMNS_OF[row]) for column in range(COLUMNS)
)

Kind = Literal["given", "column", "row", "row_back", "column_back", "solution"]


@dataclass(frozen=True, slots=True)
class CoverStep:
    """Columns covered or uncovered at once.

    `given`: the four columns of a given's row. `column`: the one with the fewest rows is chosen. `row`: one
    of its rows is, with its three other columns. `row_back` and `column_back` uncover what those covered.
    `solution`: no column is left.
    """

    kind: Kind
    row: int | None  # 9 * cell + digit - 1, the row chosen or given back
    columns: tuple[int, ...]  # covered or uncovered, in order
    rows: int | None  # of `column`: how many rows it had; None otherwise
    level: int  # rows chosen after it, the givens' not counted
    nodes: int  # rows chosen so far
    updates: int  # links taken out of their lists so far

    @property
    def covers(self) -> bool:
        """Whether it covers its columns; else it uncovers them."""
        return self.kind in ("given", "column", "row")


@dataclass(frozen=True, slots=True)
class Live:
    """What of the matrix is left: nothing of a row is once one of its columns is covered."""

    columns: tuple[int, ...]  # ascending
    rows: tuple[int, ...]  # ascending


@dataclass(frozen=True, slots=True)
class CoverTrace:
    """The search for two solutions in the matrix of 729 rows and 324 columns.

    Row 9 * cell + digit - 1 puts a digit into a cell. It has a 1 in four columns: its cell is filled (0..80),
    its row, its column and its box have the digit (81.., 162.., 243.. + 9 * house + digit - 1).
    """

    puzzle: Grid
    steps: tuple[CoverStep, ...]
    bound: int
    cut_off: bool
    nodes: int  # of the whole search
    updates: int  # of the whole search
    exceeded: bool  # the bound on nodes cut it
    solutions: int  # 0, 1 or 2, where 2 says several
    solution: Grid | None

    @property
    def measures(self) -> Mapping[str, float | None]:
        """Rows chosen, and links taken out of their lists."""
        return {
            "nodes": None if self.exceeded else self.nodes,
            "updates": None if self.exceeded else self.updates,
        }

    def __len__(self) -> int:
        return len(self.steps)

    def grid_at(self, step: int) -> Grid:
        """The digits whose rows are chosen after so many steps, the givens' from the start."""
        check_step(step, len(self.steps))
        digits = bytearray(self.puzzle.digits)
        for each in self.steps[:step]:
            if each.row is not None:
                digits[each.row // 9] = each.row % 9 + 1 if each.covers else 0
        return Grid(bytes(digits))

    def live_at(self, step: int) -> Live:
        """The matrix that is left after so many steps."""
        check_step(step, len(self.steps))
        covered: set[int] = set()
        for each in self.steps[:step]:
            if each.covers:
                covered.update(each.columns)
            else:
                covered.difference_update(each.columns)
        return Live(
            tuple(column for column in range(COLUMNS) if column not in covered),
            tuple(row for row in range(ROWS) if covered.isdisjoint(_COLUMNS_OF[row])),
        )


def cover(grid: Grid, bound: int = MOST_STEPS, most_nodes: int = MOST_NODES) -> CoverTrace:
    """The trace of `grid`."""
    found = solver.search(grid, 2, most_nodes)
    steps = tuple(islice(steps_of(grid), bound + 1))
    return CoverTrace(
        puzzle=grid,
        steps=steps[:bound],
        bound=bound,
        cut_off=len(steps) > bound,
        nodes=found.nodes,
        updates=solver.updates(grid, 2, most_nodes),
        exceeded=found.exceeded,
        solutions=len(found.solutions),
        solution=found.solutions[0] if found.solutions else None,
    )


def columns_of(row: int) -> tuple[int, ...]:
    """The four columns of a row 0..728."""
    return _COLUMNS_OF[row]


class _Matrix:
    """Columns that are left, each with the rows it has left."""

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

    def uncover(self, columns: tuple[int, ...]) -> None:
        for column in reversed(columns):
            for row in self.rows[column]:
                for other in _COLUMNS_OF[row]:
                    if other != column:
                        self.rows[other].add(row)
            self.columns.add(column)


@dataclass(slots=True)
class _Choice:
    """A column chosen, with the rows yet to be tried and the one that stands."""

    column: int
    untried: list[int]
    row: int | None = None

    def others(self) -> tuple[int, ...]:
        """The columns of the row that stands, but for the one chosen."""
        assert self.row is not None
        return tuple(column for column in _COLUMNS_OF[self.row] if column != self.column)


def steps_of(grid: Grid, limit: int = 2) -> Iterator[CoverStep]:
    """Every step of the search for up to `limit` solutions, without a bound."""
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
            yield step("given", row, _COLUMNS_OF[row])
    while True:
        if matrix.columns:
            column = min(matrix.columns, key=lambda each: (len(matrix.rows[each]), each))
            untried = sorted(matrix.rows[column])
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
