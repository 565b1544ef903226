"""What rows, columns and boxes hold, as masks: the plain book-keeping of the literature's solvers.

A mask has bit d set for digit d, 1..9. Houses are numbered 0..8 rows, 9..17 columns, 18..26 boxes.
"""

from __future__ import annotations

from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from engine import geometry
from engine.kernels._jit import kernel

Mask: TypeAlias = Any  # an int of Python or of numpy, as the JIT or its absence has it

ALL_DIGITS: Final = 1022
BOX_OF: Final = np.array(geometry.BOX_OF, np.int64)


@kernel
def take_givens(givens: NDArray[np.uint8], out: NDArray[np.int64]) -> bool:
    """Note uint8[81] `givens` in the masks int64[27] `out`; False where a house holds a digit twice."""
    for cell in range(81):
        digit = np.int64(givens[cell])
        if digit != 0:
            bit = 1 << digit
            if (out[cell // 9] | out[9 + cell % 9] | out[18 + BOX_OF[cell]]) & bit:
                return False
            toggle(cell, bit, out)
    return True


@kernel
def toggle(cell: int, bit: Mask, out: NDArray[np.int64]) -> None:
    """Note in the masks int64[27] `out` that the digit of `bit` comes into a cell, or goes out of it."""
    out[cell // 9] ^= bit
    out[9 + cell % 9] ^= bit
    out[18 + BOX_OF[cell]] ^= bit


@kernel
def candidates(cell: int, taken: NDArray[np.int64]) -> Mask:
    """The digits no house of a cell holds, by the masks int64[27] `taken`."""
    return ALL_DIGITS & ~(taken[cell // 9] | taken[9 + cell % 9] | taken[18 + BOX_OF[cell]])
