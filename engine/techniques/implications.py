"""The one search over implications: what follows when a candidate is assumed on or off.

A literal is 2 * candidate + on, candidate = 9 * cell + digit (0..8). On turns off what it sees and the rest
of its cell; off turns on the last candidate of a cell or the last place in a house. What is derived is
kept as records in one flat arena, in the order of a breadth-first search, each with its parents, so that
every literal comes with a short explanation.

Static searches look at the position as it is. Dynamic ones take away what has been turned off, so later
derivations have several parents. From rule level 1 on they also use locked candidates, pairs and X-wings that
arise under the assumption (a lemma: a step in a buffer of its own).
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.kernels._jit import kernel
from engine.kernels.bits import count_ones, trailing_zeros
from engine.kernels.state import CANDIDATES, PLACES, State, remove
from engine.kernels.steps import BY_LEMMA, Steps, put_link
from engine.kernels.tables import CELL_HOUSES, HOUSE_CELLS, PLACE_IN, SHARED

Arena = NDArray[np.int32]
Row = NDArray[np.int32]

LITERALS: Final = 1458

# Causes of a derivation: 0..26 a house, BY_LEMMA + n step n of a buffer of lemmas.
BY_CELL: Final = 27  # the last candidate of the cell, or the others of the cell
ASSUMED: Final = 28  # nothing: the start of a branch
NOTHING: Final = -1  # source of the link that starts a branch

# Words of a record; parents are offsets of other records.
LITERAL: Final = 0
CAUSE: Final = 1
COUNT: Final = 2  # how many different literals its explanation has, 0 where not counted yet
MARK: Final = 3
PARENTS: Final = 4
FIRST_PARENT: Final = 5
LONGEST_RECORD: Final = 48

# Words at the start of an arena.
TOP: Final = 0  # next free word
OVERFLOW: Final = 1  # 1 where a record found no room
FIRST_RECORD: Final = 2

# Links a search may use: bits of one int.
HOUSES: Final = 1  # off to on inside a house
CELLS: Final = 2  # both ways inside a cell
STATIC: Final = 4
STOP: Final = 8  # stop at the first contradiction


@kernel
def reset(arena: Arena) -> None:
    """Forget every record of `arena`."""
    arena[TOP] = FIRST_RECORD
    arena[OVERFLOW] = 0


@kernel
def add_record(arena: Arena, literal: int, cause: int, parent: int) -> int:
    """Append a record with one parent (0 = none) to `arena`; its offset."""
    record = int(arena[TOP])
    arena[record + LITERAL] = literal
    arena[record + CAUSE] = cause
    arena[record + MARK] = 0
    if parent:
        arena[record + PARENTS] = 1
        arena[record + FIRST_PARENT] = parent
        known = arena[parent + COUNT]
        arena[record + COUNT] = known + 1 if known else 0
        arena[TOP] = record + FIRST_PARENT + 1
    else:
        arena[record + PARENTS] = 0
        arena[record + COUNT] = 1
        arena[TOP] = record + FIRST_PARENT
    return record


@kernel
def add_parent(arena: Arena, record: int, parent: int) -> None:
    """Give the newest record of `arena` one more parent."""
    arena[record + FIRST_PARENT + arena[record + PARENTS]] = parent
    arena[record + PARENTS] += 1
    arena[record + COUNT] = 0
    arena[TOP] += 1


@kernel
def next_record(arena: Arena, record: int) -> int:
    """The offset of the record after `record`."""
    return record + FIRST_PARENT + int(arena[record + PARENTS])


@kernel
def ancestors(arena: Arena, record: int, seen: Row, stack: Row) -> int:
    """How many different literals explain `record`, itself included. Kept in the record.

    seen: int32[LITERALS + 1], scratch; its last word numbers the visits.  stack: int32[LITERALS], scratch.
    """
    if arena[record + COUNT]:
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
def mark(arena: Arena, record: int, stack: Row) -> None:
    """Mark every record that explains `record`, itself included.  stack: int32[LITERALS], scratch."""
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

    Parents come first, so the assumption opens the branch.  lemma_at: where each lemma stands in `out`.
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
def _turn_off(
    arena: Arena,
    where: Row,
    queues: Row,
    pending: Row,
    found: Row,
    stop: int,
    literal: int,
    cause: int,
    parent: int,
) -> bool:
    """Derive an off-literal from `parent` if it is new; True where that contradicts and stops the search."""
    if stop and where[literal | 1]:
        found[0] = where[literal | 1]
        found[1] = add_record(arena, literal, cause, parent)
        return True
    if not where[literal]:
        record = add_record(arena, literal, cause, parent)
        where[literal] = record
        queues[LITERALS + pending[3]] = record
        pending[3] += 1
    return False


@kernel
def _hidden_cell_parents(
    arena: Arena, where: Row, record: int, position: State, now: State, cell: int
) -> None:
    """The candidates of the cell that were turned off before are parents too."""
    gone = position[CANDIDATES + cell] & ~now[CANDIDATES + cell]
    while gone:
        add_parent(arena, record, where[2 * (9 * cell + trailing_zeros(gone))])
        gone &= gone - 1


@kernel
def _hidden_house_parents(
    arena: Arena, where: Row, record: int, position: State, now: State, house: int, digit: int
) -> None:
    """The places in the house that were turned off before are parents too."""
    gone = position[PLACES + 27 * digit + house] & ~now[PLACES + 27 * digit + house]
    while gone:
        add_parent(arena, record, where[2 * (9 * HOUSE_CELLS[house, trailing_zeros(gone)] + digit)])
        gone &= gone - 1


@kernel
def spread(
    position: State,
    now: State,
    start: int,
    links: int,
    most: int,
    where: Row,
    arena: Arena,
    queues: Row,
    pending: Row,
    found: Row,
) -> None:
    """Derive all that follows from the literal `start`, or go on where an earlier call ran dry.

    position: read.  now: a copy, mutated in dynamic searches (pass `position` itself in static ones).
    links: HOUSES, CELLS, STATIC, STOP.  most: leave out what needs more literals than this, where counted.
    where: int32[LITERALS], record of each literal derived; zeroed by the caller before the first call.
    queues: int32[2 * LITERALS], the on-records, then the off-records, in order.
    pending: int32[4], heads and tails of both queues; zeroed by the caller before the first call.
    found: int32[2], the two records that contradict each other; 0, 0 where none do.
    """
    found[0] = 0
    found[1] = 0
    stop = links & STOP
    if pending[1] == 0 and pending[3] == 0:
        record = add_record(arena, start, ASSUMED, 0)
        where[start] = record
        kind = 0 if start & 1 else 1
        queues[LITERALS * kind] = record
        pending[2 * kind + 1] = 1
    while pending[0] < pending[1] or pending[2] < pending[3]:
        if arena[TOP] + 32 * LONGEST_RECORD > len(arena):
            arena[OVERFLOW] = 1
            return
        if pending[0] < pending[1]:
            record = queues[pending[0]]
            pending[0] += 1
            if arena[record + COUNT] >= most:
                continue
            candidate = arena[record + LITERAL] >> 1
            cell = candidate // 9
            digit = candidate % 9
            if links & CELLS:
                rest = now[CANDIDATES + cell] & ~(1 << digit)
                while rest:
                    literal = 2 * (9 * cell + trailing_zeros(rest))
                    rest &= rest - 1
                    if _turn_off(arena, where, queues, pending, found, stop, literal, BY_CELL, record):
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
                    if _turn_off(arena, where, queues, pending, found, stop, literal, house, record):
                        return
        else:
            record = queues[LITERALS + pending[2]]
            pending[2] += 1
            if arena[record + COUNT] >= most:
                continue
            candidate = arena[record + LITERAL] >> 1
            cell = candidate // 9
            digit = candidate % 9
            for turn in range(4):
                if turn == 0:
                    cause = BY_CELL
                    rest = now[CANDIDATES + cell] & ~(1 << digit)
                    if not links & CELLS or count_ones(rest) != 1:
                        continue
                    literal = 2 * (9 * cell + trailing_zeros(rest)) + 1
                else:
                    kind = 2 if turn == 1 else turn - 2
                    cause = CELL_HOUSES[cell, kind]
                    rest = now[PLACES + 27 * digit + cause] & ~(1 << PLACE_IN[cell, kind])
                    if not links & HOUSES or count_ones(rest) != 1:
                        continue
                    literal = 2 * (9 * HOUSE_CELLS[cause, trailing_zeros(rest)] + digit) + 1
                clash = stop and where[literal ^ 1]
                if where[literal] and not clash:
                    continue
                derived = add_record(arena, literal, cause, record)
                if not links & STATIC:
                    if turn == 0:
                        _hidden_cell_parents(arena, where, derived, position, now, cell)
                    else:
                        _hidden_house_parents(arena, where, derived, position, now, cause, digit)
                if clash:
                    found[0] = derived
                    found[1] = where[literal ^ 1]
                    return
                where[literal] = derived
                queues[pending[1]] = derived
                pending[1] += 1
            if not links & STATIC:
                remove(now, cell, digit)


@kernel
def length_rating(complexity: int) -> float:
    """What the length of a chain adds to its rating: 0.1 for each of 4, 6, 8, 12, 16, ... below length - 2.

    Summed up as the Explainer does, since it compares the sums and not tenths.
    """
    added = 0.0
    ceiling = 4
    odd = False
    while complexity - 2 > ceiling:
        added += 0.1
        ceiling = ceiling * 4 // 3 if odd else ceiling * 3 // 2
        odd = not odd
    return added
