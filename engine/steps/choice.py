"""Choose a hint: among the steps of the lowest tier, the one a person would find soonest.

`effort` counts what has to be seen, in candidates: nobody remembers a loop of 24 if four make a skyscraper.
Among steps of about the same size, it depends on where the player looks: on houses that are nearly full, and
near the last move. Nothing here is fitted to data: the counts are comparable to HoDoKu's scores within a tier
(naked pair 60, hidden pair 70, hidden triple 100, hidden quad 150).
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from itertools import groupby
from statistics import fmean
from typing import Final

from ..arguments import flag, whole
from ..geometry import COL_OF, HOUSES, HOUSES_OF, ROW_OF, Candidate
from ..given import Given
from ..kernels.steps import BY_ALS, BY_LEMMA
from ..position import Position
from ..techniques import HouseRole, Role
from ..text import start_of
from .logic import easiest_steps
from .step import Step

Effects = tuple[frozenset[Candidate], frozenset[Candidate]]

ACROSS: Final = 8  # king's moves from one side of the board to the other


def choices(position: Given, *, near: int | None = None, uniqueness: bool = True) -> list[Step]:
    """Return the steps of the lowest tier that has any, the soonest found first, one for each set of effects.

    A step is omitted if another one has more effect for about the same effort.

    near: the cell of the last move, where the player is looking. uniqueness, GaveUp: as for engine.next_step.

    >>> from engine import Position, choices, parse
    >>> text = "...7..12.........4.8316...5..2..6.37..9...8..36.8..4..1...4956.5.........34..8..."
    >>> position = Position.from_grid(parse(text))
    >>> print(choices(position)[0])
    hidden_single: r4c1=8
    """
    position = start_of("position", position)
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
    """Whether another step has all effects of this one and more, for less than one additional candidate."""
    return any(
        effort < rank + 1 and step.placements <= other.placements and step.eliminations < other.eliminations
        for effort, _, other in ranked
    )


def effort(step: Step, position: Position, near: int | None = None) -> float:
    """Return how much has to be seen to find a step, in candidates.

    Each item to remember counts one: the candidates of a pattern or the claims of a chain, and every check
    that a house or cell has no other, which the last empty cell of a house doesn't need. The number of empty
    cells in the houses involved adds 0 to 1, and the distance from the cell `near` 0 to 1: both decide ties,
    and together they don't outweigh two candidates.
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
    # Links are read in encoded form, since decoding them takes most of a hint's time.
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
    """Return the share of empty cells in the houses involved; for a single cell, in the fullest of its
    houses.
    """
    empty = _empty(position)
    bases = [empty[fact.house] for fact in step.houses if fact.role is HouseRole.BASE]
    return fmean(bases or [min(empty[house] for house in HOUSES_OF[cell]) for cell in _cells(step)]) / 9


@lru_cache(maxsize=16)
def _empty(position: Position) -> tuple[int, ...]:
    """Count the empty cells of each house 0..26."""
    return tuple(sum(position.grid[cell] == 0 for cell in cells) for cells in HOUSES)


def _distance(step: Step, near: int | None) -> float:
    """Return the king's moves from a cell to the nearest cell of a step, as a share of the board."""
    if near is None:
        return 0.0
    return (
        min(max(abs(ROW_OF[cell] - ROW_OF[near]), abs(COL_OF[cell] - COL_OF[near])) for cell in _cells(step))
        / ACROSS
    )


def _cells(step: Step) -> Iterable[int]:
    """Return the cells of the proof and of its effects."""
    return {fact.cell for fact in step.cells} | {cell for cell, _ in step.placements | step.eliminations}
