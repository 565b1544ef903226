"""Deadly patterns: the digits at the corners of a uniqueness step."""

from __future__ import annotations

from ..techniques import TECHNIQUES, Role, Trait
from .step import Step


def swappable(step: Step) -> tuple[int, ...]:
    """Return the digits, two or three, that could be swapped in a deadly pattern. ValueError without one."""
    traits = TECHNIQUES[step.technique].traits
    corners = [fact.digits for fact in step.cells if fact.role == Role.CORNER]
    if traits & (Trait.SOLVED_CORNERS | Trait.THREE_DIGITS):
        if len(step.digits) > 1:
            return step.digits
        # The step's one digit is what open corners have besides those that could be swapped.
        return tuple(sorted({digit for digits in corners for digit in digits} - {*step.digits}))
    pairs = sorted({digits for digits in corners if len(digits) == 2})
    if step.digits in pairs and Trait.OF_A_SUBSET not in traits:
        return step.digits

    def fitness(pair: tuple[int, ...]) -> tuple[int, bool]:
        return sum({*digits} <= {*pair} for digits in corners), not {*pair} & {*step.digits}

    return max(pairs, key=fitness)


def solved_corners(step: Step) -> tuple[int, ...]:
    """Return the corners of an avoidable rectangle with a digit, in cyclic order; empty for any other
    step.
    """
    if Trait.SOLVED_CORNERS not in TECHNIQUES[step.technique].traits:
        return ()
    changed = {cell for cell, _ in step.placements | step.eliminations}
    digits: dict[int, set[int]] = {}
    for fact in step.cells:
        digits.setdefault(fact.cell, set()).update(fact.digits)
    corners = dict.fromkeys(step.cells_of(Role.CORNER))
    return tuple(cell for cell in corners if len(digits[cell]) == 1 and cell not in changed)
