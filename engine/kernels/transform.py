"""Random equivalence transformations of arrays; see engine.Transformation."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ._jit import kernel
from .rng import below, shuffle

State = NDArray[np.uint64]
Lines = NDArray[np.int64]
Digits = NDArray[np.uint8]


@kernel
def draw_lines(state: State, mirrored: bool, out: Lines) -> None:
    """Write a random order of lines that keeps bands together to int64[9] `out`; mutates the random `state`.

    With `mirrored`, opposite lines stay opposite: out[8 - i] == 8 - out[i].
    """
    for line in range(9):
        out[line] = line
    if mirrored:
        # The first four determine it: the outer bands swap or not, the last repeats the first backwards, and
        # the middle line stays.
        shuffle(state, out[:3])
        if below(state, 2):
            for line in range(3):
                out[line] += 6
        if below(state, 2):
            out[3] = 5
        for line in range(4):
            out[8 - line] = 8 - out[line]
        return
    for band in range(0, 9, 3):
        shuffle(state, out[band : band + 3])
    for band in range(2, 0, -1):
        chosen = below(state, band + 1)
        for line in range(3):
            kept = out[3 * band + line]
            out[3 * band + line] = out[3 * chosen + line]
            out[3 * chosen + line] = kept


@kernel
def draw(
    state: State,
    mirrored_rows: bool,
    mirrored_columns: bool,
    alike: bool,
    transposable: bool,
    out_rows: Lines,
    out_columns: Lines,
    out_digits: Digits,
) -> bool:
    """Draw a transformation: whether it transposes, its lines to int64[9] twice, its digits to uint8[10].

    alike: columns move as rows do. Mutates the random `state`; the rest: `draw_lines`.
    """
    draw_lines(state, mirrored_rows, out_rows)
    if alike:
        for line in range(9):
            out_columns[line] = out_rows[line]
    else:
        draw_lines(state, mirrored_columns, out_columns)
    for digit in range(10):
        out_digits[digit] = digit
    shuffle(state, out_digits[1:])
    return transposable and below(state, 2) == 1


@kernel
def transform(
    source: Digits, transposed: bool, rows: Lines, columns: Lines, digits: Digits, out: Digits
) -> None:
    """Write the image of uint8[81] `source` to uint8[81] `out`; digits: uint8[10], 0 staying 0."""
    for row in range(9):
        for column in range(9):
            cell = rows[row] + 9 * columns[column] if transposed else 9 * rows[row] + columns[column]
            out[9 * row + column] = digits[source[cell]]
