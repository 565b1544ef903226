"""The guided first puzzle: the next step, read off its board. Nothing is stored."""

from __future__ import annotations

from typing import Final

from webapp.game.board import Board

# A beginner's puzzle, whose first three digits are found in its first box: 3 in r1c2, 2 in r3c2, 9 in r2c1.
GIVENS: Final = "5.147..2..74.5631.6.83..54.86.9.3....92..5.7..1...7983..3.91..57.6.3...2..95..734"
ONE, TWO, THREE = 1, 19, 9  # their cells
BOTH: Final = 1 << 2 - 1 | 1 << 9 - 1  # the digits that the second cell is noted for
STEPS: Final = 5
CELLS: Final = {1: ONE, 2: TWO, 3: TWO}  # step -> the cell it speaks of


def step(board: Board) -> int:
    """Return the step to take now, 1..STEPS: a digit, marks, the digit they leave, a hint, the rest."""
    layers = board.layers
    done = (
        layers.digits[ONE] == 3,
        layers.digits[TWO] == 2 or layers.corner[TWO] & BOTH == BOTH,
        layers.digits[TWO] == 2,
        board.hints > 0,
    )
    return next((number for number, whether in enumerate(done, 1) if not whether), STEPS)
