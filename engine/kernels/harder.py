"""Exchange givens on arrays for others, as long as a plain search needs many nodes. Rates nothing."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from ._jit import kernel
from .bitboard import UNBOUNDED, Digits, Words, search, start
from .fewer import pare
from .grow import grow
from .rng import below, shuffle

State = NDArray[np.uint64]
Cells = NDArray[np.int64]

MOST_EXCHANGED: Final = 3  # givens at a time


@kernel
def nodes_of(puzzle: Digits, stack: Words) -> int:
    """Return the number of nodes a search needs to prove that uint8[81] `puzzle` has one solution."""
    start(puzzle, stack[0])
    return search(2, UNBOUNDED, stack, np.empty((0, 81), np.uint8))[1]


@kernel
def exchanged(state: State, tries: int, least: int, puzzle: Digits, stack: Words, out: Digits) -> int:
    """Write to `out` the uint8[81] `puzzle` with givens exchanged, so that a search takes `least` nodes.

    Removes one to three givens, adds random ones until one solution is left, which may be another, and
    removes redundant ones. Returns the nodes; 0 if none of the tries reached as many, or another puzzle.
    Mutates the random `state`, overwrites the solver's `stack`.
    """
    order = np.arange(81)
    cells = np.empty(81, dtype=np.int64)
    for _ in range(tries):
        count = 0
        for cell in range(81):
            out[cell] = puzzle[cell]
            if out[cell]:
                cells[count] = cell
                count += 1
        shuffle(state, cells[:count])
        for index in range(1 + below(state, MOST_EXCHANGED)):
            out[cells[index]] = 0
        shuffle(state, order)
        grow(state, order.reshape((81, 1)), stack, out)
        pare(state, 0, cells, stack, out)
        nodes = nodes_of(out, stack)
        if nodes >= least and (out != puzzle).any():
            return nodes
    return 0
