"""Witnesses: the digits on the board that leave a single its one place or its one candidate."""

from __future__ import annotations

from engine.geometry import HOUSES, PEERS
from engine.position import Position
from engine.step import Step
from engine.techniques import HouseRole


def witnesses(step: Step, position: Position | None) -> tuple[int, ...]:
    """Few cells, ascending, whose digits between them leave a single its one place or its one candidate.

    Empty where marks have a say in it too, where the position is not known, and for any other step.
    """
    if position is None or step.technique not in ("hidden_single", "naked_single"):
        return ()
    digits = position.grid.digits
    ((target, digit),) = step.placements
    if step.technique == "naked_single":
        left = {*range(1, 10)} - {digit}
        told = {cell: {digits[cell]} for cell in PEERS[target] if digits[cell]}
    else:
        house = next(fact for fact in step.houses if fact.role is HouseRole.BASE).house
        left = {cell for cell in HOUSES[house] if not digits[cell]} - {target}
        told = {cell: {*PEERS[cell]} for cell in range(81) if digits[cell] == digit}
    found = []
    while left:
        best = max(told, key=lambda cell: len(told[cell] & left), default=None)
        if best is None or not told[best] & left:
            return ()
        found.append(best)
        left -= told[best]
    return tuple(sorted(found))
