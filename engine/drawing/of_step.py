"""The drawing of a step, computed from its facts alone: for hints, reviews and `engine.draw`."""

from __future__ import annotations

from collections import defaultdict
from typing import Final

from ..geometry import HOUSES, HOUSES_OF, Candidate
from ..position import Position
from ..steps.branches import Branch, Claim, displayed
from ..steps.deadly import solved_corners, swappable
from ..steps.step import PatternCell, Step
from ..steps.witnesses import noted, witnesses
from ..techniques import TECHNIQUES, HouseRole, Role, Trait
from . import links
from . import overlay as parts
from .links import Arrow
from .overlay import CONSEQUENCE, MOST_DRAWN, MOST_LINKS, PATTERN, THIRD, Frame, Overlay

_DRAWN_AS: Final = {
    Role.PATTERN: PATTERN,
    Role.FIN: THIRD,
    Role.ENDO_FIN: THIRD,
    Role.PIVOT: THIRD,
    Role.PINCER: PATTERN,
    Role.COLOUR_A: PATTERN,
    Role.COLOUR_B: THIRD,
    Role.CORNER: PATTERN,
    Role.COLOUR_C: PATTERN,
    Role.COLOUR_D: THIRD,
}


def overlay_of(step: Step, position: Position | None = None, at: int | None = None) -> Overlay:
    """Return the overlay of `step`.

    position: where it was found. It limits groups to the cells with the digit, lets links curve around digits
    on the board, and frames the digits that imply a single.
    at: the only step of the proof to show, from 1 through all branches; 0 for as much as fits at once; None
    for everything, each part with the steps it belongs to.
    """
    branches = step.branches(position)
    placed = {cell for cell, _ in step.placements}
    roles, rings = _pattern(step, placed)
    arrows = parts.arrows_of(branches, step.eliminations)
    if at:
        arrows = tuple(arrow for arrow in arrows if at in arrow.steps)
    dense = len(arrows) > MOST_LINKS
    arrows = arrows if len(arrows) <= (MOST_LINKS if at == 0 else MOST_DRAWN) else ()
    shown_branches = displayed(branches)
    several = sum(len(branch.inferences) for branch in shown_branches) > 1
    steps = parts.steps_of(branches) if (arrows or at) and several else {}
    ends = {(cell, claim.digit) for claim in _ends(branches) for cell in claim.cells}
    always = {*rings, *(ends if dense else ())}
    of_ring: dict[Candidate, set[int]] = defaultdict(set)
    groups: dict[Claim, Frame] = {}
    claims = _ends(branches)
    if arrows or at:
        claims = [
            claim
            for branch in shown_branches
            for claim in (branch.assumption, *(each.result for each in branch.inferences))
        ]
    for claim in claims:
        role = PATTERN if claim.on else THIRD
        numbers = steps.get((claim.cells, claim.digit), ())
        if at and numbers and at not in numbers:
            continue
        for spot in ((cell, claim.digit) for cell in claim.cells):
            rings.setdefault(spot, role)
            of_ring[spot].update(() if spot in always else numbers)
        if len(claim.cells) > 1:
            groups.setdefault(claim, parts.group_frame(claim.cells, claim.digit, role, numbers))
    removed = sorted(spot for spot in step.eliminations if spot[0] not in placed)
    shown = [spot for spot in rings if spot not in step.eliminations and spot[0] not in placed]
    filled = [] if position is None else [cell for cell, digit in enumerate(position.grid.digits) if digit]
    return Overlay(
        houses=_houses(step),
        sights=_sights(step, position),
        cells=(
            *(parts.cell_frame(cell, THIRD) for cell in (*witnesses(step, position), *noted(step, position))),
            *(parts.cell_frame(cell, role) for cell, role in roles.items() if cell not in placed),
            *(parts.cell_frame(cell, CONSEQUENCE) for cell in sorted(placed)),
        ),
        groups=tuple(groups.values()),
        lines=links.lines(
            (*arrows, *_strong_links(step)),
            (parts.place_of(*spot) for spot in (*shown, *removed)),
            (parts.middle_of(cell) for cell in filled),
        ),
        rings=tuple(parts.ring(*spot, rings[spot], tuple(sorted(of_ring[spot]))) for spot in shown),
        removed=tuple(parts.ring(*spot, CONSEQUENCE) for spot in removed),
        placed=tuple(parts.middle(*spot) for spot in sorted(step.placements)),
        dense=dense,
    )


def role_of(step: Step, fact: PatternCell) -> int:
    """Return the color of a cell of the proof: PATTERN or THIRD."""
    traits = TECHNIQUES[step.technique].traits
    if fact.role >= Role.ALS:  # sets around a pivot look alike, those of a chain alternate
        return PATTERN if step.cells_of(Role.PIVOT) or (fact.role - Role.ALS) % 2 == 0 else THIRD
    if fact.role == Role.PATTERN and Trait.MIDDLE in traits:
        return THIRD
    if fact.role == Role.PINCER and Trait.PINCERS_APART in traits:
        return THIRD
    return _DRAWN_AS[Role(fact.role)]


def _pattern(step: Step, placed: set[int]) -> tuple[dict[int, int], dict[Candidate, int]]:
    """Return the cells of the pattern and their candidates, each with its color."""
    roles: dict[int, int] = {}
    rings: dict[Candidate, int] = {}
    solved = solved_corners(step)
    named = {fact.cell for fact in step.cells}
    for fact in step.cells:
        if fact.cell in placed and len(named) == 1 and len(fact.digits) == 1:
            continue
        role = role_of(step, fact)
        roles.setdefault(fact.cell, role)
        for digit in fact.digits if fact.cell not in solved else ():
            # Extra digits in the corners of a deadly pattern look different from those that could be swapped.
            apart = role if fact.role != Role.CORNER else PATTERN if digit in swappable(step) else THIRD
            rings.setdefault((fact.cell, digit), apart)
    return roles, rings


def _houses(step: Step) -> tuple[Frame, ...]:
    """Return the houses of the proof, each once: the premises, then those with the eliminations."""

    def with_roles(*roles: HouseRole) -> list[int]:
        return [*dict.fromkeys(fact.house for role in roles for fact in step.houses if fact.role is role)]

    colored = bool(step.cells_of(Role.COLOUR_A))
    joined = Trait.COVERS_JOIN in TECHNIQUES[step.technique].traits
    needed = [] if colored else [*with_roles(HouseRole.BASE), *with_roles(HouseRole.SHOWN)]
    return (
        *(parts.house_frame(house, PATTERN) for house in needed),
        *(
            parts.house_frame(house, THIRD if joined else CONSEQUENCE)
            for house in with_roles(HouseRole.COVER)
        ),
    )


def _sights(step: Step, position: Position | None) -> tuple[Frame, ...]:
    """The lines of sight of a hidden single: from each digit that leads to it to the last cell it blocks."""
    if position is None or step.technique != "hidden_single":
        return ()
    ((target, _digit),) = step.placements
    house = next(fact.house for fact in step.houses if fact.role is HouseRole.BASE)
    blocked = [cell for cell in HOUSES[house] if not position.grid[cell] and cell != target]
    found = []
    for source in witnesses(step, position):
        for line in HOUSES_OF[source][:2]:
            in_line = [cell for cell in blocked if cell in HOUSES[line]]
            if in_line:
                found.append(parts.sight(source, max(in_line, key=lambda cell: abs(cell - source)), THIRD))
    return tuple(found)


def _strong_links(step: Step) -> tuple[Arrow, ...]:
    """Return the two places of a digit in each base house that has just two.

    If two of them meet in the middle, they form a chain from one pincer to the other.
    """
    if Trait.STRONG_LINKS not in TECHNIQUES[step.technique].traits:
        return ()
    found = []
    digits: dict[int, set[int]] = defaultdict(set)
    for named in step.cells:
        digits[named.cell].update(named.digits)
    for fact in step.houses:
        if fact.role is HouseRole.BASE:
            (digit,) = fact.digits
            places = [
                (cell, digit) for cell in digits if cell in HOUSES[fact.house] and digit in digits[cell]
            ]
            if len(places) == 2:
                found.append((places[0], places[1]))
    middle = step.cells_of(Role.PATTERN)
    inner = [sum(cell in middle for cell, _ in ends) for ends in found]
    if inner == [1, 1]:
        return parts.chained(found[0], found[1], middle)
    return tuple(
        Arrow(parts.place_of(*one), parts.place_of(*other), strong=True, headed=False)
        for one, other in dict.fromkeys(found)
    )


def _ends(branches: tuple[Branch, ...]) -> list[Claim]:
    """Return the claims at the beginning and end of each branch."""
    return [claim for branch in branches for claim in (branch.assumption, *(branch.clash or (branch.end,)))]
