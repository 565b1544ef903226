"""The board's geometry as arrays for kernels; engine.geometry has the same as tuples.

A set of cells is three words of 27 bits, one a band: cell c is bit c % 27 of word c // 27. A set of places in
a house is nine bits, in the order of engine.geometry.HOUSES. Both fit a signed int32 with bits to spare, so
the same code runs without the JIT and never overflows.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from ..geometry import HOUSES, HOUSES_OF, PEERS

ALL_DIGITS: Final = 0x1FF


def _words(cells: tuple[int, ...]) -> list[int]:
    """Return cells as a set of three words."""
    return [sum(1 << cell % 27 for cell in cells if cell // 27 == band) for band in range(3)]


HOUSE_CELLS: Final[NDArray[np.int32]] = np.array(HOUSES, dtype=np.int32)  # [27, 9]
CELL_HOUSES: Final[NDArray[np.int32]] = np.array(HOUSES_OF, dtype=np.int32)  # [81, 3] row, column, box
# [81, 3]: the place of the cell in its row, column and box, 0..8
PLACE_IN: Final[NDArray[np.int32]] = np.array(
    [[HOUSES[house].index(cell) for house in HOUSES_OF[cell]] for cell in range(81)], dtype=np.int32
)
CELL_PEERS: Final[NDArray[np.int32]] = np.array(PEERS, dtype=np.int32)  # [81, 20]
PEER_WORDS: Final[NDArray[np.int32]] = np.array([_words(peers) for peers in PEERS], dtype=np.int32)
HOUSE_WORDS: Final[NDArray[np.int32]] = np.array([_words(cells) for cells in HOUSES], dtype=np.int32)
# [81, 81]: 1 for two different cells that see each other
SEES: Final[NDArray[np.int8]] = np.array(
    [[1 if other in PEERS[cell] else 0 for other in range(81)] for cell in range(81)], dtype=np.int8
)
_BITS: Final = 1 << np.arange(9, dtype=np.int32)
# [81, 27]: the places of a house that a cell sees
SEEN_PLACES: Final[NDArray[np.int32]] = SEES[:, HOUSE_CELLS].astype(np.int32) @ _BITS
# [81, 27]: those that it doesn't see, except itself
UNSEEN_PLACES: Final[NDArray[np.int32]] = (
    ALL_DIGITS - SEEN_PLACES - (np.arange(81)[:, None, None] == HOUSE_CELLS) @ _BITS
)
# [27, 27]: the places of the first house that are in the second
SHARED: Final[NDArray[np.int32]] = np.array(
    [
        [sum(1 << place for place, cell in enumerate(cells) if cell in HOUSES[other]) for other in range(27)]
        for cells in HOUSES
    ],
    dtype=np.int32,
)
