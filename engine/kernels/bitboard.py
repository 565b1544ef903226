"""The bitboard solver: candidates as 27 words of 27 bits, propagated by table, searched on a flat stack.

Word 3*d + b of a layout holds digit d+1 in band b: bit 9*r + c stands for row r of the band, column c. The
next 27 words hold, in the same order, the candidates that are the only ones of their digit in their row,
as far as the other digits were told of them; the last word holds the digits still to be looked at.
"""

from __future__ import annotations

from itertools import permutations
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.kernels._jit import kernel
from engine.kernels.bits import trailing_zeros, whole

Words = NDArray[np.uint32]
Digits = NDArray[np.uint8]

FULL: Final = 0x7FFFFFF
COLUMN: Final = 0x40201  # the leftmost column of a band
LONE: Final = 27  # where a layout's lone candidates start
STALE: Final = 54  # where its digits still to be looked at stand
WIDTH: Final = 55
DEPTH: Final = 82  # every guess fills a cell, and the top row is one more

BROKEN: Final = 0
SOLVED: Final = 1
OPEN: Final = 2

NO_CELL: Final = -1
UNBOUNDED: Final = np.iinfo(np.int64).max


def _alive_minis() -> Words:
    """uint32[512]: of nine mini-lines (bit 3*line + box) those in some arrangement that is all there.

    An arrangement gives each of the three boxes a line of its own. What is in none of them falls: that is
    every locked candidate of one digit in one band, in both directions, at once.
    """
    arrangements = [
        sum(1 << 3 * line + box for line, box in enumerate(boxes)) for boxes in permutations(range(3))
    ]
    table = np.zeros(512, np.uint32)
    for present in range(512):
        for arrangement in arrangements:
            if present & arrangement == arrangement:
                table[present] |= arrangement
    return table


def _bits(words: Words, width: int) -> Words:
    """uint32[..., width] of the single bits of `words`."""
    return (words[..., None] >> np.arange(width, dtype=np.uint32)) & np.uint32(1)


_NINE: Final = np.arange(512, dtype=np.uint32)
_ALIVE: Final = _alive_minis()
_ALIVE_CELLS: Final = np.bitwise_or.reduce(
    _bits(_ALIVE, 9) * (np.uint32(7) << np.arange(0, 27, 3, dtype=np.uint32)), 1
)
_MINIS: Final = np.bitwise_or.reduce(
    (_bits(_NINE, 9).reshape(-1, 3, 3).any(2)).astype(np.uint32) << np.arange(3, dtype=np.uint32), 1
)
_ONE_BIT: Final = np.where(_bits(_NINE, 9).sum(1) == 1, _NINE, 0).astype(np.uint32)
_BAND: Final = np.arange(27)
_AWAY: Final = np.bitwise_or.reduce(
    (
        (_BAND[:, None] == _BAND)
        | (
            (_BAND[:, None] // 9 != _BAND // 9)
            & (_BAND[:, None] % 9 != _BAND % 9)
            & (_BAND[:, None] % 9 // 3 != _BAND % 9 // 3)
        )
    ).astype(np.uint32)
    << _BAND.astype(np.uint32),
    1,
)  # uint32[27]: the cells of a band that a digit in this cell leaves to its digit


def workspace() -> Words:
    """A fresh stack; one serves any number of searches, one after the other."""
    return np.zeros((DEPTH, WIDTH), np.uint32)


@kernel
def start(givens: Digits, out: Words) -> None:
    """Lay out uint8[81] `givens` in `out`, each struck from its peers and its cell's other digits."""
    for word in range(27):
        out[word] = FULL
        out[LONE + word] = 0
    out[STALE] = 511
    for cell in range(81):
        if givens[cell] != 0:
            word = 3 * (whole(givens[cell]) - 1)
            band = cell // 27
            for other in range(3):
                out[word + other] &= _AWAY[cell % 27] if other == band else FULL & ~(COLUMN << cell % 9)
            out[LONE + word + band] |= 1 << cell % 27
    for band in range(3):
        taken = whole(0)
        for digit in range(9):
            taken |= whole(out[LONE + 3 * digit + band])
        for digit in range(9):
            out[3 * digit + band] &= (FULL & ~taken) | whole(out[LONE + 3 * digit + band])


@kernel
def ban(cell: int, digit: int, out: Words) -> None:
    """Strike digit 1..9 from a cell 0..80 of the layout `out`."""
    out[3 * (digit - 1) + cell // 27] &= FULL & ~(1 << cell % 27)
    out[STALE] |= 1 << (digit - 1)


@kernel
def settle(out: Words) -> int:
    """Propagate the layout `out` until nothing changes: locked candidates, hidden and naked singles.

    Returns BROKEN where no solution is left, SOLVED where every cell holds one digit, else OPEN.
    """
    while True:
        stale = whole(out[STALE])
        told0, told1, told2 = whole(0), whole(0), whole(0)
        while stale:
            digit = trailing_zeros(stale)
            stale &= stale - 1
            word = 3 * digit
            band0, band1, band2 = whole(out[word]), whole(out[word + 1]), whole(out[word + 2])
            while True:
                before0, before1, before2 = band0, band1, band2
                band0 &= whole(_ALIVE_CELLS[_mini_rows(band0)])
                band1 &= whole(_ALIVE_CELLS[_mini_rows(band1)])
                band2 &= whole(_ALIVE_CELLS[_mini_rows(band2)])
                columns0 = (band0 | band0 >> 9 | band0 >> 18) & 511
                columns1 = (band1 | band1 >> 9 | band1 >> 18) & 511
                columns2 = (band2 | band2 >> 9 | band2 >> 18) & 511
                left0, left1, left2 = whole(0), whole(0), whole(0)
                for stack in range(0, 9, 3):
                    alive = whole(
                        _ALIVE[
                            (columns0 >> stack & 7)
                            | (columns1 >> stack & 7) << 3
                            | (columns2 >> stack & 7) << 6
                        ]
                    )
                    if alive == 0:
                        return BROKEN
                    left0 |= (alive & 7) << stack
                    left1 |= (alive >> 3 & 7) << stack
                    left2 |= alive >> 6 << stack
                band0 &= left0 * COLUMN
                band1 &= left1 * COLUMN
                band2 &= left2 * COLUMN
                if band0 == before0 and band1 == before1 and band2 == before2:
                    break
            out[word], out[word + 1], out[word + 2] = band0, band1, band2
            fresh0 = _lone_in_row(band0) & ~whole(out[LONE + word])
            fresh1 = _lone_in_row(band1) & ~whole(out[LONE + word + 1])
            fresh2 = _lone_in_row(band2) & ~whole(out[LONE + word + 2])
            if fresh0 & told0 or fresh1 & told1 or fresh2 & told2:
                return BROKEN
            out[LONE + word] |= fresh0
            out[LONE + word + 1] |= fresh1
            out[LONE + word + 2] |= fresh2
            told0, told1, told2 = told0 | fresh0, told1 | fresh1, told2 | fresh2

        solved = True
        for band in range(3):
            told = told0 if band == 0 else told1 if band == 1 else told2
            once, twice = whole(0), whole(0)
            for word in range(band, 27, 3):
                cells = whole(out[word])
                kept = cells & (~told | whole(out[LONE + word]))
                if kept != cells:
                    out[word] = kept
                    stale |= 1 << word // 3
                twice |= once & kept
                once |= kept
            if once != FULL:
                return BROKEN
            if twice:
                solved = False
            naked = once & ~twice
            for word in range(band, 27, 3):
                found = whole(out[word]) & naked & ~whole(out[LONE + word])
                while found:
                    place = trailing_zeros(found)
                    found &= found - 1
                    for other in range(word - band, word - band + 3):
                        cells = whole(out[other])
                        kept = cells & (
                            whole(_AWAY[place]) if other == word else FULL & ~(COLUMN << place % 9)
                        )
                        if kept != cells:
                            out[other] = kept
                            stale |= 1 << word // 3
        out[STALE] = stale
        if stale == 0:
            return SOLVED if solved else OPEN


@kernel
def _mini_rows(cells: int) -> int:
    """Which of a band's nine mini-rows hold any of these cells."""
    return whole(_MINIS[cells & 511]) | whole(_MINIS[cells >> 9 & 511]) << 3 | whole(_MINIS[cells >> 18]) << 6


@kernel
def _lone_in_row(cells: int) -> int:
    """Those of a band's cells that stand alone in their row."""
    return (
        whole(_ONE_BIT[cells & 511])
        | whole(_ONE_BIT[cells >> 9 & 511]) << 9
        | whole(_ONE_BIT[cells >> 18]) << 18
    )


@kernel
def _choice(layout: Words) -> int:
    """Where to guess, as 27 * word + bit: the first bivalue cell, else a cell with the fewest candidates."""
    best, best_count = NO_CELL, 10
    for band in range(3):
        once, twice, more = whole(0), whole(0), whole(0)
        for word in range(band, 27, 3):
            cells = whole(layout[word])
            more |= twice & cells
            twice |= once & cells
            once |= cells
        bivalue = twice & ~more
        if bivalue:
            place = trailing_zeros(bivalue)
            for word in range(band, 27, 3):
                if whole(layout[word]) >> place & 1:
                    return 27 * word + place
        while more:
            place = trailing_zeros(more)
            more &= more - 1
            count = 0
            first = NO_CELL
            for word in range(24 + band, -1, -3):
                if whole(layout[word]) >> place & 1:
                    count += 1
                    first = word
            if count < best_count:
                best, best_count = 27 * first + place, count
    return best


@kernel
def _write(layout: Words, out: Digits) -> None:
    """The digits 1..9 of a solved layout, into uint8[81] `out`."""
    for word in range(27):
        cells = whole(layout[word])
        while cells:
            out[27 * (word % 3) + trailing_zeros(cells)] = word // 3 + 1
            cells &= cells - 1


@kernel
def search(limit: int, most_nodes: int, stack: Words, out: NDArray[np.uint8]) -> tuple[int, int]:
    """Count the solutions of the layout in row 0 of `stack` up to `limit`; the first ones go to `out`.

    stack: uint32[DEPTH, WIDTH], overwritten. out: uint8[k, 81]; solutions beyond the k-th are only counted.
    Returns (solutions, nodes). A node is a layout propagated. Where the search was cut because it would
    have needed more than `most_nodes`, nodes is most_nodes + 1 and solutions counts those found so far.
    Bivalue cells are guessed first, the lower digit first.
    """
    found, nodes, top = 0, 0, 0
    while top >= 0:
        nodes += 1
        if nodes > most_nodes:
            break
        state = settle(stack[top])
        if state == OPEN:
            chosen = _choice(stack[top])
            word, place = chosen // 27, chosen % 27
            stack[top + 1] = stack[top]
            stack[top, word] &= FULL & ~(1 << place)
            stack[top, STALE] |= 1 << word // 3
            top += 1
            for other in range(word % 3, 27, 3):
                if other != word and whole(stack[top, other]) >> place & 1:
                    stack[top, other] &= FULL & ~(1 << place)
                    stack[top, STALE] |= 1 << other // 3
            continue
        if state == SOLVED:
            if found < len(out):
                _write(stack[top], out[found])
            found += 1
            if found >= limit:
                break
        top -= 1
    return found, nodes


@kernel
def solve_range(
    givens: NDArray[np.uint8], limit: int, stack: Words, out: NDArray[np.uint8], out_counts: NDArray[np.int64]
) -> None:
    """Count the solutions of every row of `givens` up to `limit`, the first one going to `out`.

    givens: uint8[n, 81], 0 = empty. out: uint8[n, 81], zero where there is no solution.
    out_counts: int64[n]. stack: uint32[DEPTH, WIDTH], overwritten.
    """
    for row in range(len(givens)):
        start(givens[row], stack[0])
        out[row] = 0
        out_counts[row] = search(limit, UNBOUNDED, stack, out[row : row + 1])[0]
