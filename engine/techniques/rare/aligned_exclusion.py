"""Aligned pair and triplet exclusion: eliminate a candidate of two or three cells that isn't in any valid
combination.
"""

from __future__ import annotations

from functools import partial
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...kernels._jit import kernel
from ...kernels.almost_locked import (
    ALS_DIGITS,
    ALS_ROOM,
    ALS_SIZE,
    ALS_WIDTH,
    SEERS,
    WORDS,
    collect_almost_locked,
)
from ...kernels.bits import count_ones, trailing_zeros
from ...kernels.effects import Seen, commit_shortest, new_seen
from ...kernels.state import CANDIDATES, State
from ...kernels.steps import Steps, begin, put_cell, put_removed, put_removed_mask
from ...kernels.tables import ALL_DIGITS, PEER_WORDS, SEES
from ..entry import N_, PATTERN, PINCER, SHORT, Family, Technique, Trait
from ..limits import KEY, KINDS, SIZE, Limits

Words = NDArray[np.int32]


class Scan(NamedTuple):
    """A search, the two or three cells that it is at, and its room to work."""

    position: State
    limits: Limits
    mode: int
    out: Steps
    cells: Words  # int32[3]
    common: Words  # int32[3]: what may exclude a combination and sees all of them
    excluders: Words  # int32[81]: the same as a list
    masks: Words  # int32[81]
    removed: Words  # candidates to eliminate from each of the cells
    possible: Words  # candidates of each that some combination has
    used: Words  # int32[81]: 1 for the excluders that a proof needs
    seen: Seen


@kernel
def _find_excluders(position: State, most: int, words: Words, base: Words) -> int:
    """Find the cells that can exclude a combination: those with two to `most` candidates.

    words: int32[81, 3], output: those that see the cell. base: int32[81], output: the cells that see one and
    have two or more candidates themselves; returns how many.
    """
    able = np.zeros(3, dtype=np.int32)
    for cell in range(81):
        if 2 <= count_ones(position[CANDIDATES + cell]) <= most:
            able[cell // 27] |= 1 << cell % 27
    count = 0
    for cell in range(81):
        open_cell = count_ones(position[CANDIDATES + cell]) >= 2
        for band in range(3):
            words[cell, band] = PEER_WORDS[cell, band] & able[band] if open_cell else 0
        if words[cell, 0] | words[cell, 1] | words[cell, 2]:
            base[count] = cell
            count += 1
    return count


@kernel
def _find_partners(position: State, words: Words, cell: int, partners: Words) -> None:
    """Fill int32[9] `partners`: for each digit, its partners in bivalue cells that see `cell`."""
    partners[:] = 0
    for band in range(3):
        rest = words[cell, band]
        while rest:
            mask = int(position[CANDIDATES + 27 * band + trailing_zeros(rest)])
            rest &= rest - 1
            high = mask & (mask - 1)
            if high & (high - 1) == 0:
                partners[trailing_zeros(mask)] |= high
                partners[trailing_zeros(high)] |= mask & -mask


@kernel
def _may_exclude(position: State, one: int, other: int, partners: Words) -> bool:
    """Whether a candidate of `one` may rule out all of `other`, which takes bivalue cells that see both."""
    rest = position[CANDIDATES + one]
    while rest:
        digit = trailing_zeros(rest)
        left = position[CANDIDATES + other] & ~(partners[one, digit] & partners[other, digit])
        if left == 0 or (left == rest & -rest and SEES[one, other]):
            return True
        rest &= rest - 1
    return False


@kernel
def _list_cells(words: Words, cells: Words) -> int:
    """Write the cells of int32[3] `words` to `cells`, ascending; return how many."""
    count = 0
    for band in range(3):
        word = words[band]
        while word:
            cells[count] = 27 * band + trailing_zeros(word)
            count += 1
            word &= word - 1
    return count


@kernel
def _excluded(position: State, excluders: Words, count: int, taken: int, needed: int, used: Words) -> int:
    """Return the digits that a further cell can't take once `taken` are; all of them if a cell is left empty.

    used: int32[81]; set to 1 for the excluders that rule out one of the digits `needed`.
    """
    banned = 0
    for index in range(count):
        left = position[CANDIDATES + excluders[index]] & ~taken
        if left & (left - 1):
            continue
        new = (left if left else ALL_DIGITS) & ~banned
        if new & needed:
            used[excluders[index]] = 1
        banned |= new
    return banned


@kernel
def _combine(scan: Scan, count: int) -> None:
    """Fill scan.possible with the candidates of the cells that some combination has, with `count` excluders.

    scan.removed: the candidates whose exclusion is to be proved, writing the proof to scan.used. Without any,
    combinations of candidates that are all known to be possible are skipped.
    """
    position, cells, size = scan.position, scan.cells, scan.limits[SIZE]
    removed, possible = scan.removed, scan.possible
    proving = removed[0] | removed[size - 2] | removed[size - 1]
    one = cells[0]
    other = cells[size - 2]  # the same cell if there are two
    last = cells[size - 1]
    possible[:] = 0
    outer = position[CANDIDATES + one]
    while outer:
        first = outer & -outer
        outer &= outer - 1
        inner = position[CANDIDATES + other]
        if SEES[one, other]:
            inner &= ~first
        if size == 2:
            inner = first
        while inner:
            second = inner & -inner
            inner &= inner - 1
            open_digits = position[CANDIDATES + last]
            if SEES[one, last]:
                open_digits &= ~first
            if SEES[other, last]:
                open_digits &= ~second
            known = possible[0] & first and possible[size - 2] & second
            if known and not proving and open_digits & ~possible[size - 1] == 0:
                continue
            all_of_them = first & removed[0] | (second & removed[1] if size == 3 else 0)
            needed = open_digits if all_of_them else open_digits & removed[size - 1]
            open_digits &= ~_excluded(position, scan.excluders, count, first | second, needed, scan.used)
            if open_digits:
                possible[0] |= first
                possible[size - 2] |= second
                possible[size - 1] |= open_digits


@kernel
def _excludes(position: State, cells: Words, size: int, excluders: Words, count: int, masks: Words) -> bool:
    """Whether some candidate of `size` cells (2 or 3) is in no combination: a fast version of `_combine`.

    A combination is excluded by a cell without other candidates. So most candidates of a cell are soon found
    in one.
    masks: int32[81], scratch.
    """
    for index in range(count):
        masks[index] = position[CANDIDATES + excluders[index]]
    for turn in range(size):
        one, other, last = cells[turn], cells[(turn + 1) % size], cells[(turn + size - 1) % size]
        joined = SEES[other, last] != 0
        by_one = -1 if SEES[one, other] else 0
        by_last = -1 if SEES[one, last] else 0
        rest = int(position[CANDIDATES + one])
        while rest:
            first = rest & -rest
            rest &= rest - 1
            gone = 0
            # Upper limit of combinations: two digits for each pair that can't be in one cell alone
            felled = 0
            for index in range(count):
                left = int(masks[index]) & ~first
                single = left & (left - 1) == 0
                gone |= left if single else 0
                felled += 2 * (count_ones(left) == 2)
            seconds = int(position[CANDIDATES + other]) & ~gone & ~(first & by_one)
            thirds = int(position[CANDIDATES + last]) & ~gone & ~(first & by_last)
            if size == 2:
                if seconds == 0:
                    return True
                continue
            felled += count_ones(seconds & thirds) if joined else 0
            if count_ones(seconds) * count_ones(thirds) > felled:
                continue
            possible = False
            while seconds and not possible:
                second = seconds & -seconds
                seconds &= seconds - 1
                left = thirds & ~second if joined else thirds
                both = first | second
                for index in range(count):
                    alone = int(masks[index]) & ~both
                    left &= ~alone if alone & (alone - 1) == 0 else -1
                possible = left != 0
            if not possible:
                return True
    return False


@kernel
def _try_cells(scan: Scan) -> bool:
    """Write the exclusion of the base cells by what sees them all, if it removes anything; True to stop."""
    position, out, cells, excluders = scan.position, scan.out, scan.cells, scan.excluders
    removed, used, size = scan.removed, scan.used, scan.limits[SIZE]
    count = _list_cells(scan.common, excluders)
    if not _excludes(position, cells, size, excluders, count, scan.masks):
        return False
    removed[:] = 0
    _combine(scan, count)
    digits = 0
    for index in range(size):
        removed[index] = position[CANDIDATES + cells[index]] & ~scan.possible[index]
        digits |= removed[index]
    if digits == 0:
        return False
    used[:] = 0
    _combine(scan, count)
    begin(out, scan.limits[KEY], 0, digits, size)
    for index in range(size):
        put_removed_mask(out, position, cells[index], removed[index])
    for index in range(size):
        put_cell(out, PINCER, position[CANDIDATES + cells[index]], cells[index])
    for index in range(count):
        if used[excluders[index]]:
            put_cell(out, PATTERN, position[CANDIDATES + excluders[index]], excluders[index])
    return commit_shortest(out, scan.mode, scan.seen)


@kernel
def _find_set_excluders(position: State, table: Words) -> Words:
    """The smallest almost locked set that no two candidates may take both digits of: its row, else -1.

    Returns int32[729, 729] by candidates 9 * cell + digit.
    """
    found = np.full((729, 729), -1, dtype=np.int32)
    seers = np.empty((9, 81), dtype=np.bool_)
    for row in range(collect_almost_locked(position, table)):
        for digit in range(9):
            for cell in range(81):
                seers[digit, cell] = table[row, SEERS + 3 * digit + cell // 27] >> cell % 27 & 1
        digits = table[row, ALS_DIGITS]
        for one in range(9):
            for other in range(9):
                if one == other or not digits >> one & 1 or not digits >> other & 1:
                    continue
                for cell in range(81):
                    for beside in range(81 if seers[one, cell] else 0):
                        if beside == cell or not seers[other, beside]:
                            continue
                        before = found[9 * cell + one, 9 * beside + other]
                        if before == -1 or table[row, ALS_SIZE] < table[before, ALS_SIZE]:
                            found[9 * cell + one, 9 * beside + other] = row
    return found


@kernel
def _scan_beside_sets(position: State, limits: Limits, mode: int, out: Steps, seen: Seen) -> None:
    """A candidate with which each of another cell takes two digits of an almost locked set, or one twice."""
    table = np.empty((ALS_ROOM, ALS_WIDTH), dtype=np.int32)
    excluders = _find_set_excluders(position, table)
    used = np.empty(3, dtype=np.int32)
    for candidate in range(729):
        cell, digit = candidate // 9, candidate % 9
        for beside in range(81):
            if not position[CANDIDATES + cell] >> digit & 1 or beside == cell:
                continue
            rest = int(position[CANDIDATES + beside])
            if SEES[cell, beside]:
                rest &= ~(1 << digit)
            used[:] = 0
            large = False
            while rest:
                row = excluders[candidate, 9 * beside + trailing_zeros(rest)]
                if row == -1:
                    break
                rest &= rest - 1
                large |= table[row, ALS_SIZE] > 1
                for band in range(3):
                    used[band] |= table[row, WORDS + band]
            if rest or not large:
                continue
            begin(out, limits[KEY], 1, 1 << digit, 2)
            put_removed(out, position, cell, digit)
            put_cell(out, PINCER, position[CANDIDATES + cell], cell)
            put_cell(out, PINCER, position[CANDIDATES + beside], beside)
            for other in range(81):
                if used[other // 27] >> other % 27 & 1:
                    put_cell(out, PATTERN, position[CANDIDATES + other], other)
            if commit_shortest(out, mode, seen):
                return


@kernel
def scan_aligned_exclusion(position: State, limits: Limits, mode: int, out: Steps) -> None:
    """Find limits[SIZE] cells (2 or 3), aligned or not, whose combinations must leave no other cell empty.

    The other cells have at most as many candidates and see all of them. As in the Explainer, two of those are
    required, and one of three cells must itself have at most three candidates and see another one. With
    limits[KINDS] almost locked sets exclude combinations of two cells too: variant 1.
    """
    words = np.empty((81, 3), dtype=np.int32)
    base = np.empty(81, dtype=np.int32)
    bases = _find_excluders(position, limits[SIZE], words, base)
    cells, common, both = np.empty(3, np.int32), np.empty(3, np.int32), np.empty(3, np.int32)
    pair = np.empty(3, np.int32)
    scratch, seen = np.zeros((5, 81), dtype=np.int32), new_seen(mode)
    scan = Scan(
        position,
        limits,
        mode,
        out,
        cells,
        common,
        scratch[0],
        scratch[1],
        scratch[2],
        scratch[3],
        scratch[4],
        seen,
    )
    bases_of = np.zeros(3, dtype=np.int32)
    for first in range(bases):
        bases_of[base[first] // 27] |= 1 << base[first] % 27
    partners = np.empty((81, 9), dtype=np.int32)
    for first in range(bases if limits[SIZE] == 2 else 0):
        _find_partners(position, words, base[first], partners[base[first]])
    for first in range(bases):
        cells[0] = base[first]
        for second in range(first + 1, bases):
            cells[1] = base[second]
            seers = 0
            for band in range(3):
                pair[band] = common[band] = words[cells[0], band] & words[cells[1], band]
                seers += count_ones(pair[band])
            if seers < 2:
                continue
            if limits[SIZE] == 2:
                may = _may_exclude(position, cells[0], cells[1], partners)
                if (may or _may_exclude(position, cells[1], cells[0], partners)) and _try_cells(scan):
                    return
                continue
            joined = _joined(position, cells[0], cells[1])
            _see_two(pair, both)
            for band in range(cells[1] // 27, 3):
                thirds = both[band] & bases_of[band]
                if band == cells[1] // 27:
                    thirds &= -2 << cells[1] % 27
                while thirds:
                    cells[2] = 27 * band + trailing_zeros(thirds)
                    thirds &= thirds - 1
                    for other in range(3):
                        common[other] = pair[other] & words[cells[2], other]
                    if (
                        joined
                        or _joined(position, cells[0], cells[2])
                        or _joined(position, cells[1], cells[2])
                    ) and _try_cells(scan):
                        return
    if limits[KINDS]:
        _scan_beside_sets(position, limits, mode, out, seen)


@kernel
def _see_two(words: Words, both: Words) -> None:
    """Write to int32[3] `both` the cells that see two or more of those in int32[3] `words`."""
    for home in range(3):
        once = twice = 0
        for band in range(3):
            word = words[band]
            while word:
                peers = PEER_WORDS[27 * band + trailing_zeros(word), home]
                word &= word - 1
                twice |= once & peers
                once |= peers
        both[home] = twice


@kernel
def _joined(position: State, one: int, other: int) -> bool:
    """Whether two cells see each other and one has at most three candidates."""
    few = count_ones(position[CANDIDATES + one]) <= 3 or count_ones(position[CANDIDATES + other]) <= 3
    return bool(SEES[one, other] != 0 and few)


# No limit: two or three cells with what sees them all.
_exclusion = partial(
    Technique,
    scan=scan_aligned_exclusion,
    family=Family.EXCLUSION,
    tier=5,
    bound=SHORT,
    template_name="exclusion",
    traits=Trait.MIDDLE,
    rare=True,
)

ENTRIES: Final = (
    _exclusion(
        "aligned_pair_exclusion",
        N_("Aligned Pair Exclusion"),
        limits={"size": 2, "kinds": 1},
        paths={"explainer": {"kinds": 0}, "logic": {"kinds": 0}},
    ),
    _exclusion("aligned_triplet_exclusion", N_("Aligned Triplet Exclusion"), limits={"size": 3}),
)
