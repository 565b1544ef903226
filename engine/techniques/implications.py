"""Records of what follows from an assumption, and the search of dynamic nets.

A literal is 2 * candidate + on, candidate = 9 * cell + digit (0..8). Each record has a literal that was
derived, why, and from which records: its parents. Records are in one flat arena in the order in which they
were derived, parents first. graph.py searches the unchanged position and gives each record one parent.

`spread` is the search of dynamic nets: it removes what has been turned off, so later derivations have several
parents. A candidate on turns off what it sees and the rest of its cell; off, it turns on the last candidate
of its cell or the last place in a house. From rule level 2 on nets also use techniques that arise under the
assumption (a lemma: a step in a buffer of its own).
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..kernels._jit import kernel
from ..kernels.bits import count_ones, trailing_zeros
from ..kernels.state import CANDIDATES, PLACES, State, remove
from ..kernels.steps import BY_LEMMA, Steps, put_link
from ..kernels.tables import CELL_HOUSES, HOUSE_CELLS, PLACE_IN, SHARED

Arena = NDArray[np.int32]
Row = NDArray[np.int32]

LITERALS: Final = 2 * 729
NODES: Final = 729 + 9 * 54  # with the groups of graph.py
NODE_LITERALS: Final = 2 * NODES

# Causes of a derivation: 0..26 a house, BY_LEMMA + n step n of a buffer of lemmas.
BY_CELL: Final = 27  # the last candidate of the cell, or the others of the cell
ASSUMED: Final = 28  # nothing: the start of a branch
NOTHING: Final = -1  # source of the link that starts a branch

# Words of a record; parents are offsets of other records.
LITERAL: Final = 0
CAUSE: Final = 1
COUNT: Final = 2  # number of different literals in its explanation; -n if not counted yet: at least n
MARK: Final = 3
PARENTS: Final = 4
FIRST_PARENT: Final = 5
LONGEST_RECORD: Final = 48

# Words at the start of an arena.
TOP: Final = 0  # next free word
OVERFLOW: Final = 1  # 1 if a record didn't fit
FIRST_RECORD: Final = 2

# Kinds of links that a search may use: bits of one int.
HOUSES: Final = 1  # off to on inside a house
CELLS: Final = 2  # both ways inside a cell
STOP: Final = 4  # stop at the first contradiction


class Search(NamedTuple):
    """The output of a search from one literal."""

    where: Row  # [NODE_LITERALS, or LITERALS without groups]: the record of each literal derived, or 0
    arena: Arena
    queue: Row  # [NODE_LITERALS]: from 0 on the records of on-literals, from NODES on those of off-literals
    pending: Row  # [4]: heads and tails of both queues, for searches that resume
    clash: Row  # [2]: the records that contradict each other; 0, 0 if none do


@kernel
def reset(arena: Arena) -> None:
    """Delete every record of `arena`."""
    arena[TOP] = FIRST_RECORD
    arena[OVERFLOW] = 0


@kernel
def add_record(arena: Arena, literal: int, cause: int, parent: int) -> int:
    """Append a record with one parent (0 = none) to `arena`; returns its offset."""
    record = int(arena[TOP])
    arena[record + LITERAL] = literal
    arena[record + CAUSE] = cause
    arena[record + MARK] = 0
    if parent:
        arena[record + PARENTS] = 1
        arena[record + FIRST_PARENT] = parent
        known = arena[parent + COUNT]
        arena[record + COUNT] = known + 1 if known > 0 else known - 1
        arena[TOP] = record + FIRST_PARENT + 1
    else:
        arena[record + PARENTS] = 0
        arena[record + COUNT] = 1
        arena[TOP] = record + FIRST_PARENT
    return record


@kernel
def add_parent(arena: Arena, record: int, parent: int) -> None:
    """Add a parent to the newest record of `arena`."""
    arena[record + FIRST_PARENT + arena[record + PARENTS]] = parent
    arena[record + PARENTS] += 1
    arena[record + COUNT] = -max(abs(arena[record + COUNT]), abs(arena[parent + COUNT]) + 1)
    arena[TOP] += 1


@kernel
def next_record(arena: Arena, record: int) -> int:
    """Return the offset of the record after `record`."""
    return record + FIRST_PARENT + int(arena[record + PARENTS])


@kernel
def ancestors(arena: Arena, record: int, seen: Row, stack: Row) -> int:
    """Return how many different literals explain `record`, itself included; cached in the record.

    seen: int32[LITERALS + 1], scratch; its last word numbers the visits. stack: int32[LITERALS], scratch.
    """
    if arena[record + COUNT] > 0:
        return int(arena[record + COUNT])
    seen[LITERALS] += 1
    visit = seen[LITERALS]
    seen[arena[record + LITERAL]] = visit
    stack[0] = record
    height = 1
    count = 1
    while height:
        height -= 1
        child = stack[height]
        first = child + FIRST_PARENT
        for at in range(first, first + arena[child + PARENTS]):
            parent = arena[at]
            literal = arena[parent + LITERAL]
            if seen[literal] != visit:
                seen[literal] = visit
                count += 1
                stack[height] = parent
                height += 1
    arena[record + COUNT] = count
    return count


@kernel
def least(arena: Arena, record: int) -> int:
    """Return a lower limit of the literals that explain a record, known before `ancestors` counts them."""
    return abs(int(arena[record + COUNT]))


@kernel
def mark(arena: Arena, record: int, stack: Row) -> None:
    """Mark every record that explains `record`, itself included. stack: int32[LITERALS], scratch."""
    arena[record + MARK] = 1
    stack[0] = record
    height = 1
    while height:
        height -= 1
        child = stack[height]
        first = child + FIRST_PARENT
        for at in range(first, first + arena[child + PARENTS]):
            parent = arena[at]
            if not arena[parent + MARK]:
                arena[parent + MARK] = 1
                stack[height] = parent
                height += 1


@kernel
def put_marked(out: Steps, arena: Arena, begin: int, end: int, lemma_at: Row) -> None:
    """Write the marked records between two offsets to `out` as the links of one branch, and unmark them.

    Parents come first, so the assumption opens the branch. lemma_at: where each lemma is in `out`.
    """
    record = begin
    while record < end:
        if arena[record + MARK]:
            arena[record + MARK] = 0
            literal = arena[record + LITERAL]
            cause = arena[record + CAUSE]
            if cause >= BY_LEMMA:
                cause = BY_LEMMA + lemma_at[cause - BY_LEMMA]
            if arena[record + PARENTS] == 0:
                put_link(out, NOTHING, literal, ASSUMED)
            first = record + FIRST_PARENT
            for at in range(first, first + arena[record + PARENTS]):
                put_link(out, arena[arena[at] + LITERAL], literal, cause)
        record = next_record(arena, record)


@kernel
def new_search() -> Search:
    """Return an empty search, with space for what `explore` derives from one literal."""
    arena = np.empty(8 * NODE_LITERALS, dtype=np.int32)
    reset(arena)
    return Search(
        np.zeros(NODE_LITERALS, dtype=np.int32),
        arena,
        np.empty(NODE_LITERALS, dtype=np.int32),
        np.zeros(4, dtype=np.int32),
        np.zeros(2, dtype=np.int32),
    )


@kernel
def forget(arena: Arena, where: Row) -> None:
    """Delete what was derived since the last reset; every other literal of `where` must be at 0."""
    record = FIRST_RECORD
    while record < arena[TOP]:
        where[arena[record + LITERAL]] = 0
        record = next_record(arena, record)
    reset(arena)


@kernel
def _contradicts(search: Search, literal: int, record: int) -> bool:
    """Whether the opposite of a literal was derived before; writes both records to search.clash."""
    if search.where[literal ^ 1]:
        search.clash[0] = record
        search.clash[1] = search.where[literal ^ 1]
    return bool(search.where[literal ^ 1])


@kernel
def _turn_off(search: Search, literal: int, cause: int, parent: int) -> bool:
    """Derive an off-literal from `parent` if it is new; True if that is a contradiction."""
    if search.where[literal] and not search.where[literal | 1]:
        return False
    record = add_record(search.arena, literal, cause, parent)
    if _contradicts(search, literal, record):
        return True
    search.where[literal] = record
    search.queue[NODES + search.pending[3]] = record
    search.pending[3] += 1
    return False


@kernel
def _add_gone_from_cell(search: Search, record: int, position: State, now: State, cell: int) -> None:
    """Add the candidates of the cell that were turned off before as parents."""
    gone = position[CANDIDATES + cell] & ~now[CANDIDATES + cell]
    while gone:
        add_parent(search.arena, record, search.where[2 * (9 * cell + trailing_zeros(gone))])
        gone &= gone - 1


@kernel
def _add_gone_from_house(
    search: Search, record: int, position: State, now: State, house: int, digit: int
) -> None:
    """Add the places in the house that were turned off before as parents."""
    gone = position[PLACES + 27 * digit + house] & ~now[PLACES + 27 * digit + house]
    while gone:
        parent = search.where[2 * (9 * HOUSE_CELLS[house, trailing_zeros(gone)] + digit)]
        add_parent(search.arena, record, parent)
        gone &= gone - 1


@kernel
def spread(position: State, now: State, start: int, links: int, search: Search) -> None:
    """Derive all that follows from the literal `start` up to the first contradiction, or resume.

    position: read. now: a copy, from which every candidate turned off is removed. links: CELLS for links
    inside a cell too. search: the caller zeroes its `where` and `pending` before the first call; a later call
    continues with what was put into the queue since.
    """
    where, arena, queue, pending = search.where, search.arena, search.queue, search.pending
    search.clash[0] = 0
    search.clash[1] = 0
    if pending[1] == 0 and pending[3] == 0:
        where[start] = add_record(arena, start, ASSUMED, 0)
        off = 1 - (start & 1)
        queue[NODES * off] = where[start]
        pending[2 * off + 1] = 1
    while pending[0] < pending[1] or pending[2] < pending[3]:
        if arena[TOP] + 32 * LONGEST_RECORD > len(arena):
            arena[OVERFLOW] = 1
            return
        on = pending[0] < pending[1]
        record = queue[pending[0]] if on else queue[NODES + pending[2]]
        pending[0 if on else 2] += 1
        candidate = arena[record + LITERAL] >> 1
        cell, digit = candidate // 9, candidate % 9
        if on:
            rest = now[CANDIDATES + cell] & ~(1 << digit) if links & CELLS else 0
            while rest:
                literal = 2 * (9 * cell + trailing_zeros(rest))
                rest &= rest - 1
                if _turn_off(search, literal, BY_CELL, record):
                    return
            for turn in range(3):
                kind = 2 if turn == 0 else turn - 1
                house = CELL_HOUSES[cell, kind]
                rest = now[PLACES + 27 * digit + house] & ~(1 << PLACE_IN[cell, kind])
                if kind != 2:
                    rest &= ~SHARED[house, CELL_HOUSES[cell, 2]]
                while rest:
                    literal = 2 * (9 * HOUSE_CELLS[house, trailing_zeros(rest)] + digit)
                    rest &= rest - 1
                    if _turn_off(search, literal, house, record):
                        return
            continue
        for turn in range(0 if links & CELLS else 1, 4):
            if turn == 0:
                cause = BY_CELL
                rest = now[CANDIDATES + cell] & ~(1 << digit)
                if count_ones(rest) != 1:
                    continue
                literal = 2 * (9 * cell + trailing_zeros(rest)) + 1
            else:
                kind = 2 if turn == 1 else turn - 2
                cause = CELL_HOUSES[cell, kind]
                rest = now[PLACES + 27 * digit + cause] & ~(1 << PLACE_IN[cell, kind])
                if count_ones(rest) != 1:
                    continue
                literal = 2 * (9 * HOUSE_CELLS[cause, trailing_zeros(rest)] + digit) + 1
            if where[literal] and not where[literal ^ 1]:
                continue
            derived = add_record(arena, literal, cause, record)
            if turn == 0:
                _add_gone_from_cell(search, derived, position, now, cell)
            else:
                _add_gone_from_house(search, derived, position, now, cause, digit)
            if _contradicts(search, literal, derived):
                return
            where[literal] = derived
            queue[pending[1]] = derived
            pending[1] += 1
        remove(now, cell, digit)


@kernel
def length_rating(complexity: int) -> float:
    """Return the rating for the length of a chain: 0.1 for each of 4, 6, 8, 12, 16, ... below length - 2.

    Summed up as the Explainer does, since it compares the sums and not tenths. It is here for the searches,
    and rating/walk.py imports it: they keep the chain of the lowest rating, not the shortest, and stop when
    longer ones can't be cheaper.
    """
    added = 0.0
    ceiling = 4
    odd = False
    while complexity - 2 > ceiling:
        added += 0.1
        ceiling = ceiling * 4 // 3 if odd else ceiling * 3 // 2
        odd = not odd
    return added
