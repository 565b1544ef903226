"""Bands and their 416 classes: the least band that relabeling digits and reordering lines can make of one."""

from __future__ import annotations

from itertools import permutations, product
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.kernels._jit import kernel

Digits = NDArray[np.uint8]

# int64[1296, 9]: every order of the columns that keeps boxes whole.
_COLUMNS: Final = np.array(
    [
        [3 * box + inside[box][place] for box in boxes for place in range(3)]
        for boxes in permutations(range(3))
        for inside in product(list(permutations(range(3))), repeat=3)
    ]
)


@kernel
def least_band(band: Digits, out: Digits) -> None:
    """Write the least band equivalent to uint8[27] `band`, its first row 1..9, into uint8[27] `out`."""
    out[:] = 10
    names = np.zeros(10, np.int64)
    for top in range(3):
        for order in range(len(_COLUMNS)):
            for place in range(9):
                names[band[9 * top + _COLUMNS[order, place]]] = place + 1
            middle, low = (top + 1) % 3, (top + 2) % 3
            first = _COLUMNS[order, 0]
            if names[band[9 * low + first]] < names[band[9 * middle + first]]:
                middle, low = low, middle
            less = False
            for place in range(18):
                row = middle if place < 9 else low
                digit = names[band[9 * row + _COLUMNS[order, place % 9]]]
                if not less:
                    if digit > out[9 + place]:
                        break
                    less = digit < out[9 + place]
                if less:
                    out[9 + place] = digit
    for place in range(9):
        out[place] = place + 1


def class_of(band: Digits) -> str:
    """Return the class's least band, without its first row."""
    out = np.empty(27, np.uint8)
    least_band(band, out)
    return "".join(map(str, out[9:].tolist()))


def class_sizes() -> dict[str, int]:
    """Return each class's least band and its number among the 2,612,736 bands with a fixed first box."""
    lines = (Path(__file__).parent / "data" / "bands.txt").read_text().splitlines()
    pairs = (line.split() for line in lines if not line.startswith("#"))
    return {band: int(size) for band, size in pairs}
