"""Witnesses: the digits on the board that leave a single its one place or its one candidate."""

from __future__ import annotations

from ..geometry import HOUSES, PEERS
from ..position import Position
from ..techniques import HouseRole
from .step import Step


def witnesses(step: Step, position: Position | None) -> tuple[int, ...]:
    """Return a few cells, ascending, whose digits together leave a single its one place or its one candidate.

    Empty if marks matter too, if the position isn't known, and for any other step.
    """
    if position is None or step.technique not in ("hidden_single", "naked_single"):
        return ()
    digits = position.grid.digits
    ((target, digit),) = step.placements
    if step.technique == "naked_single":
        left = {*range(1, 10)} - {digit}
        evidence = {cell: {digits[cell]} for cell in PEERS[target] if digits[cell]}
    else:
        house = next(fact for fact in step.houses if fact.role is HouseRole.BASE).house
        left = {cell for cell in HOUSES[house] if not digits[cell]} - {target}
        evidence = {cell: {*PEERS[cell]} for cell in range(81) if digits[cell] == digit}
    found = []
    while left:
        best = max(evidence, key=lambda cell: len(evidence[cell] & left), default=None)
        if best is None or not evidence[best] & left:
            return ()
        found.append(best)
        left -= evidence[best]
    return tuple(sorted(found))


def noted(step: Step, position: Position | None) -> tuple[int, ...]:
    """The cells of a hidden single's house that marks alone rule out; empty where digits do."""
    if position is None or step.technique != "hidden_single" or witnesses(step, position):
        return ()
    digits = position.grid.digits
    ((target, digit),) = step.placements
    house = next(fact for fact in step.houses if fact.role is HouseRole.BASE).house
    return tuple(
        cell
        for cell in HOUSES[house]
        if not digits[cell] and cell != target and all(digits[peer] != digit for peer in PEERS[cell])
    )
