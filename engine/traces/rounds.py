"""Trace of the project proposal (Li, Wu, 2.7): rounds that fix sole possibilities, then the stack."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from ..generation.methods import METHODS
from ..grid import Grid
from ..search import propagation as solver
from .common import MOST_NODES, MOST_STEPS, Kept, SearchTrace, check_step
from .houses import Houses
from .stack import StackStep, grid_after, kept_steps


@dataclass(frozen=True, slots=True)
class Round:
    """One round: first the possibilities of every open cell are computed, then the sole ones are fixed."""

    possible: tuple[tuple[int, ...], ...]  # of the 81 cells; empty for cells with a digit before the round
    fixed: tuple[tuple[int, int], ...]  # (cell, digit) in the order fixed
    contradiction: int | None = None  # the cell where it occurred: no possibility left, or taken by a peer


@dataclass(frozen=True, slots=True)
class RoundsTrace(SearchTrace[StackStep]):
    """The search for two solutions. Its steps are the rounds, and after them those of the stack.

    `kept` has those of the stack; `bound` is for rounds and steps together, and there are never more than 81
    rounds.
    """

    rounds: tuple[Round, ...]
    review: tuple[int, ...]  # the cells that the rounds left open, from the bottom of the stack
    consistent: bool  # no contradiction in the rounds
    nodes: int  # of the whole search
    level: int | None  # 1..3 for A, B, C, by its number of givens; None outside their intervals

    @property
    def measures(self) -> Mapping[str, float | None]:
        """Rounds, the cells they fixed and left open, and the digits that the backtracking wrote."""
        return {
            "rounds": len(self.rounds),
            "fixed": sum(len(each.fixed) for each in self.rounds),
            "left_open": len(self.review),
            "nodes": None if self.exceeded else self.nodes,
            "level": self.level,
        }

    @property
    def solved_at(self) -> int | None:
        """The kept step that is the first solution: the last round, or a step of the stack."""
        if not self.review and self.consistent:
            return len(self.rounds)
        found = (at for at, each in enumerate(self.steps, 1) if each.kind == "solution")
        return next((len(self.rounds) + at for at in found), None)

    def number(self, step: int) -> int:
        """Return the number of a kept step among all, the rounds first."""
        rounds = len(self.rounds)
        return step if step <= rounds else rounds + self.kept.number(step - rounds)

    def __len__(self) -> int:
        return len(self.rounds) + len(self.steps)

    def grid_at(self, step: int) -> Grid:
        """Return the digits after a number of rounds and steps."""
        check_step(step, len(self))
        digits = bytearray(self.puzzle.digits)
        for each in self.rounds[:step]:
            for cell, digit in each.fixed:
                digits[cell] = digit
        return grid_after(self.kept, Grid(bytes(digits)), max(0, step - len(self.rounds)))


def rounds(grid: Grid, bound: int = MOST_STEPS, most_nodes: int = MOST_NODES) -> RoundsTrace:
    """Return the trace of `grid`."""
    found = solver.search(grid, 2, most_nodes)
    houses = None if grid.faults() else Houses(grid)
    seen = tuple(rounds_of(houses)) if houses is not None else ()
    consistent = houses is not None and seen[-1].contradiction is None
    review: tuple[int, ...] = ()
    kept: Kept[StackStep] = Kept(())
    cut_off = False
    room = max(0, bound - len(seen))
    if houses is not None:
        review = tuple(cell for cell in range(81) if houses.digits[cell] == 0)
        if consistent:
            after = Grid(bytes(houses.digits))
            kept, cut_off = kept_steps(solver.search, grid, after, seen[-1].possible, room, most_nodes)
    return RoundsTrace(
        puzzle=grid,
        rounds=seen,
        review=review,
        kept=kept,
        bound=bound,
        cut_off=cut_off,
        consistent=consistent,
        nodes=found.nodes,
        exceeded=found.exceeded,
        solutions=len(found.solutions),
        solution=found.solutions[0] if found.solutions else None,
        level=METHODS["propagation"].dug_level(grid),
    )


def rounds_of(houses: Houses) -> Iterator[Round]:
    """Fix sole possibilities in `houses`, round by round."""
    while True:
        possible = [() if houses.digits[cell] else houses.candidates(cell) for cell in range(81)]
        dead = next((c for c in range(81) if houses.digits[c] == 0 and not possible[c]), None)
        if dead is not None:
            # As in the solver: cells after the dead one aren't examined.
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
        if clash is not None or not fixed or 0 not in houses.digits:
            return
