"""Chains of several branches, and nets: what all candidates of a cell, all places of a digit or both states
of a candidate lead to, and what cannot be assumed at all.

Static chains look at the position as it is; dynamic nets may use everything an assumption turned off, and
from rule level 2 on the simple techniques and chains that arise under it. The best of a position is the one
whose explanation has the fewest literals, as the Explainer sorts them.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.kernels._jit import kernel
from engine.kernels.bits import count_ones, trailing_zeros
from engine.kernels.state import CANDIDATES, PLACES, State
from engine.kernels.steps import (
    ALL,
    BY_LEMMA,
    COUNT,
    DIGIT_MASK,
    FIRST_HEADER,
    FREE,
    FULL,
    REMOVED,
    ROOM,
    WIDTH,
    Steps,
    begin,
    clear,
    commit,
    copy_lemma,
    put_cell,
    put_house,
    put_placed,
    put_removed,
)
from engine.kernels.steps import HOUSES as HOUSE_FACTS
from engine.kernels.steps import PATTERN as CELL_FACTS
from engine.kernels.tables import CELL_HOUSES, HOUSE_CELLS
from engine.techniques.entry import BASE, COVER, PATTERN, Technique
from engine.techniques.fish import scan_fish
from engine.techniques.implications import (
    CAUSE,
    CELLS,
    HOUSES,
    LITERAL,
    LITERALS,
    LONGEST_RECORD,
    MARK,
    OVERFLOW,
    STATIC,
    STOP,
    TOP,
    Arena,
    Row,
    add_parent,
    add_record,
    ancestors,
    mark,
    next_record,
    put_marked,
    reset,
    spread,
)
from engine.techniques.limits import KEY, KINDS, LEVEL, Limits, limits_for
from engine.techniques.locked import scan_locked_candidates
from engine.techniques.subsets import scan_hidden_subset, scan_naked_subset

# Kinds wanted, as bits of limits[KINDS]. At equal length the Explainer sorts them in this order.
DOUBLE: Final = 1  # both states of a candidate agree
BY_CANDIDATES: Final = 2  # all candidates of a cell agree
BY_PLACES: Final = 4  # all places of a digit in a house agree
CONTRADICTION: Final = 8  # an assumption contradicts itself
ONE_DIGIT: Final = 16  # use links between cells only (Nishio)

# Rule levels, limits[LEVEL].
STATIC_LEVEL: Final = 0
DYNAMIC_LEVEL: Final = 1
PLUS_LEVEL: Final = 2

# What may arise under an assumption from PLUS_LEVEL on, in the Explainer's order.
RULES: Final = np.stack(
    [limits_for(key) for key in ("pointing", "claiming", "hidden_pair", "naked_pair", "x_wing")]
)

LONGEST: Final = 1 << 30
ARENA_WORDS: Final = 1 << 24
LEMMA_WORDS: Final = 1 << 21


class Nets(NamedTuple):
    """What was derived from each literal, and the scratch space of the scan."""

    table: NDArray[
        np.int32
    ]  # [LITERALS, 5]: row in `where` or -1, first and last record, the records that clash
    where: NDArray[np.int32]  # [searches, LITERALS]: record of each literal derived
    arena: Arena
    lemmas: Steps
    starts: Row  # [9]: the literals the branches start from
    best: Row  # [4]: size, kind, target literal (-1 for a contradiction), source
    seen: Row
    stack: Row


ROW: Final = 0
BEGIN: Final = 1
END: Final = 2
CLASH: Final = 3


@kernel
def scan_nets(position: State, limits: Limits, mode: int, out: Steps) -> None:
    """Chains and nets of the kinds wanted; in mode FIRST the best of them.

    Sets FULL in `out` where the arena of records or the buffer of lemmas is too small.
    """
    dynamic = limits[LEVEL] >= DYNAMIC_LEVEL
    kinds = limits[KINDS]
    table = np.full((LITERALS, 5), -1, dtype=np.int32)
    count = 0
    for literal in range(LITERALS):
        if position[CANDIDATES + literal // 18] >> ((literal >> 1) % 9) & 1 and (
            literal & 1 or (dynamic and kinds & (CONTRADICTION | DOUBLE))
        ):
            table[literal, ROW] = count
            count += 1
    lemmas = np.zeros(LEMMA_WORDS if limits[LEVEL] > DYNAMIC_LEVEL else 32, dtype=np.int32)
    lemmas[ROOM] = len(lemmas) // 96
    clear(lemmas)
    nets = Nets(
        table,
        np.zeros((count, LITERALS), dtype=np.int32),
        np.empty(ARENA_WORDS, dtype=np.int32),
        lemmas,
        np.empty(9, dtype=np.int32),
        np.array([LONGEST, 99, -1, 0], dtype=np.int32),
        np.zeros(LITERALS + 1, dtype=np.int32),
        np.empty(LITERALS, dtype=np.int32),
    )
    _derive_all(position, limits, nets)
    if nets.arena[OVERFLOW] or lemmas[FULL]:
        out[FULL] = 1
        return
    for cell in range(81):
        if count_ones(position[CANDIDATES + cell]) >= (2 if dynamic else 3) and _weigh_cell(
            position, limits, mode, cell, nets, out
        ):
            return
    if mode != ALL and nets.best[1] < 99:
        _put_step(position, limits, nets.best[0], nets.best[1], nets.best[2], nets.best[3], nets, out)
        commit(out, mode)


@kernel
def _derive_all(position: State, limits: Limits, nets: Nets) -> None:
    """Search from every literal that has a row."""
    links = STOP | HOUSES
    if not limits[KINDS] & ONE_DIGIT:
        links |= CELLS
    dynamic = limits[LEVEL] >= DYNAMIC_LEVEL
    if not dynamic:
        links |= STATIC
    queues = np.empty(2 * LITERALS, dtype=np.int32)
    pending = np.empty(4, dtype=np.int32)
    found = np.zeros(2, dtype=np.int32)
    now = np.copy(position)
    reset(nets.arena)
    for literal in range(LITERALS):
        row = nets.table[literal, ROW]
        if row < 0:
            continue
        nets.table[literal, BEGIN] = nets.arena[TOP]
        pending[:] = 0
        if dynamic:
            now[:] = position
        where = nets.where[row]
        while True:
            spread(position, now, literal, links, LONGEST, where, nets.arena, queues, pending, found)
            if found[0] or nets.arena[OVERFLOW] or limits[LEVEL] < PLUS_LEVEL:
                break
            if not _advance(position, now, where, nets, queues, pending):
                break
        nets.table[literal, END] = nets.arena[TOP]
        nets.table[literal, CLASH] = found[0]
        nets.table[literal, CLASH + 1] = found[1]
        if nets.arena[OVERFLOW]:
            return


@kernel
def _advance(position: State, now: State, where: Row, nets: Nets, queues: Row, pending: Row) -> bool:
    """Turn off what the first technique that arises in `now` removes; whether there was any."""
    lemmas = nets.lemmas
    used = False
    for rule in range(len(RULES)):
        first = lemmas[COUNT]
        free = lemmas[FREE]
        limits = RULES[rule]
        if rule < 2:
            scan_locked_candidates(now, limits, ALL, lemmas)
        elif rule == 2:
            scan_hidden_subset(now, limits, ALL, lemmas)
        elif rule == 3:
            scan_naked_subset(now, limits, ALL, lemmas)
        else:
            scan_fish(now, limits, ALL, lemmas)
        if lemmas[FULL]:
            return False
        useful = False
        for lemma in range(first, lemmas[COUNT]):
            useful = _turn_off_by(position, now, where, lemma, nets, queues, pending) or useful
        if not useful:
            lemmas[COUNT] = first
            lemmas[FREE] = free
        used = used or useful
        if used and rule > 0:  # pointing and claiming count as one technique
            return True
    return False


@kernel
def _turn_off_by(
    position: State, now: State, where: Row, lemma: int, nets: Nets, queues: Row, pending: Row
) -> bool:
    """Turn off what a lemma removes, explained by what had to go first; False where nothing had to.

    What stands without the assumption is no part of the net: a technique that finds it comes before.
    """
    lemmas = nets.lemmas
    arena = nets.arena
    header = FIRST_HEADER + lemma * WIDTH
    parents = nets.stack
    count = 0
    based = False
    for at in range(lemmas[header + HOUSE_FACTS], lemmas[header + HOUSE_FACTS + 1]):
        fact = lemmas[at]
        if fact >> 16 != BASE:
            continue
        based = True
        house = fact & 0x7F
        for digit in range(9):
            index = PLACES + 27 * digit + house
            gone = position[index] & ~now[index]
            while fact >> (7 + digit) & 1 and gone:
                cell = HOUSE_CELLS[house, trailing_zeros(gone)]
                gone &= gone - 1
                if not _in_pattern(lemmas, header, cell):
                    parents[count] = where[2 * (9 * cell + digit)]
                    count += 1
    for at in range(lemmas[header + CELL_FACTS], 0 if based else lemmas[header + CELL_FACTS + 1]):
        cell = lemmas[at] & 0x7F
        gone = position[CANDIDATES + cell] & ~now[CANDIDATES + cell] & ~lemmas[header + DIGIT_MASK]
        while gone:
            parents[count] = where[2 * (9 * cell + trailing_zeros(gone))]
            gone &= gone - 1
            count += 1
    if count == 0:
        return False
    for at in range(lemmas[header + REMOVED], lemmas[header + REMOVED + 1]):
        literal = 2 * lemmas[at]
        if where[literal] or arena[OVERFLOW]:
            continue
        if arena[TOP] + 4 * LONGEST_RECORD > len(arena):
            arena[OVERFLOW] = 1
            continue
        record = add_record(arena, literal, BY_LEMMA + lemma, parents[0])
        for index in range(1, count):
            add_parent(arena, record, parents[index])
        where[literal] = record
        queues[LITERALS + pending[3]] = record
        pending[3] += 1
    return True


@kernel
def _in_pattern(lemmas: Steps, header: int, cell: int) -> bool:
    """Whether the cell is one of the lemma's cells or lies in one of its cover houses."""
    for at in range(lemmas[header + CELL_FACTS], lemmas[header + CELL_FACTS + 1]):
        if lemmas[at] & 0x7F == cell:
            return True
    for at in range(lemmas[header + HOUSE_FACTS], lemmas[header + HOUSE_FACTS + 1]):
        house = lemmas[at] & 0x7F
        if lemmas[at] >> 16 == COVER and CELL_HOUSES[cell, house // 9] == house:
            return True
    return False


@kernel
def _weigh_cell(position: State, limits: Limits, mode: int, cell: int, nets: Nets, out: Steps) -> bool:
    """Weigh every step that starts from `cell`, in the Explainer's order; True where the scan shall stop."""
    kinds = limits[KINDS]
    dynamic = limits[LEVEL] >= DYNAMIC_LEVEL
    mask = position[CANDIDATES + cell]
    for digit in range(9):
        if not mask >> digit & 1:
            continue
        off = 2 * (9 * cell + digit)
        if dynamic and kinds & CONTRADICTION:
            for start in (off + 1, off):
                if nets.table[start, CLASH]:
                    size = ancestors(nets.arena, nets.table[start, CLASH], nets.seen, nets.stack)
                    size += ancestors(nets.arena, nets.table[start, CLASH + 1], nets.seen, nets.stack)
                    if _weigh(position, limits, mode, size, CONTRADICTION, -1, start, nets, out):
                        return True
        double = dynamic and kinds & DOUBLE and count_ones(mask) >= 3
        if double and _weigh_agreements(position, limits, mode, DOUBLE, off, nets, out):
            return True
        for turn in range(3 if kinds & BY_PLACES else 0):
            house = CELL_HOUSES[cell, 2 if turn == 0 else turn - 1]
            places = position[PLACES + 27 * digit + house]
            if count_ones(places) < 2 or HOUSE_CELLS[house, trailing_zeros(places)] != cell:
                continue
            if _weigh_agreements(position, limits, mode, BY_PLACES, 9 * house + digit, nets, out):
                return True
    return bool(
        kinds & BY_CANDIDATES and _weigh_agreements(position, limits, mode, BY_CANDIDATES, cell, nets, out)
    )


@kernel
def _branches(position: State, kind: int, source: int, starts: Row) -> int:
    """Fill `starts` with the literals the branches start from; how many there are."""
    count = 0
    if kind == CONTRADICTION:
        starts[0] = source
        count = 1
    elif kind == DOUBLE:
        starts[0] = source + 1
        starts[1] = source
        count = 2
    elif kind == BY_CANDIDATES:
        for digit in range(9):
            if position[CANDIDATES + source] >> digit & 1:
                starts[count] = 2 * (9 * source + digit) + 1
                count += 1
    else:
        house = source // 9
        digit = source % 9
        places = position[PLACES + 27 * digit + house]
        while places:
            starts[count] = 2 * (9 * HOUSE_CELLS[house, trailing_zeros(places)] + digit) + 1
            places &= places - 1
            count += 1
    return count


@kernel
def _weigh_agreements(
    position: State, limits: Limits, mode: int, kind: int, source: int, nets: Nets, out: Steps
) -> bool:
    """Weigh every literal that all branches derive; True where the scan shall stop."""
    branches = _branches(position, kind, source, nets.starts)
    first = nets.starts[0]
    for state in (1, 0):  # what is placed comes before what is removed, as the Explainer lists it
        record = nets.table[first, BEGIN]
        while record < nets.table[first, END]:
            here = record
            literal = nets.arena[here + LITERAL]
            record = next_record(nets.arena, here)
            if literal & 1 != state or nets.where[nets.table[first, ROW], literal] != here:
                continue
            shared = not state or count_ones(position[CANDIDATES + literal // 18]) > 1
            for branch in range(1, branches):
                if not nets.where[nets.table[nets.starts[branch], ROW], literal]:
                    shared = False
                    break
            if not shared:
                continue
            size = 0
            for branch in range(branches):
                there = nets.where[nets.table[nets.starts[branch], ROW], literal]
                size += ancestors(nets.arena, there, nets.seen, nets.stack)
                if mode != ALL and size > nets.best[0]:
                    break
            if _weigh(position, limits, mode, size, kind, literal, source, nets, out):
                return True
    return False


@kernel
def _weigh(
    position: State,
    limits: Limits,
    mode: int,
    size: int,
    kind: int,
    target: int,
    source: int,
    nets: Nets,
    out: Steps,
) -> bool:
    """Keep the step if it is the best so far, or write it in mode ALL; True where the scan shall stop."""
    if mode == ALL:
        _put_step(position, limits, size, kind, target, source, nets, out)
        return commit(out, mode)
    best = nets.best
    if size < best[0] or (size == best[0] and kind < best[1]):
        best[0] = size
        best[1] = kind
        best[2] = target
        best[3] = source
    return False


@kernel
def _put_step(
    position: State, limits: Limits, size: int, kind: int, target: int, source: int, nets: Nets, out: Steps
) -> None:
    """Begin the step and write its effect, its premise, its branches and the lemmas they use."""
    branches = _branches(position, kind, source, nets.starts)
    for branch in range(branches):
        start = nets.starts[branch]
        if kind == CONTRADICTION:
            mark(nets.arena, nets.table[start, CLASH], nets.stack)
            mark(nets.arena, nets.table[start, CLASH + 1], nets.stack)
        else:
            mark(nets.arena, nets.where[nets.table[start, ROW], target], nets.stack)
    lemma_at = np.full(nets.lemmas[COUNT], -1, dtype=np.int32)
    for branch in range(branches if len(lemma_at) else 0):
        record = nets.table[nets.starts[branch], BEGIN]
        while record < nets.table[nets.starts[branch], END]:
            lemma = nets.arena[record + CAUSE] - BY_LEMMA
            if nets.arena[record + MARK] and lemma >= 0 and lemma_at[lemma] < 0:
                lemma_at[lemma] = copy_lemma(nets.lemmas, lemma, out)
            record = next_record(nets.arena, record)
    effect = target if target >= 0 else source ^ 1
    digit = (effect >> 1) % 9
    begin(out, limits[KEY], kind, 1 << digit, size)
    if effect & 1:
        put_placed(out, effect // 18, digit)
    else:
        put_removed(out, position, effect // 18, digit)
    if kind == BY_CANDIDATES:
        put_cell(out, PATTERN, position[CANDIDATES + source], source)
    elif kind == BY_PLACES:
        put_house(out, BASE, 1 << (source % 9), source // 9)
    for branch in range(branches):
        start = nets.starts[branch]
        put_marked(out, nets.arena, nets.table[start, BEGIN], nets.table[start, END], lemma_at)


ENTRIES: Final = (
    Technique("nishio", scan_nets),
    Technique("cell_forcing_chain", scan_nets),
    Technique("region_forcing_chain", scan_nets),
    Technique("double_forcing_chain", scan_nets),
    Technique("dynamic_forcing_chain", scan_nets),
    Technique("dynamic_forcing_chain_plus", scan_nets),
)
