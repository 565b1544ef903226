"""Random equivalence transformations, which end "dig-hole".

Source: Xue, Jiang, Li, operation 5. Transformation itself is in engine/transformation.py.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..kernels import transform as kernels
from ..kernels.rng import shuffle
from ..transformation import Transformation
from .symmetry import Symmetry

State = NDArray[np.uint64]


def random_transformation(state: State, symmetry: Symmetry = Symmetry.NONE) -> Transformation:
    """Return a random transformation that keeps `symmetry` in any pattern that has it; mutates the random
    `state`.

    Without a symmetry each of the 1,218,998,108,160 is equally likely. With one, opposite lines stay
    opposite, and columns move as rows do if the symmetry maps rows to columns.
    """
    transposed, rows, columns, digits = _drawn(state, symmetry)
    return Transformation(
        transposed, tuple(rows.tolist()), tuple(columns.tolist()), tuple(digits[1:].tolist())
    )


def redraw(state: State, symmetry: Symmetry, *out: NDArray[np.uint8]) -> None:
    """Apply one `random_transformation` to every uint8[81] of `out`, in place."""
    drawn = _drawn(state, symmetry)
    for grid in out:
        kernels.transform(grid.copy(), *drawn, grid)


def rename(state: State, out: NDArray[np.uint8]) -> None:
    """Relabel the digits of uint8[81] `out` at random, in place; filled cells stay filled."""
    digits = np.arange(10, dtype=np.uint8)
    shuffle(state, digits[1:])
    out[:] = digits[out]


def _drawn(
    state: State, symmetry: Symmetry
) -> tuple[bool, NDArray[np.int64], NDArray[np.int64], NDArray[np.uint8]]:
    rows, columns, digits = np.empty(9, np.int64), np.empty(9, np.int64), np.empty(10, np.uint8)
    transposed = bool(kernels.draw(state, *symmetry.ties, rows, columns, digits))
    return transposed, rows, columns, digits
