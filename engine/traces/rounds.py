"""Trace of the project proposal (Li, Wu, 2.7): rounds that fix lone possibilities, then the stack."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Literal

from engine.grid import Grid
from engine.search import propagation as solver
from engine.traces.common import MOST_NODES, MOST_STEPS, check_step
from engine.traces.houses import Houses


@dataclass(frozen=True, slots=True)
class Round:
    """One round: first the possibilities of every open cell are noted, then the lone ones are fixed."""

    possible: tuple[tuple[int, ...], ...]  # of the 81 cells; empty where a digit stood before the round
    fixed: tuple[tuple[int, int], ...]  # (cell, digit) in the order fixed
    contradiction: int | None = None  # the cell where it showed: no possibility left, or gone to a peer


@dataclass(frozen=True, slots=True)
class StackStep:
    """A digit put on the top cell of the stack, a step back to the cell below, or a solution seen."""

    kind: Literal["push", "back", "solution"]
    cell: int | None  # 0..80; None of a solution
    digit: int | None  # 1..9, written; None otherwise
    top: int  # cells of the stack that are filled after it
    nodes: int  # digits written so far


@dataclass(frozen=True, slots=True)
class RoundsTrace:
    """The search for two solutions. Its steps are the rounds, and after them those of the stack."""

    puzzle: Grid
    rounds: tuple[Round, ...]
    review: tuple[int, ...]  # the cells that the rounds left open, which the stack goes through from below
    steps: tuple[StackStep, ...]
    bound: int  # on rounds and steps together; there are never over 81 rounds
    cut_off: bool
    consistent: bool  # no contradiction in the rounds
    nodes: int  # of the whole search
    exceeded: bool  # the bound on nodes cut it
    solutions: int  # 0, 1 or 2, where 2 says several
    solution: Grid | None

    @property
    def measures(self) -> Mapping[str, float | None]:
        """Rounds, the cells they fixed and left open, and the digits that the backtracking wrote."""
        return {
            "rounds": len(self.rounds),
            "fixed": sum(len(each.fixed) for each in self.rounds),
            "left_open": len(self.review),
            "nodes": None if self.exceeded else self.nodes,
        }

    def __len__(self) -> int:
        return len(self.rounds) + len(self.steps)

    def grid_at(self, step: int) -> Grid:
        """The digits that stand after so many rounds and steps."""
        check_step(step, len(self))
        digits = bytearray(self.puzzle.digits)
        for each in self.rounds[:step]:
            for cell, digit in each.fixed:
                digits[cell] = digit
        for move in self.steps[: max(0, step - len(self.rounds))]:
            if move.cell is not None:
                digits[move.cell] = move.digit or 0
        return Grid(bytes(digits))


def rounds(grid: Grid, bound: int = MOST_STEPS, most_nodes: int = MOST_NODES) -> RoundsTrace:
    """The trace of `grid`."""
    found = solver.search(grid, 2, most_nodes)
    houses = None if grid.faults() else Houses(grid)
    seen = tuple(_rounds(houses)) if houses is not None else ()
    consistent = houses is not None and seen[-1].contradiction is None
    review: tuple[int, ...] = ()
    steps: tuple[StackStep, ...] = ()
    room = max(0, bound - len(seen))
    if houses is not None:
        review = tuple(cell for cell in range(81) if houses.digits[cell] == 0)
        if consistent:
            steps = tuple(islice(_steps(houses, review, seen[-1].possible), room + 1))
    return RoundsTrace(
        puzzle=grid,
        rounds=seen,
        review=review,
        steps=steps[:room],
        bound=bound,
        cut_off=len(steps) > room,
        consistent=consistent,
        nodes=found.nodes,
        exceeded=found.exceeded,
        solutions=len(found.solutions),
        solution=found.solutions[0] if found.solutions else None,
    )


def _rounds(houses: Houses) -> Iterator[Round]:
    while True:
        possible = [() if houses.digits[cell] else houses.candidates(cell) for cell in range(81)]
        dead = next((c for c in range(81) if houses.digits[c] == 0 and not possible[c]), None)
        if dead is not None:
            # As the solver has it: what comes after the dead cell is not looked at.
            yield Round(tuple(possible[: dead + 1]) + ((),) * (80 - dead), (), dead)
            return
        fixed: list[tuple[int, int]] = []
        clash = None
        for cell, digits in enumerate(possible):
            if len(digits) == 1:
                if digits[0] not in houses.candidates(cell):
                    clash = cell
                    break
                houses.put(cell, digits[0])
                fixed.append((cell, digits[0]))
        yield Round(tuple(possible), tuple(fixed), clash)
        if clash is not None or not fixed:
            return


def _steps(
    houses: Houses, review: tuple[int, ...], possible: tuple[tuple[int, ...], ...], limit: int = 2
) -> Iterator[StackStep]:
    top = nodes = solutions = 0
    while top >= 0:
        if top == len(review):
            yield StackStep("solution", None, None, top, nodes)
            solutions += 1
            if solutions == limit:
                return
            top -= 1
            continue
        cell = review[top]
        digit = houses.take(cell)
        allowed = houses.candidates(cell)
        untried = [other for other in possible[cell] if other > digit and other in allowed]
        if untried:
            nodes += 1
            top += 1
            houses.put(cell, untried[0])
            yield StackStep("push", cell, untried[0], top, nodes)
        else:
            yield StackStep("back", cell, None, top, nodes)
            top -= 1
