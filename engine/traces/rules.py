"""Trace of the weighted rules (Wu, Xiao, Yang, 2.1 and 2.2): the applied rules, n1 to n14, D."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import islice

from ..grid import Grid
from ..position import Position
from ..rating import weighted_rules as scheme
from ..steps.step import Step
from .common import MOST_STEPS, check_step


@dataclass(frozen=True, slots=True)
class RuleStep:
    """One use of a rule."""

    rule: int  # 1..14
    booked: int  # the rule it is counted as: a hidden single strips its cell, and the fill is rule 1
    step: Step
    counts: tuple[int, ...]  # n1 to n14 after it
    difficulty: float  # D of those


@dataclass(frozen=True, slots=True)
class RulesTrace:
    """All applications of the rules; never over 729 steps."""

    puzzle: Grid
    steps: tuple[RuleStep, ...]
    bound: int
    cut_off: bool
    counts: tuple[int, ...]  # n1 to n14 of all steps
    difficulty: float | None  # D of its canonical form; None if the rules don't solve that
    level: int | None  # 1..5, of that D; None if a search exceeded its limit or there is no single solution
    solution: Grid | None  # None if the rules don't reach it

    @property
    def measures(self) -> Mapping[str, float | None]:
        """Steps, D and the level."""
        return {"steps": sum(self.counts), "difficulty": self.difficulty, "level": self.level}

    @property
    def solved_at(self) -> int | None:
        """The last step, if the rules solve the puzzle."""
        return len(self.steps) if self.steps and self.grid_at(len(self.steps)).full else None

    def number(self, step: int) -> int:
        """Return the number of a step: the rules never take more than are kept."""
        return step

    def __len__(self) -> int:
        return len(self.steps)

    def grid_at(self, step: int) -> Grid:
        """Return the digits after a number of steps."""
        return self.position_at(step).grid

    def position_at(self, step: int) -> Position:
        """Return the digits and candidates after a number of steps."""
        check_step(step, len(self.steps))
        position = Position.from_grid(self.puzzle)
        for each in self.steps[:step]:
            position = position.after(each.step)
        return position


def rules(grid: Grid, bound: int = MOST_STEPS) -> RulesTrace:
    """Return the trace of `grid`; without a step if it breaks the rules of the game."""
    position = Position.from_grid(grid)
    if grid.faults():
        return RulesTrace(grid, (), bound, False, (0,) * 14, None, None, None)
    counts = [0] * 14
    steps = []
    for _, step in islice(scheme.order().follow(position), bound + 1):
        rule = scheme.RULE_OF[step.technique]
        booked = 1 if rule == 2 else rule
        counts[booked - 1] += 1
        steps.append(RuleStep(rule, booked, step, tuple(counts), scheme.difficulty(counts)))
        position = position.after(step)
    rated = scheme.rating_of(scheme.order().walk(Position.from_grid(grid)))
    found = scheme.rating_in_form(grid) if position.unique else None
    # The rules may solve the puzzle in more steps than are kept.
    beyond = Position.from_grid(grid).solution if rated and rated.difficulty is not None else None
    return RulesTrace(
        puzzle=grid,
        steps=tuple(steps[:bound]),
        bound=bound,
        cut_off=len(steps) > bound,
        counts=rated.counts if rated else tuple(counts),
        difficulty=found.difficulty if found else None,
        level=found.level if found else None,
        solution=position.grid if position.solved else beyond,
    )
