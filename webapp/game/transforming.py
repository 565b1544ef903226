"""Apply a transformation to moves."""

from __future__ import annotations

from dataclasses import replace

import engine
from webapp.game.moves import Kind, Move

# The kinds whose digit is one of the puzzle's; for others it is a color or the depth of a hint.
_OF_DIGITS = frozenset({Kind.DIGIT, Kind.CORNER, Kind.CENTRE, Kind.STRIKE, Kind.FILL})


def transformed(move: Move, turn: engine.Transformation) -> Move:
    """Return the same move on the transformed board; `turn.inverse()` reverses it."""
    named = move.digit is not None and move.kind in _OF_DIGITS
    return replace(
        move,
        cells=tuple(turn.target(cell) for cell in move.cells),
        candidates=tuple((turn.target(cell), turn.digits[digit - 1]) for cell, digit in move.candidates),
        digit=turn.digits[move.digit - 1] if named and move.digit is not None else move.digit,
    )
