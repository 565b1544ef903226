"""Exact cover by dancing links on arrays: 729 rows by 324 columns, the column with the fewest rows first.

Row 9 * cell + digit - 1 puts a digit into a cell. It stands in four columns: its cell is filled (0..80), its
row, its column and its box have the digit (81.., 162.., 243.. + 9 * house + digit - 1). Link 4 * row + k is
the row's k-th place, link HEADS + column a column's head, link ROOT the head of the heads.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from ..geometry import BOX_OF
from ._jit import kernel
from .rng import shuffle

ROWS: Final = 729
COLUMNS: Final = 324
HEADS: Final = 4 * ROWS
ROOT: Final = HEADS + COLUMNS
LINKS: Final = ROOT + 1

Links = NDArray[np.int64]
LEFT: Final = 0
RIGHT: Final = 1
UP: Final = 2
DOWN: Final = 3


def _columns() -> NDArray[np.int64]:
    """Return int64[729, 4]: the columns of each row."""
    return np.array(
        [
            (cell, 81 + 9 * (cell // 9) + digit, 162 + 9 * (cell % 9) + digit, 243 + 9 * BOX_OF[cell] + digit)
            for cell in range(81)
            for digit in range(9)
        ],
        np.int64,
    )


def _links() -> tuple[Links, NDArray[np.int64]]:
    """Return int64[4, LINKS], each link's four neighbors, and int64[324], the number of rows in each
    column.
    """
    links = np.zeros((4, LINKS), np.int64)
    heads = [*range(HEADS, ROOT), ROOT]
    for place, head in enumerate(heads):
        links[LEFT, head] = heads[place - 1]
        links[RIGHT, heads[place - 1]] = head
    links[UP, HEADS:] = links[DOWN, HEADS:] = range(HEADS, LINKS)
    for row in range(ROWS):
        for place in range(4):
            link, head = 4 * row + place, HEADS + COLUMNS_OF[row, place]
            links[LEFT, link], links[RIGHT, link] = 4 * row + (place - 1) % 4, 4 * row + (place + 1) % 4
            links[UP, link], links[DOWN, link] = links[UP, head], head
            links[DOWN, links[UP, head]] = link
            links[UP, head] = link
    return links, np.full(COLUMNS, 9)


COLUMNS_OF: Final = _columns()
_ALL_LINKS, _ALL_SIZES = _links()


@kernel
def _cover(column: int, out: Links, out_sizes: NDArray[np.int64]) -> int:
    """Remove a column from the heads, and its rows from all other columns; returns the number of links
    removed.
    """
    head = HEADS + column
    taken = 1
    out[RIGHT, out[LEFT, head]] = out[RIGHT, head]
    out[LEFT, out[RIGHT, head]] = out[LEFT, head]
    down = out[DOWN, head]
    while down != head:
        right = out[RIGHT, down]
        while right != down:
            out[DOWN, out[UP, right]] = out[DOWN, right]
            out[UP, out[DOWN, right]] = out[UP, right]
            out_sizes[COLUMNS_OF[right // 4, right % 4]] -= 1
            taken += 1
            right = out[RIGHT, right]
        down = out[DOWN, down]
    return taken


@kernel
def _uncover(column: int, out: Links, out_sizes: NDArray[np.int64]) -> None:
    """Undo `_cover`; only in the reverse order of covering."""
    head = HEADS + column
    up = out[UP, head]
    while up != head:
        left = out[LEFT, up]
        while left != up:
            out[DOWN, out[UP, left]] = left
            out[UP, out[DOWN, left]] = left
            out_sizes[COLUMNS_OF[left // 4, left % 4]] += 1
            left = out[LEFT, left]
        up = out[UP, up]
    out[RIGHT, out[LEFT, head]] = head
    out[LEFT, out[RIGHT, head]] = head


@kernel
def search(
    givens: NDArray[np.uint8],
    limit: int,
    most_nodes: int,
    shuffled: bool,
    state: NDArray[np.uint64],
    out: NDArray[np.uint8],
) -> tuple[int, int, int]:
    """Count the solutions of uint8[81] `givens` up to `limit`; the first ones go to uint8[k, 81] `out`.

    A node is a row chosen, without those of the givens. Ties go to the leftmost column. A column's rows are
    tried in order, or in random order at every level if `shuffled` is set, which mutates the random `state`.
    Returns (solutions, nodes, updates); nodes is most_nodes + 1 if that limit stopped the search. An update
    is a link removed from a list by covering a column, including those of the givens.
    """
    links, sizes = _ALL_LINKS.copy(), _ALL_SIZES.copy()
    covered = np.zeros(COLUMNS, np.bool_)
    digits = givens.copy()
    updates = 0
    for cell in range(81):
        if givens[cell] != 0:
            for column in COLUMNS_OF[9 * cell + np.int64(givens[cell]) - 1]:
                if covered[column]:
                    return 0, 0, updates
                covered[column] = True
                updates += _cover(column, links, sizes)
    chosen = np.zeros(81, np.int64)  # the column of each level
    rows = np.zeros((81, 9), np.int64)  # its rows in the order of trying
    counts, tried = np.zeros(81, np.int64), np.zeros(81, np.int64)
    found, nodes, level = 0, 0, 0
    while True:
        if links[RIGHT, ROOT] == ROOT:
            if found < len(out):
                for cell in range(81):
                    out[found, cell] = digits[cell]
            found += 1
            if found >= limit:
                break
        else:
            head = links[RIGHT, ROOT]
            best = head
            while head != ROOT:
                if sizes[head - HEADS] < sizes[best - HEADS]:
                    best = head
                head = links[RIGHT, head]
            chosen[level], counts[level], tried[level] = best - HEADS, 0, 0
            down = links[DOWN, best]
            while down != best:
                rows[level, counts[level]] = down // 4
                counts[level] += 1
                down = links[DOWN, down]
            if shuffled:
                shuffle(state, rows[level, : counts[level]])
            updates += _cover(chosen[level], links, sizes)
            level += 1
        # The next row of the deepest level that has one; first take back the row before it.
        while level > 0:
            if tried[level - 1] > 0:
                row = rows[level - 1, tried[level - 1] - 1]
                digits[row // 9] = 0
                for place in range(3, -1, -1):
                    column = COLUMNS_OF[row, place]
                    if column != chosen[level - 1]:
                        _uncover(column, links, sizes)
            if tried[level - 1] < counts[level - 1]:
                break
            _uncover(chosen[level - 1], links, sizes)
            level -= 1
        if level == 0:
            break
        nodes += 1
        if nodes > most_nodes:
            break
        row = rows[level - 1, tried[level - 1]]
        tried[level - 1] += 1
        digits[row // 9] = row % 9 + 1
        for place in range(4):
            column = COLUMNS_OF[row, place]
            if column != chosen[level - 1]:
                updates += _cover(column, links, sizes)
    return found, nodes, updates
