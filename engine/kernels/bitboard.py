"""The bitboard solver: candidate sets of all boxes side by side, two branches propagated at once.

A layout is nine words of 16 lanes (`kernels.lanes`), 144 uint16 in all. Word 3*r + c holds, lane by lane, the
candidates of the cell in row r and column c of each box, as bits of DIGITS. So constraints between the cells
of a box are plain logic between words, the same for all boxes in one instruction. Constraints between boxes
permute the lanes, and no lookup tables are needed. A guess has two sides. They fill the two halves of a
pair and are propagated together, which costs hardly more than one: latency, not throughput, is the limit.
"""

from __future__ import annotations

import threading
from typing import Final, cast

import numpy as np
from numpy.typing import NDArray

from ._jit import kernel
from .bits import trailing_zeros, whole
from .lanes import (
    COUNT,
    DIGITS,
    REGISTER,
    Lanes,
    all_but_least,
    at_least_three,
    at_most_three,
    below,
    below_two,
    least,
    lesser,
    load,
    load_pair,
    load_register,
    lone,
    nonzero,
    ones,
    pair,
    preferred,
    right,
    right_two,
    spread,
    store,
)

Words = NDArray[np.uint16]
Digits = NDArray[np.uint8]
Triple = tuple[Lanes, Lanes, Lanes]

UNBOUNDED: Final = np.iinfo(np.int64).max

BROKEN: Final = 0
SOLVED: Final = 1
OPEN: Final = 2

_LAYOUT: Final = 144
_BOXES: Final = 0x0777  # the lanes that are boxes
_HALF: Final = 0xFFFF
_UPPER: Final = 16  # offset of the second half in a pair's lanes, or in their bits

# Every guess on a path decides one more line of a box for a digit: 9 digits, 9 boxes, two directions, two
# lines to rule out.
_DEEPEST: Final = 9 * 9 * 2 * 2
_FRAMES: Final = 2 * _LAYOUT  # rows 0 and 1 of a stack are the layouts to test; the search follows
_PAIR: Final = _FRAMES + _LAYOUT * (_DEEPEST + 1)  # where two layouts are propagated side by side
_TOTALS: Final = _PAIR + 2 * _LAYOUT  # the sums of the last pass
_NOTES: Final = _TOTALS + 2 * COUNT  # scratch of `_branch`, read lane by lane
_NO_STRIKE: Final = _NOTES + 12 * 16
_STRIKE: Final = _NO_STRIKE + 32
_STRIKE_OTHERS: Final = _STRIKE + 32
_ROWS: Final = -(-(_STRIKE_OTHERS + 32) // _LAYOUT)

_CELL: Final = np.arange(81)
_PLACE: Final = (  # int64[81]: offset of a cell's word in a layout
    (_CELL // 9 % 3 * 3 + _CELL % 3) * 16 + _CELL // 27 * 4 + _CELL % 9 // 3
)
_SET: Final = np.array(
    [DIGITS, *(1 << bit for bit in range(16) if DIGITS >> bit & 1)], np.uint16
)  # by digit, 0 for an empty cell
_NUMBERS: Final = np.arange(16, dtype=np.uint16)
_MINUS_TEN: Final = np.full(16, 2**16 - 10, np.uint16)
_ONLY: Final = (np.eye(16, dtype=np.uint16) * np.uint16(DIGITS)).reshape(-1)  # one lane per digit
_MINE: Final = threading.local()


def workspace() -> Words:
    """Return a new stack, uint16[rows, 144]; one serves any number of searches, one after another.

    It starts on a cache line: without AVX-512 a search takes a third longer where registers straddle two.
    """
    room = np.empty(_ROWS * _LAYOUT + 32, np.uint16)
    first = -room.ctypes.data % 64 // 2
    return room[first : first + _ROWS * _LAYOUT].reshape(_ROWS, _LAYOUT)


def own_workspace() -> Words:
    """Return the thread's stack for a search at once; a new one takes a tenth of making a puzzle."""
    if not hasattr(_MINE, "stack"):
        _MINE.stack = workspace()
    return cast("Words", _MINE.stack)


@kernel
def start(givens: Digits, out: Words) -> None:
    """Write uint8[81] `givens`, 0 = empty, as a layout to uint16[144] `out`; propagates nothing."""
    out[:] = 0
    for cell in range(81):
        out[_PLACE[cell]] = _SET[givens[cell]]


@kernel
def copy_layout(layout: Words, out: Words) -> None:
    """Copy `layout` to `out`; Numba's own assignment of arrays costs as much as a pass."""
    for word in range(0, _LAYOUT, 16):
        store(load(layout, word), out, word)


@kernel
def ban(cell: int, digit: int, out: Words) -> None:
    """Strike digit 1..9 from a cell 0..80 of the layout `out`."""
    out[_PLACE[cell]] &= ~_SET[digit]


@kernel
def free(cell: int, out: Words) -> None:
    """Allow any digit in a cell 0..80 of the layout `out`."""
    out[_PLACE[cell]] = DIGITS


@kernel
def _repeated(first: Lanes, second: Lanes, third: Lanes) -> Lanes:
    """Return the bits set in at least two of three words."""
    return (first & second) | ((first | second) & third)


@kernel
def _in_band(rows: Triple) -> tuple[Triple, Triple]:
    """Return the rows of the next box in each box's band, and of the one after."""
    first, second, third = rows
    return (right(first), right(second), right(third)), (
        right_two(first),
        right_two(second),
        right_two(third),
    )


@kernel
def _in_stack(columns: Triple) -> tuple[Triple, Triple]:
    """Return the columns of the next box in each box's stack, and of the one after."""
    first, second, third = columns
    return (below(first), below(second), below(third)), (
        below_two(first),
        below_two(second),
        below_two(third),
    )


@kernel
def _placeable(lines: Triple, others: tuple[Triple, Triple]) -> Triple:
    """Return the digits each line of a box can take: for each digit, the three boxes need different lines."""
    line0, line1, line2 = lines
    (next0, next1, next2), (last0, last1, last2) = others
    return (
        line0 & ((next1 & last2) | (next2 & last1)),
        line1 & ((next0 & last2) | (next2 & last0)),
        line2 & ((next0 & last1) | (next1 & last0)),
    )


@kernel
def _certain(lines: Triple) -> Triple:
    """Return the digits that only one of a box's three lines can take."""
    line0, line1, line2 = lines
    return line0 & ~(line1 | line2), line1 & ~(line0 | line2), line2 & ~(line0 | line1)


@kernel
def _by_count(lines: Triple, certain: Triple, alone: Triple) -> Triple:
    """Count by line, which has three cells: three certain digits exclude others, and three possible ones
    aren't elsewhere.

    Digits that are alone in a cell of a line aren't elsewhere either.
    """
    line0, line1, line2 = lines
    certain0, certain1, certain2 = certain
    alone0, alone1, alone2 = alone
    own0 = alone0 | at_most_three(line0)
    own1 = alone1 | at_most_three(line1)
    own2 = alone2 | at_most_three(line2)
    return (
        at_least_three(certain0, line0) & ~(own1 | own2),
        at_least_three(certain1, line1) & ~(own0 | own2),
        at_least_three(certain2, line2) & ~(own0 | own1),
    )


@kernel
def _settle(words: Words) -> int:
    """Propagate the pair at words[_PAIR], which is mutated, until neither half changes.

    Returns the halves with a candidate in every cell: bit 0 for the first, bit _UPPER for the second. The
    others are broken, and left unfinished.

    Each pass applies these rules, first by row, then by column: hidden singles, locked candidates in both
    directions, and the limit of three digits to a line of a box; by row also naked singles. Applying both to
    the same candidates would take three passes in ten more. Where a register holds one half, the passes of
    both alternate, so that one's steps fill the waits of the other. Whose turn it is is computed without a
    jump, since a wrong prediction would empty the pipeline.
    """
    none = load_register(words, _PAIR)
    none ^= none
    store(none, words, _TOTALS)
    if REGISTER == COUNT:
        store(none, words, _TOTALS + COUNT)
    here, there = whole(_PAIR), whole(_PAIR + COUNT)
    alive = whole(1 | 1 << _UPPER)
    while True:
        c00, c01 = load_register(words, here), load_register(words, here + 32)
        c02, c10 = load_register(words, here + 64), load_register(words, here + 96)
        c11, c12 = load_register(words, here + 128), load_register(words, here + 160)
        c20, c21 = load_register(words, here + 192), load_register(words, here + 224)
        c22 = load_register(words, here + 256)

        # The digits each row of a box can hold, and must hold: if a digit is in only one of its cells, it is
        # that cell's.
        rows = c00 | c01 | c02, c10 | c11 | c12, c20 | c21 | c22
        rows = _placeable(rows, _in_band(rows))
        certain = _certain(rows)
        m0, m1, m2 = certain
        m0 = m0 & ~_repeated(c00, c01, c02)
        m1 = m1 & ~_repeated(c10, c11, c12)
        m2 = m2 & ~_repeated(c20, c21, c22)
        # Remove a cell's only digit from the box's other cells.
        s00, s01, s02, s10, s11, s12 = lone(c00), lone(c01), lone(c02), lone(c10), lone(c11), lone(c12)
        s20, s21, s22 = lone(c20), lone(c21), lone(c22)
        r0, r1, r2 = _by_count(rows, certain, (s00 | s01 | s02, s10 | s11 | s12, s20 | s21 | s22))
        c00 = preferred(c00 & m0, c00) & r0 & ~(s01 | s02)
        c01 = preferred(c01 & m0, c01) & r0 & ~(s00 | s02)
        c02 = preferred(c02 & m0, c02) & r0 & ~(s00 | s01)
        c10 = preferred(c10 & m1, c10) & r1 & ~(s11 | s12)
        c11 = preferred(c11 & m1, c11) & r1 & ~(s10 | s12)
        c12 = preferred(c12 & m1, c12) & r1 & ~(s10 | s11)
        c20 = preferred(c20 & m2, c20) & r2 & ~(s21 | s22)
        c21 = preferred(c21 & m2, c21) & r2 & ~(s20 | s22)
        c22 = preferred(c22 & m2, c22) & r2 & ~(s20 | s21)

        columns = c00 | c10 | c20, c01 | c11 | c21, c02 | c12 | c22
        columns = _placeable(columns, _in_stack(columns))
        k0, k1, k2 = _by_count(columns, _certain(columns), (none, none, none))
        c00, c10, c20 = c00 & k0, c10 & k0, c20 & k0
        c01, c11, c21 = c01 & k1, c11 & k1, c21 & k1
        c02, c12, c22 = c02 & k2, c12 & k2, c22 & k2

        store(c00, words, here)
        store(c01, words, here + 32)
        store(c02, words, here + 64)
        store(c10, words, here + 96)
        store(c11, words, here + 128)
        store(c12, words, here + 160)
        store(c20, words, here + 192)
        store(c21, words, here + 224)
        store(c22, words, here + 256)
        fewest = lesser(
            lesser(lesser(c00, c01), lesser(c02, c10)),
            lesser(lesser(lesser(c11, c12), lesser(c20, c21)), c22),
        )
        # Digits are only ever removed, so any change makes the sum of a box's words smaller. It can wrap
        # around, but a pass that takes 2**16 at once would leave less than nine different digits.
        total = ((c00 + c01) + (c02 + c10)) + ((c11 + c12) + (c20 + c21)) + c22
        before = load_register(words, here + 2 * _LAYOUT)
        store(total, words, here + 2 * _LAYOUT)
        filled, changed = nonzero(fewest), nonzero(total ^ before)
        if REGISTER == COUNT:
            lacking = (filled & _BOXES) - _BOXES  # negative if a box has an empty cell
            alive &= ~((lacking >> 63 & 1) << here - _PAIR)
            done = (lacking | (whole(changed != 0) - 1)) >> 63
            if (here ^ there) | ~done == 0:
                return alive
            here, there = there, here ^ ((here ^ there) & done)
        else:
            alive = whole(filled & _BOXES == _BOXES) | whole(filled >> _UPPER & _BOXES == _BOXES) << _UPPER
            if changed & alive * _HALF == 0:
                return alive


@kernel
def _note_ways(lines: Triple, others: tuple[Triple, Triple], out: Words, at: int) -> int:
    """Count the ways each digit can still be distributed over the lines of three boxes in a row.

    Writes the three binary places of the count, by digit, to out[at : at + 48], and the lines to the next 48
    words. Returns 16 * (ways of all digits - 10) + lane, the least of those with over nine ways.
    """
    line0, line1, line2 = lines
    (next0, next1, next2), (last0, last1, last2) = others
    way0, way1 = line0 & next1 & last2, line0 & next2 & last1
    way2, way3 = line1 & next0 & last2, line1 & next2 & last0
    way4, way5 = line2 & next0 & last1, line2 & next1 & last0
    low0, high0 = way0 ^ way1 ^ way2, (way0 & way1) | (way2 & (way0 | way1))
    low1, high1 = way3 ^ way4 ^ way5, (way3 & way4) | (way5 & (way3 | way4))
    carry = low0 & low1
    store(low0 ^ low1, out, at)
    store(high0 ^ high1 ^ carry, out, at + 16)
    store((high0 & high1) | (carry & (high0 | high1)), out, at + 32)
    store(line0, out, at + 48)
    store(line1, out, at + 64)
    store(line2, out, at + 80)
    total = ones(way0) + ones(way1) + ones(way2) + ones(way3) + ones(way4) + ones(way5)
    # Nine ways are one for each digit: nothing is left to guess. Subtracting ten wraps them around to the far
    # end, like the lanes without a box.
    total += load(_MINUS_TEN, 0)
    total += total
    total += total
    total += total
    total += total
    return whole(least(total | load(_NUMBERS, 0)))


@kernel
def _branch(words: Words, at: int) -> None:
    """Write both sides of a guess from the settled layout at words[at] to the pair at words[_PAIR].

    Chooses the band or stack with the fewest ways for its digits, in it the digit with the fewest, and of
    that a box with two possible lines: the digit isn't in the first, or not in the others. This decides a
    line, not a cell, and takes 120 nodes a puzzle of hardest1905, where guessing the first bivalue cell took
    207.
    """
    c00, c01, c02 = load(words, at), load(words, at + 16), load(words, at + 32)
    c10, c11, c12 = load(words, at + 48), load(words, at + 64), load(words, at + 80)
    c20, c21, c22 = load(words, at + 96), load(words, at + 112), load(words, at + 128)
    rows = c00 | c01 | c02, c10 | c11 | c12, c20 | c21 | c22
    columns = c00 | c10 | c20, c01 | c11 | c21, c02 | c12 | c22
    in_band = _note_ways(rows, _in_band(rows), words, _NOTES)
    in_stack = _note_ways(columns, _in_stack(columns), words, _NOTES + 96)
    across = in_band <= in_stack
    lane = (in_band if across else in_stack) & 15
    note = _NOTES + lane if across else _NOTES + 96 + lane
    step = 1 if across else 4

    # The digit: the smallest of the counts 2, 3, 4 and 6 (there is no 5) that occurs.
    one, two, four = whole(words[note]), whole(words[note + 16]), whole(words[note + 32])
    digits = two & ~one & ~four
    if digits == 0:
        digits = two & one
        if digits == 0:
            digits = four & ~two
            if digits == 0:
                digits = four
    bit = trailing_zeros(digits)

    # The box: one with two lines if there is one, and its first line.
    chosen, line = -1, 0
    note += 48
    for box in range(3):
        first = whole(words[note]) >> bit & 1
        lines = first + (whole(words[note + 16]) >> bit & 1) + (whole(words[note + 32]) >> bit & 1)
        if lines == 2 or (lines == 3 and chosen < 0):
            chosen = lane + box * step
            line = 1 - first
            if lines == 2:
                break
        note += step

    strike = load(_ONLY, 16 * chosen)
    none = strike ^ strike
    digit_lanes = spread(1 << bit)
    store(pair(strike, none) & digit_lanes, words, _STRIKE)
    store(pair(none, strike) & digit_lanes, words, _STRIKE_OTHERS)
    at0 = _STRIKE if line == 0 else _STRIKE_OTHERS
    at1 = _STRIKE if line == 1 else _STRIKE_OTHERS
    # Remove from each cell what is struck from its row or its column, of which one is nothing.
    r0 = load_pair(words, at0 if across else _NO_STRIKE)
    r1 = load_pair(words, at1 if across else _NO_STRIKE)
    r2 = load_pair(words, _STRIKE_OTHERS if across else _NO_STRIKE)
    k0 = load_pair(words, _NO_STRIKE if across else at0)
    k1 = load_pair(words, _NO_STRIKE if across else at1)
    k2 = load_pair(words, _NO_STRIKE if across else _STRIKE_OTHERS)
    store(pair(c00, c00) & ~(r0 | k0), words, _PAIR)
    store(pair(c01, c01) & ~(r0 | k1), words, _PAIR + 32)
    store(pair(c02, c02) & ~(r0 | k2), words, _PAIR + 64)
    store(pair(c10, c10) & ~(r1 | k0), words, _PAIR + 96)
    store(pair(c11, c11) & ~(r1 | k1), words, _PAIR + 128)
    store(pair(c12, c12) & ~(r1 | k2), words, _PAIR + 160)
    store(pair(c20, c20) & ~(r2 | k0), words, _PAIR + 192)
    store(pair(c21, c21) & ~(r2 | k1), words, _PAIR + 224)
    store(pair(c22, c22) & ~(r2 | k2), words, _PAIR + 256)


@kernel
def _keep(half: int, at: int, words: Words) -> int:
    """Copy half 0 or 1 of the pair to the layout at words[at]; returns SOLVED or OPEN."""
    several = load(words, _PAIR)
    several ^= several
    for word in range(0, _LAYOUT, 16):
        cell = load(words, _PAIR + 2 * word + 16 * half)
        store(cell, words, at + word)
        several |= all_but_least(cell)
    return OPEN if nonzero(several) else SOLVED


@kernel
def _write(layout: Words, out: Digits) -> None:
    """Write the digits 1..9 of a solved layout to uint8[81] `out`."""
    for cell in range(81):
        bit = trailing_zeros(whole(layout[_PLACE[cell]]))
        out[cell] = bit + 1 - (bit >> 3 << 2)  # without the gap in DIGITS


@kernel
def settle_two(stack: Words) -> tuple[int, int]:
    """Propagate the layouts in rows 0 and 1 of `stack`, which are mutated, side by side.

    Returns BROKEN for a layout without solution, SOLVED if every cell has one digit, else OPEN.
    """
    words = stack.reshape(-1)
    for word in range(0, _LAYOUT, 16):
        store(pair(load(words, word), load(words, _LAYOUT + word)), words, _PAIR + 2 * word)
    alive = _settle(words)
    first, second = _keep(0, 0, words), _keep(1, _LAYOUT, words)
    return first if alive & 1 else BROKEN, second if alive >> _UPPER & 1 else BROKEN


@kernel
def explore(row: int, limit: int, most_nodes: int, stack: Words, out: NDArray[np.uint8]) -> tuple[int, int]:
    """Search below the settled, open layout in row 0 or 1 of `stack`, which stays; returns the same as
    `search`.
    """
    words = stack.reshape(-1)
    copy_layout(stack[row], stack[2])
    store(spread(0), words, _NO_STRIKE)
    found, nodes, top = 0, 0, _FRAMES
    while top >= _FRAMES:
        nodes += 2
        if nodes > most_nodes:
            return found, most_nodes + 1
        _branch(words, top)
        top -= _LAYOUT
        alive = _settle(words)
        for half in range(2):
            if alive >> _UPPER * half & 1:
                top += _LAYOUT
                if _keep(half, top, words) == SOLVED:
                    if found < len(out):
                        _write(words[top : top + _LAYOUT], out[found])
                    top -= _LAYOUT
                    found += 1
                    if found >= limit:
                        return found, nodes
    return found, nodes


@kernel
def solvable(row: int, state: int, stack: Words) -> bool:
    """Whether the layout in row 0 or 1 of `stack`, settled to `state`, has any solution."""
    if state == OPEN:
        return explore(row, 1, UNBOUNDED, stack, stack[:0].view(np.uint8))[0] > 0
    return state == SOLVED


@kernel
def search(limit: int, most_nodes: int, stack: Words, out: NDArray[np.uint8]) -> tuple[int, int]:
    """Count the solutions of the layout in row 0 of `stack` up to `limit`; the first ones go to `out`.

    stack: `workspace()`, overwritten. out: uint8[k, 81]; solutions beyond the k-th are only counted. Returns
    (solutions, nodes). A node is a propagated layout, including both sides of each guess. If the search would
    have needed more than `most_nodes`, nodes is most_nodes + 1 and solutions counts those found so far.
    """
    if most_nodes < 1:
        return 0, most_nodes + 1
    copy_layout(stack[0], stack[1])
    state = settle_two(stack)[0]
    if state == OPEN:
        found, nodes = explore(0, limit, most_nodes - 1, stack, out)
        return found, nodes + 1
    if state == SOLVED and len(out) > 0:
        _write(stack[0], out[0])
    return int(state == SOLVED), 1


@kernel
def solve_range(
    givens: NDArray[np.uint8], limit: int, stack: Words, out: NDArray[np.uint8], out_counts: NDArray[np.int64]
) -> None:
    """Count the solutions of every row of `givens` up to `limit`, the first one going to `out`.

    givens: uint8[n, 81], 0 = empty. out: uint8[n, 81], zero where there is no solution.
    out_counts: int64[n]. stack: `workspace()`, overwritten.
    """
    for first in range(0, len(givens), 2):  # an odd number leaves the last row alone
        last = min(first + 1, len(givens) - 1)
        start(givens[first], stack[0])
        start(givens[last], stack[1])
        states = settle_two(stack)
        for row in range(first, last + 1):
            state = states[row - first]
            if state == SOLVED:
                out_counts[row] = 1
                _write(stack[row - first], out[row])
            else:
                out_counts[row] = 0
                out[row] = 0
                if state == OPEN:
                    found, _ = explore(row - first, limit, UNBOUNDED, stack, out[row : row + 1])
                    out_counts[row] = found
