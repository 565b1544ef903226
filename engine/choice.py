"""Choose what to hint at: of the steps of the lowest tier, the one a person would find soonest.

`effort` counts what has to be seen, in candidates: nobody keeps a ring of 24 in mind where four make a
skyscraper. Between steps of about the same size it is a matter of where the eye falls: on houses that are
nearly full, and near the last move. Nothing here is fitted to data: the counts are of the size that HoDoKu's
scores have between techniques of a tier (naked pair 60, hidden pair 70, hidden triple 100, hidden quad 150).
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from itertools import groupby
from statistics import fmean
from typing import Final

from engine.arguments import flag, instance, whole
from engine.geometry import COL_OF, HOUSES, HOUSES_OF, ROW_OF
from engine.kernels.steps import BY_ALS, BY_LEMMA
from engine.logic import easiest_steps
from engine.position import Position
from engine.step import Candidate, Step
from engine.techniques import HouseRole, Role

Effects = tuple[frozenset[Candidate], frozenset[Candidate]]

ACROSS: Final = 8  # king's moves from one side of the board to the other


def choices(position: Position, *, near: int | None = None, uniqueness: bool = True) -> list[Step]:
    """The steps of the lowest tier that has any, the soonest found first, one for each set of effects.

    A step is left out where another one does more for about as little.

    near: the cell of the last move, where the eye still is.  uniqueness, GaveUp: as for engine.next_step.
    """
    instance("position", position, Position)
    flag("uniqueness", uniqueness)
    near = None if near is None else whole("near", near, 0, 80)
    easiest: dict[Effects, tuple[float, int, Step]] = {}
    for number, step in enumerate(easiest_steps(position, uniqueness=uniqueness)):
        rank = effort(step, position, near), number, step
        effects = step.placements, step.eliminations
        if effects not in easiest or rank[:2] < easiest[effects][:2]:
            easiest[effects] = rank
    ranked = sorted(easiest.values(), key=lambda rank: rank[:2])
    return [step for rank, _, step in ranked if not _outdone(rank, step, ranked)]


def _outdone(rank: float, step: Step, ranked: Iterable[tuple[float, int, Step]]) -> bool:
    """Whether another step does all that this one does and more, for less than one candidate more to see."""
    return any(
        effort < rank + 1 and step.placements <= other.placements and step.eliminations < other.eliminations
        for effort, _, other in ranked
    )


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
    if not step.links:
        named = {(fact.cell, digit) for fact in step.cells for digit in fact.digits}
        bases = [fact for fact in step.houses if fact.role is HouseRole.BASE]
        if not bases:
            return len(named) + len(step.placements)
        empty = _empty(position)
        return len(named) + sum(len(fact.digits) for fact in bases if empty[fact.house] > 1)
    # Links are read as they are coded, since decoding them takes most of a hint's time.
    claims: list[tuple[int, int]] = [
        each for each, _ in groupby(step.links, key=lambda link: (link.target, link.cause))
    ]
    sets = {(fact.cell, digit) for fact in step.cells if fact.role >= Role.ALS for digit in fact.digits}
    checks = sum(1 for target, cause in claims if target & 1 and cause < len(HOUSES))
    lemmas = sum(
        _seen(step.lemmas[cause - BY_LEMMA], position) for _, cause in claims if BY_LEMMA <= cause < BY_ALS
    )
    return len(claims) + len(sets) + checks + lemmas


def _crowd(step: Step, position: Position) -> float:
    """The share of empty cells in the houses looked at; of a cell alone in the fullest of its houses."""
    empty = _empty(position)
    bases = [empty[fact.house] for fact in step.houses if fact.role is HouseRole.BASE]
    return fmean(bases or [min(empty[house] for house in HOUSES_OF[cell]) for cell in _cells(step)]) / 9


@lru_cache(maxsize=16)
def _empty(position: Position) -> tuple[int, ...]:
    """Count the empty cells of each house 0..26."""
    return tuple(sum(position.grid[cell] == 0 for cell in cells) for cells in HOUSES)


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
