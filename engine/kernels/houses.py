"""The digits of rows, columns and boxes as masks: the bookkeeping of the papers' solvers.

A mask has bit d set for digit d, 1..9. Houses are numbered 0..8 rows, 9..17 columns, 18..26 boxes.
"""

from __future__ import annotations

from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from .. import geometry
from ._jit import kernel

Mask: TypeAlias = Any  # a Python or NumPy int, depending on the JIT

ALL_DIGITS: Final = 1022
BOX_OF: Final = np.array(geometry.BOX_OF, np.int64)


@kernel
def take_givens(givens: NDArray[np.uint8], out: NDArray[np.int64]) -> bool:
    """Add uint8[81] `givens` to the masks int64[27] `out`; False if a house has a digit twice."""
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
    """Add the digit of `bit` to a cell's houses in the masks int64[27] `out`, or remove it."""
    out[cell // 9] ^= bit
    out[9 + cell % 9] ^= bit
    out[18 + BOX_OF[cell]] ^= bit


@kernel
def candidates(cell: int, taken: NDArray[np.int64]) -> Mask:
    """Return the digits that no house of a cell has, by the masks int64[27] `taken`."""
    return ALL_DIGITS & ~(taken[cell // 9] | taken[9 + cell % 9] | taken[18 + BOX_OF[cell]])
