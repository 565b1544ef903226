"""Trace of the weighted rules (Wu, Xiao, Yang, 2.1 and 2.2): the rules as applied, n1 to n14, D."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import islice

from engine.grid import Grid
from engine.position import Position
from engine.rating import weighted_rules as scheme
from engine.step import Step
from engine.traces.common import MOST_STEPS, check_step


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
    """All that the rules do; never over 729 steps."""

    puzzle: Grid
    steps: tuple[RuleStep, ...]
    bound: int
    cut_off: bool
    counts: tuple[int, ...]  # n1 to n14 of all steps
    difficulty: float | None  # D; None where the rules do not solve it
    level: int | None  # 1..5; None where a search went past its bound or there is no single solution
    solution: Grid | None  # None where the rules do not reach it

    @property
    def measures(self) -> Mapping[str, float | None]:
        """Steps, D and the level."""
        return {"steps": sum(self.counts), "difficulty": self.difficulty, "level": self.level}

    def __len__(self) -> int:
        return len(self.steps)

    def grid_at(self, step: int) -> Grid:
        """The digits that stand after so many steps."""
        return self.position_at(step).grid

    def position_at(self, step: int) -> Position:
        """The digits and candidates after so many steps."""
        check_step(step, len(self.steps))
        position = Position.from_grid(self.puzzle)
        for each in self.steps[:step]:
            position = position.after(each.step)
        return position


def rules(grid: Grid, bound: int = MOST_STEPS) -> RulesTrace:
    """The trace of `grid`; without a step where it breaks the rules of the game."""
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
    unique = position.unique
    return RulesTrace(
        puzzle=grid,
        steps=tuple(steps[:bound]),
        bound=bound,
        cut_off=len(steps) > bound,
        counts=rated.counts if rated else tuple(counts),
        difficulty=rated.difficulty if rated and unique else None,
        level=rated.level if rated and unique else None,
        solution=position.grid if position.solved else _beyond(grid, rated),
    )


def _beyond(grid: Grid, rated: scheme.RulesRating | None) -> Grid | None:
    """Where the rules solve the puzzle in more steps than are kept, what they come to."""
    return Position.from_grid(grid).solution if rated and rated.difficulty is not None else None
