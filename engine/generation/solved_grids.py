"""Full grids to dig in, one maker a published system. Each takes a random state and mutates it.

No maker leaves a trace of the order in which its solver looks: a random equivalence transformation ends
each one that needs it.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.generation.symmetry import Symmetry
from engine.generation.transform import redraw
from engine.kernels import bitboard
from engine.kernels import solved_grids as kernels

State = NDArray[np.uint64]
Digits = NDArray[np.uint8]

LAS_VEGAS_CELLS = 11  # Xue, Jiang, Li, 5.2.1: n = 11 has a solution in 99.7 % of the draws
LAS_VEGAS_NODES = 10_000  # a draw that needs more is drawn anew; hardly any does


def las_vegas(state: State, cells: int = LAS_VEGAS_CELLS) -> Digits:
    """A fresh uint8[81]: `cells` random cells get a random digit the rules allow, a solver does the rest.

    A draw without a solution is drawn anew (Xue, Jiang, Li, 5.2.1).
    """
    out = np.empty(81, np.uint8)
    kernels.las_vegas(state, cells, LAS_VEGAS_NODES, bitboard.workspace(), out)
    redraw(state, Symmetry.NONE, out)
    return out
