"""Choose what to hint at: of the steps of the lowest tier, the one a person would find soonest.

`effort` counts what has to be seen, in candidates: nobody keeps a ring of 24 in mind where four make a
skyscraper. Between steps of about the same size it is a matter of where the eye falls: on houses that are
nearly full, and near the last move. Nothing here is fitted to data: the counts are of the size that HoDoKu's
scores have between techniques of a tier (naked pair 60, hidden pair 70, hidden triple 100, hidden quad 150).
"""

from __future__ import annotations

from collections.abc import Iterable
from statistics import fmean
from typing import Final

from engine.branches import Cause
from engine.geometry import COL_OF, HOUSES, HOUSES_OF, ROW_OF
from engine.logic import easiest_steps
from engine.position import Position
from engine.step import Step
from engine.techniques import HouseRole, Role

ACROSS: Final = 8  # king's moves from one side of the board to the other


def choices(position: Position, *, near: int | None = None, uniqueness: bool = True) -> list[Step]:
    """The steps of the lowest tier that has any, the soonest found first, one for each set of effects.

    near: the cell of the last move, where the eye still is.  uniqueness, GaveUp: as for engine.next_step.
    """
    easiest: dict[object, tuple[float, int, Step]] = {}
    for number, step in enumerate(easiest_steps(position, uniqueness=uniqueness)):
        rank = effort(step, position, near), number, step
        effects = step.placements, step.eliminations
        if effects not in easiest or rank[:2] < easiest[effects][:2]:
            easiest[effects] = rank
    return [step for _, _, step in sorted(easiest.values(), key=lambda rank: rank[:2])]


def effort(step: Step, position: Position, near: int | None = None) -> float:
    """How much has to be seen to find a step, in candidates.

    What is kept in mind counts one each: the candidates of a pattern or the claims of a chain, and every
    check that a house or cell has no other, which the last empty cell of a house does without. How many
    cells are empty in the houses looked at adds 0 to 1, and how far it is from the cell `near` 0 to 1: both
    decide between equals, and together they do not outweigh two candidates.
    """
    return _seen(step, position) + _crowd(step, position) + _distance(step, near)


def _seen(step: Step, position: Position) -> int:
    """Count the candidates and the checks of a step; those of a net along every branch."""
    branches = step.branches(position)
    if not branches:
        named = {(fact.cell, digit) for fact in step.cells for digit in fact.digits}
        bases = [fact for fact in step.houses if fact.role is HouseRole.BASE]
        if not bases:
            return len(named) + len(step.placements)
        return len(named) + sum(len(fact.digits) for fact in bases if _empty(fact.house, position) > 1)
    sets = {(fact.cell, digit) for fact in step.cells if fact.role >= Role.ALS for digit in fact.digits}
    links = [inference for branch in branches for inference in branch.inferences]
    checks = sum(inference.strong and inference.cause is Cause.HOUSE for inference in links)
    lemmas = sum(_seen(step.lemmas[link.lemma], position) for link in links if link.lemma is not None)
    return len(branches) + len(links) + len(sets) + checks + lemmas


def _crowd(step: Step, position: Position) -> float:
    """The share of empty cells in the houses looked at; of a cell alone in the fullest of its houses."""
    bases = [_empty(fact.house, position) for fact in step.houses if fact.role is HouseRole.BASE]
    around = bases or [min(_empty(house, position) for house in HOUSES_OF[cell]) for cell in _cells(step)]
    return fmean(around) / 9


def _empty(house: int, position: Position) -> int:
    """Count the empty cells of a house."""
    return sum(position.grid[cell] == 0 for cell in HOUSES[house])


def _distance(step: Step, near: int | None) -> float:
    """King's moves from a cell to the nearest cell of a step, as a share of the board."""
    if near is None:
        return 0.0
    return (
        min(max(abs(ROW_OF[cell] - ROW_OF[near]), abs(COL_OF[cell] - COL_OF[near])) for cell in _cells(step))
        / ACROSS
    )


def _cells(step: Step) -> Iterable[int]:
    """The cells of the proof and of its effects."""
    return {fact.cell for fact in step.cells} | {cell for cell, _ in step.placements | step.eliminations}
