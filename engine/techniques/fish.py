"""Fish of one digit: basic, finned, sashimi, Franken and mutant, sizes 2 to 4, by one search.

n base houses each need the digit; n cover houses can each take it once. A cell in more base than cover houses
is a fin. If no fin is true the bases use up the covers, so a cell in more cover than base houses can't hold
the digit; hence it is eliminated if it sees every fin (the counting is known as Obi-Wahn's arithmetic, from
the Sudoku Players' Forum).

The search inverts this. Assume one cell x true: it strikes what it sees, including one cover through x. Then
n bases have n - 1 covers, without any fin. So for each choice of n - 1 covers, only those houses can be bases
whose cells outside of the covers have a common peer.
"""

from __future__ import annotations

from functools import partial
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..kernels._jit import kernel
from ..kernels.bits import count_ones, trailing_zeros
from ..kernels.state import CELLS, PLACES, State
from ..kernels.steps import (
    ALL,
    FULL,
    PAST_BOUND,
    ROOM,
    Steps,
    begin,
    commit,
    put_cell,
    put_house,
    put_removed_cells,
)
from ..kernels.tables import CELL_HOUSES, HOUSE_CELLS, HOUSE_WORDS, PEER_WORDS, SHARED
from .entry import BASE, COVER, ENDO_FIN, FIN, N_, Family, Scope, Technique
from .entry import PATTERN as BODY
from .limits import BARREN, BOUND, ENDO_FINS, FINS, KEY, KINDS, SIAMESE, SIZE, Limits
from .subsets import CHOICES, FROM, unpacked

Row = NDArray[np.int32]

# Kinds of fish, as bits of limits[KINDS].
BASIC: Final = 1  # rows against columns
FRANKEN: Final = 2  # boxes too, on either side
MUTANT: Final = 4  # rows and columns mixed on one side
FINNED: Final = 8
SASHIMI: Final = 16  # finned, and without the fins a base house of a basic fish is down to one cell

ROWS: Final = 0x1FF
COLUMNS: Final = ROWS << 9
BOXES: Final = ROWS << 18
LINES: Final = ROWS | COLUMNS

# Parts of the scratch.
_COVERS: Final = 0  # the n - 1 covers chosen, as numbers in the pool
_ELIGIBLE: Final = 8  # houses that may be bases with these covers
_SEEN: Final = _ELIGIBLE + 27  # for each of them, three words: possible places of x
_BASES: Final = _SEEN + 3 * 27  # bases chosen, as numbers among the eligible ones
_COMMON: Final = _BASES + 8  # after each base chosen, three words: remaining places of x
_COUNTS: Final = _COMMON + 3 * 8  # cells in one, two, three or more bases, then covers: three words each
_SPENT: Final = _COUNTS + 18  # houses tried as bases, fish examined and pairs joined so far
_WORDS: Final = _SPENT + 1
_FINS: Final = 0
_REMOVED: Final = 3

# The record of the fish of one digit: their number, then hash slots by effects and by bases, then a row for
# each fish: three words of cells cleared, bases, covers, how many cells it shows, the fewest of any fish with
# these effects, and the next row under its slots. The effects slot leads to the first fish that has them,
# which alone knows the fewest; the bases slot to all.
_SLOTS: Final = 4096
_MASK: Final = (1 << 62) - 1
_NOTED: Final = 0
_BY_EFFECTS: Final = 1
_BY_BASES: Final = _BY_EFFECTS + _SLOTS
_ROWS: Final = _BY_BASES + _SLOTS
_BASES_OF: Final = 3
_COVERS_OF: Final = 4
_LENGTH: Final = 5
_FEWEST_CELLS: Final = 6
_NEXT: Final = 7
_NEXT_OF_BASES: Final = 8
_ROW: Final = 9
_FEWEST: Final = 4096  # lower limit of rows
_FULL_BOOK: Final = -1


class Scan(NamedTuple):
    """A scan of one digit, and its room to work."""

    position: State
    limits: Limits
    mode: int
    out: Steps
    digit: int
    pool: int  # houses that may be bases
    cover_pool: int  # and covers
    places: Row  # the cells of the digit: three words
    fish: Row  # the last fish examined: its fins and eliminations, three words each
    scratch: Row
    book: Row


@kernel
def _kind(bases: int, covers: int) -> int:
    """BASIC, FRANKEN or MUTANT, from the two masks of 27 houses."""
    crossed = (bases & ROWS != 0 and bases & COLUMNS != 0) or (covers & ROWS != 0 and covers & COLUMNS != 0)
    if crossed or (bases & covers & LINES) or (bases & ROWS and covers & ROWS):
        return MUTANT
    if bases & COLUMNS and covers & COLUMNS:
        return MUTANT
    return FRANKEN if (bases | covers) & BOXES else BASIC


@kernel
def _count_houses(houses: int, first: int, places: Row, scratch: Row) -> None:
    """Write to scratch[first:first + 9] which cells of the digit are in 1, 2, 3 or more of `houses`."""
    for index in range(9):
        scratch[first + index] = 0
    while houses:
        house = trailing_zeros(houses)
        houses &= houses - 1
        for band in range(3):
            words = places[band] & HOUSE_WORDS[house, band]
            once = scratch[first + band]
            twice = scratch[first + 3 + band]
            scratch[first + 6 + band] |= twice & words
            scratch[first + 3 + band] |= once & words
            scratch[first + band] = once | words


@kernel
def _judge(bases: int, covers: int, places: Row, scratch: Row, fish: Row) -> int:
    """Compute fins and eliminations of the fish in `fish`, six words; returns the number of fins."""
    _count_houses(bases, _COUNTS, places, scratch)
    _count_houses(covers, _COUNTS + 9, places, scratch)
    fins = 0
    for band in range(3):
        more = 0
        less = 0
        for times in range(3):
            in_bases = scratch[_COUNTS + 3 * times + band]
            in_covers = scratch[_COUNTS + 9 + 3 * times + band]
            more |= in_bases & ~in_covers
            less |= in_covers & ~in_bases
        fish[_FINS + band] = more
        fish[_REMOVED + band] = less
        fins += count_ones(more)
    for band in range(3):
        rest = fish[_FINS + band]
        while rest:
            cell = 27 * band + trailing_zeros(rest)
            rest &= rest - 1
            for other in range(3):
                fish[_REMOVED + other] &= PEER_WORDS[cell, other]
    return fins


@kernel
def _is_sashimi(bases: int, fish: Row, places: Row) -> bool:
    """Whether a base has at most one cell without the fins."""
    while bases:
        house = trailing_zeros(bases)
        bases &= bases - 1
        left = 0
        for band in range(3):
            left += count_ones(places[band] & HOUSE_WORDS[house, band] & ~fish[_FINS + band])
        if left < 2:
            return True
    return False


@kernel
def _begin_fish(scan: Scan, variant: int, words: Row) -> None:
    """Begin a step that eliminates the digit from three words of cells."""
    begin(scan.out, scan.limits[KEY], variant, 1 << scan.digit, scan.limits[SIZE])
    for band in range(3):
        put_removed_cells(scan.out, scan.position, scan.digit, band, words[band])


@kernel
def _put_cells(scan: Scan) -> None:
    """Write the cells of the last fish examined: body, then fins."""
    fish, scratch = scan.fish, scan.scratch
    for part in range(2):
        for band in range(3):
            in_covers = scratch[_COUNTS + 9 + band]
            rest = scratch[_COUNTS + band] & ~fish[_FINS + band] if part == 0 else fish[_FINS + band]
            while rest:
                cell = trailing_zeros(rest)
                twice = scratch[_COUNTS + 3 + band] >> cell & 1
                role = BODY if part == 0 else (ENDO_FIN if twice or in_covers >> cell & 1 else FIN)
                put_cell(scan.out, role, 1 << scan.digit, 27 * band + cell)
                rest &= rest - 1


@kernel
def _put_houses(scan: Scan, role: int, houses: int) -> None:
    """Write a mask of houses in one role."""
    while houses:
        put_house(scan.out, role, 1 << scan.digit, trailing_zeros(houses))
        houses &= houses - 1


@kernel
def _slot(first: int, second: int, third: int) -> int:
    """Return the slot of three words in the record; every bit counts."""
    code = int(first) * 0x2545F4914F6C & _MASK
    code = (code ^ code >> 29 ^ int(second)) * 0x2545F4914F6C & _MASK
    code = (code ^ code >> 29 ^ int(third)) * 0x2545F4914F6C & _MASK
    return (code >> 32) % _SLOTS


@kernel
def _note(book: Row, words: Row, bases: int, covers: int, cells: int) -> int:
    """Add a fish to the record; returns 1 to write it, 0 not to, _FULL_BOOK without space.

    words: the cells it clears. It is written unless a fish with the same effects shows no more cells; it is
    recorded unless one of the same bases has the same effects. bases: 0 for joined fish, which nothing looks
    up by bases.
    """
    slot = _BY_EFFECTS + _slot(words[0], words[1], words[2])
    first = int(book[slot])
    while first and not _clears(book, first, words):
        first = int(book[_ROWS + _ROW * first + _NEXT])
    better = first == 0 or cells < book[_ROWS + _ROW * first + _FEWEST_CELLS]
    if not better and (bases == 0 or _is_noted(book, words, bases)):
        return 0
    number = int(book[_NOTED]) + 1
    row = _ROWS + _ROW * number
    if row + _ROW > len(book):
        return _FULL_BOOK
    book[_NOTED] = number
    for word in range(3):
        book[row + word] = words[word]
    book[row + _BASES_OF] = bases
    book[row + _COVERS_OF] = covers
    book[row + _LENGTH] = cells
    if first == 0:
        first = number
        book[row + _NEXT] = book[slot]
        book[slot] = number
    if better:
        book[_ROWS + _ROW * first + _FEWEST_CELLS] = cells
    if bases:
        slot = _BY_BASES + _slot(bases, 0, 0)
        book[row + _NEXT_OF_BASES] = book[slot]
        book[slot] = number
    return 1 if better else 0


@kernel
def _clears(book: Row, number: int, words: Row) -> bool:
    """Whether the fish with that number clears exactly these cells."""
    row = _ROWS + _ROW * number
    return bool(book[row] == words[0] and book[row + 1] == words[1] and book[row + 2] == words[2])


@kernel
def _is_noted(book: Row, words: Row, bases: int) -> bool:
    """Whether a fish of these bases that clears exactly these cells is recorded."""
    number = int(book[_BY_BASES + _slot(bases, 0, 0)])
    while number:
        if book[_ROWS + _ROW * number + _BASES_OF] == bases and _clears(book, number, words):
            return True
        number = int(book[_ROWS + _ROW * number + _NEXT_OF_BASES])
    return False


@kernel
def _put_joined(scan: Scan, bases: int, one: int, two: int, words: Row) -> bool:
    """Write two fish of the same bases, with the covers `one` and `two`, as one step; returns commit's
    result.

    Both halves follow from the bases alone, so the joined step is proved by them too.
    """
    _begin_fish(scan, 1, words)
    for turn in range(2):
        _judge(bases, one if turn == 0 else two, scan.places, scan.scratch, scan.fish)
        _put_cells(scan)
    _put_houses(scan, BASE, bases)
    _put_houses(scan, COVER, one)
    _put_houses(scan, COVER, two & ~one)
    return commit(scan.out, ALL)


@kernel
def _put_siamese(scan: Scan, other_book: Row) -> bool:
    """Join each fish of `book` with each earlier one and each of `other_book` with the same bases.

    Only if each removes something the other doesn't. Returns commit's result.
    """
    book, out = scan.book, scan.out
    words = np.empty(3, dtype=np.int32)
    for number in range(1, book[_NOTED] + 1):
        if scan.scratch[_SPENT] > scan.limits[BOUND]:
            out[FULL] = PAST_BOUND
            return True
        row = _ROWS + _ROW * number
        bases = int(book[row + _BASES_OF])
        for turn in range(2):
            partners = book if turn == 0 else other_book
            partner = int(book[row + _NEXT_OF_BASES])
            if turn == 1:
                partner = int(other_book[_BY_BASES + _slot(bases, 0, 0)])
            while partner:
                scan.scratch[_SPENT] += 1
                there = _ROWS + _ROW * partner
                more = less = 0
                for word in range(3):
                    more |= book[row + word] & ~partners[there + word]
                    less |= partners[there + word] & ~book[row + word]
                    words[word] = book[row + word] | partners[there + word]
                if partners[there + _BASES_OF] == bases and more and less:
                    one, two = int(book[row + _COVERS_OF]), int(partners[there + _COVERS_OF])
                    length = int(book[row + _LENGTH] + partners[there + _LENGTH])
                    answer = _note(book, words, 0, 0, length)
                    if answer == _FULL_BOOK:
                        out[FULL] = 1
                        return True
                    if answer and _put_joined(scan, bases, one, two, words):
                        return True
                partner = int(partners[there + _NEXT_OF_BASES])
    return False


@kernel
def _scan_bases(scan: Scan, fewer: int) -> bool:
    """Find all fish with the covers `fewer`, n - 1 of them; returns commit's result."""
    places, scratch = scan.places, scan.scratch
    size = int(scan.limits[SIZE])
    eligible = 0
    rest = scan.pool & ~fewer
    while rest:
        house = trailing_zeros(rest)
        rest &= rest - 1
        outside = int(scan.position[PLACES + 27 * scan.digit + house])
        covers = fewer
        while covers:
            outside &= ~SHARED[house, trailing_zeros(covers)]
            covers &= covers - 1
        if count_ones(outside) > 6:
            continue
        first = places[0] & ~HOUSE_WORDS[house, 0]
        second = places[1] & ~HOUSE_WORDS[house, 1]
        third = places[2] & ~HOUSE_WORDS[house, 2]
        while outside and (first | second | third):
            cell = HOUSE_CELLS[house, trailing_zeros(outside)]
            outside &= outside - 1
            first &= PEER_WORDS[cell, 0]
            second &= PEER_WORDS[cell, 1]
            third &= PEER_WORDS[cell, 2]
        if first | second | third:
            scratch[_ELIGIBLE + eligible] = house
            scratch[_SEEN + 3 * eligible] = first
            scratch[_SEEN + 3 * eligible + 1] = second
            scratch[_SEEN + 3 * eligible + 2] = third
            eligible += 1
    if eligible < size:
        return False

    # Choose the bases in ascending order; _COMMON + 3 * n has the possible places of x after n of them.
    for band in range(3):
        scratch[_COMMON + band] = places[band]
    depth = 0
    looked = 0
    scratch[_BASES] = 0
    while depth >= 0:
        looked += 1
        chosen = int(scratch[_BASES + depth])
        if chosen > eligible - size + depth:
            depth -= 1
            if depth >= 0:
                scratch[_BASES + depth] += 1
            continue
        left = 0
        for band in range(3):
            words = scratch[_COMMON + 3 * depth + band] & scratch[_SEEN + 3 * chosen + band]
            scratch[_COMMON + 3 * depth + 3 + band] = words
            left |= words
        if left == 0:
            scratch[_BASES + depth] += 1
            continue
        if depth < size - 1:
            depth += 1
            scratch[_BASES + depth] = chosen + 1
            continue
        bases = 0
        for index in range(size):
            bases |= 1 << scratch[_ELIGIBLE + scratch[_BASES + index]]
        if _scan_last_cover(scan, bases, fewer):
            return True
        scratch[_BASES + depth] += 1
    scratch[_SPENT] += looked
    if scratch[_SPENT] > scan.limits[BOUND]:
        scan.out[FULL] = PAST_BOUND
        return True
    return False


@kernel
def _scan_last_cover(scan: Scan, bases: int, fewer: int) -> bool:
    """Find the fish of `bases` and the covers `fewer` with one more through each possible x; returns
    commit's result.
    """
    limits, places, fish, scratch = scan.limits, scan.places, scan.fish, scan.scratch
    size = int(limits[SIZE])
    kinds = int(limits[KINDS])
    tried = 0
    for band in range(3):
        rest = scratch[_COMMON + 3 * size + band]
        while rest:
            x = 27 * band + trailing_zeros(rest)
            rest &= rest - 1
            for kind in range(3):
                house = CELL_HOUSES[x, kind]
                bit = 1 << house
                # Each fish is found once for each cover that clears something; it is written for the lowest.
                if not scan.cover_pool & bit or (bases | fewer | tried) & bit:
                    continue
                tried |= bit
                covers = fewer | bit
                if not kinds & _kind(bases, covers):
                    continue
                scratch[_SPENT] += 1
                fins = _judge(bases, covers, places, scratch, fish)
                if (fins == 0) == (kinds & FINNED != 0) or fins > limits[FINS]:
                    continue
                if not _is_lowest(covers, house, fish, scratch):
                    continue
                inner = 0
                for index in range(3):
                    inner += count_ones(fish[_FINS + index] & scratch[_COUNTS + 3 + index])
                if inner > limits[ENDO_FINS]:
                    continue
                if (
                    kinds & BASIC
                    and kinds & FINNED
                    and _is_sashimi(bases, fish, places) == (kinds & SASHIMI == 0)
                ):
                    continue
                if scan.mode == ALL:
                    cells = 0
                    for index in range(3):
                        cells += count_ones(scratch[_COUNTS + index])
                    answer = _note(scan.book, fish[_REMOVED : _REMOVED + 3], bases, covers, cells)
                    if answer == _FULL_BOOK:
                        scan.out[FULL] = 1
                        return True
                    if answer == 0:
                        continue
                if limits[KEY] < 0:  # only recorded
                    continue
                _begin_fish(scan, 0, fish[_REMOVED : _REMOVED + 3])
                _put_cells(scan)
                _put_houses(scan, BASE, bases)
                _put_houses(scan, COVER, covers)
                if commit(scan.out, scan.mode):
                    return True
    return False


@kernel
def _is_lowest(covers: int, house: int, fish: Row, scratch: Row) -> bool:
    """Whether `house` is the lowest cover with an elimination outside of the bases."""
    while covers:
        other = trailing_zeros(covers)
        covers &= covers - 1
        for band in range(3):
            if fish[_REMOVED + band] & ~scratch[_COUNTS + band] & HOUSE_WORDS[other, band]:
                return other == house
    return False


@kernel
def _scan_pools(scan: Scan) -> bool:
    """Find all fish with bases and covers from the pools; returns commit's result."""
    scratch = scan.scratch
    size = int(scan.limits[SIZE])
    if count_ones(scan.cover_pool) < size or count_ones(scan.pool) < size:
        return False
    depth = 0
    scratch[_COVERS] = 0
    while depth >= 0:
        if depth == size - 1:
            fewer = 0
            for index in range(depth):
                fewer |= 1 << scratch[_COVERS + index]
            if _scan_bases(scan, fewer):
                return True
            depth -= 1
            scratch[_COVERS + depth] += 1
            continue
        rest = scan.cover_pool >> scratch[_COVERS + depth]
        if rest == 0:
            depth -= 1
            if depth >= 0:
                scratch[_COVERS + depth] += 1
            continue
        scratch[_COVERS + depth] += trailing_zeros(rest)
        scratch[_COVERS + depth + 1] = scratch[_COVERS + depth] + 1
        depth += 1
    return False


@kernel
def _is_basic(position: State, digit: int, size: int, pool: int) -> bool:
    """Whether some `size` lines of `pool`, all rows or all columns, have the digit in as many lines across.

    And whether that eliminates something.
    """
    first = 0 if pool & ROWS else 9
    lines = 0
    count = 0
    rest = pool
    while rest:
        lines |= (trailing_zeros(rest) - first) << 4 * count
        rest &= rest - 1
        count += 1
    for number in range(FROM[size], FROM[size + 1]):
        if CHOICES[number] >> count:
            break
        chosen = unpacked(int(CHOICES[number]), lines)
        union = 0
        rest = chosen
        while rest:
            union |= position[PLACES + 27 * digit + first + trailing_zeros(rest)]
            rest &= rest - 1
        if count_ones(union) > size:
            continue
        while union:
            if position[PLACES + 27 * digit + 9 - first + trailing_zeros(union)] & ~chosen:
                return True
            union &= union - 1
    return False


@kernel
def _scan_digit(whole: Scan, limits: Limits, book: Row) -> bool:
    """Find all fish of one digit, as `whole` looks for any; returns commit's result."""
    position, mode, digit, places = whole.position, whole.mode, whole.digit, whole.places
    book[_NOTED] = 0
    fresh = True
    kinds = int(limits[KINDS])
    pool = 0
    rows = columns = 0
    for house in range(27):
        count = count_ones(position[PLACES + 27 * digit + house])
        if count == 0:
            continue
        rows += house < 9
        columns += 9 <= house < 18
        # A basic fish without fins has no base of more than `size` cells, and a line of one is a single.
        if kinds & ~BASIC or 1 < count <= limits[SIZE]:
            pool |= 1 << house
    if max(rows, columns) <= limits[SIZE] and not kinds & (FRANKEN | MUTANT):
        return False
    for band in range(3):
        places[band] = position[CELLS + 3 * digit + band]
    for turn in range(1 if kinds & MUTANT else 2):
        across, along = (ROWS, COLUMNS) if turn == 0 else (COLUMNS, ROWS)
        if kinds & (FRANKEN | MUTANT):
            across |= BOXES
            along |= BOXES
        if kinds & MUTANT:
            across |= LINES
            along |= LINES
        cover_pool = 0
        for house in range(27):
            if along >> house & 1 and position[PLACES + 27 * digit + house]:
                cover_pool |= 1 << house
        if kinds == BASIC and not _is_basic(position, digit, limits[SIZE], pool & across):
            continue
        if mode == ALL and fresh:
            book[:_ROWS] = 0
            fresh = False
        own = pool & across
        if _scan_pools(
            Scan(
                position,
                limits,
                mode,
                whole.out,
                digit,
                own,
                cover_pool,
                places,
                whole.fish,
                whole.scratch,
                book,
            )
        ):
            return True
    return False


@kernel
def scan_fish(position: State, limits: Limits, mode: int, out: Steps) -> None:
    """Find fish of limits[SIZE] bases and of the kinds limits[KINDS], with at most limits[FINS] fins.

    Raises FULL past limits[BOUND] houses tried as bases, fish examined and pairs joined.
    """
    places, fish, scratch = np.empty(3, np.int32), np.empty(6, np.int32), np.empty(_WORDS, np.int32)
    scratch[_SPENT] = 0
    siamese = limits[SIAMESE] != 0 and mode == ALL
    # A finned fish may be joined with a sashimi fish, so those are recorded too, without being written.
    both = siamese and limits[KINDS] == BASIC | FINNED
    room = _ROWS + _ROW * (_FEWEST + 4 * out[ROOM])
    book = np.empty(room if mode == ALL else _ROWS, dtype=np.int32)  # unused in mode FIRST
    other_book = np.empty(room if both else _ROWS, dtype=np.int32)
    if siamese:
        other_book[:_ROWS] = 0
    sashimi = limits.copy()
    sashimi[KINDS] |= SASHIMI
    sashimi[KEY] = -1
    for digit in range(9):
        if limits[BARREN] >> digit & 1:
            continue
        scan = Scan(position, limits, mode, out, digit, 0, 0, places, fish, scratch, book)
        if _scan_digit(scan, limits, book):
            return
        if not siamese or book[_NOTED] == 0:
            continue
        if both and _scan_digit(scan, sashimi, other_book):
            return
        if _put_siamese(scan, other_book):
            return


_fish = partial(
    Technique,
    scan=scan_fish,
    family=Family.FISH,
    scope=Scope.DIGIT,
    bound=20_000_000,  # houses tried as bases, fish examined and pairs of them joined
)
_basic = partial(_fish, tier=4)
_finned = partial(_fish, tier=4, template_name="finned_fish", paths={"hodoku": {"fins": 5, "siamese": 0}})
_sashimi = partial(_finned, template_name="sashimi_fish")
_franken = partial(_fish, tier=5, template_name="franken_fish", rare=True)
_mutant = partial(_fish, tier=5, template_name="franken_fish", on_request=True, rare=True)
_FINNED: Final = {"kinds": BASIC | FINNED, "fins": 9, "siamese": 1}
_SASHIMI: Final = {"kinds": BASIC | FINNED | SASHIMI, "fins": 9, "siamese": 1}
_ANY_FINS: Final = {"fins": 9, "endo_fins": 9, "siamese": 1}
_HODOKU_FINS: Final = {"fins": 5, "endo_fins": 2, "siamese": 0}
_LOGIC_FINS: Final = {"fins": 3, "endo_fins": 0, "siamese": 0}
_finned_franken = partial(
    _fish, tier=5, template_name="finned_fish", paths={"logic": _LOGIC_FINS, "hodoku": _HODOKU_FINS}
)
_large_finned = partial(_finned_franken, paths={"hodoku": _HODOKU_FINS}, on_request=True, rare=True)

ENTRIES: Final = (
    _basic("x_wing", N_("X-Wing"), limits={"size": 2, "kinds": BASIC}),
    _basic("swordfish", N_("Swordfish"), limits={"size": 3, "kinds": BASIC}),
    _basic("jellyfish", N_("Jellyfish"), limits={"size": 4, "kinds": BASIC}, rare=True),
    _finned("finned_x_wing", N_("Finned X-Wing"), limits={"size": 2, **_FINNED}, rare=True),
    _sashimi("sashimi_x_wing", N_("Sashimi X-Wing"), limits={"size": 2, **_SASHIMI}, rare=True),
    _finned("finned_swordfish", N_("Finned Swordfish"), limits={"size": 3, **_FINNED}),
    _sashimi("sashimi_swordfish", N_("Sashimi Swordfish"), limits={"size": 3, **_SASHIMI}),
    _finned("finned_jellyfish", N_("Finned Jellyfish"), limits={"size": 4, **_FINNED}, rare=True),
    _sashimi("sashimi_jellyfish", N_("Sashimi Jellyfish"), limits={"size": 4, **_SASHIMI}, rare=True),
    _franken("franken_x_wing", N_("Franken X-Wing"), limits={"size": 2, "kinds": FRANKEN}),
    _franken("franken_swordfish", N_("Franken Swordfish"), limits={"size": 3, "kinds": FRANKEN}),
    _franken(
        "franken_jellyfish", N_("Franken Jellyfish"), limits={"size": 4, "kinds": FRANKEN}, on_request=True
    ),
    _finned_franken(
        "finned_franken_x_wing",
        N_("Finned Franken X-Wing"),
        limits={"size": 2, "kinds": FRANKEN | FINNED, **_ANY_FINS},
        rare=True,
    ),
    _finned_franken(
        "finned_franken_swordfish",
        N_("Finned Franken Swordfish"),
        limits={"size": 3, "kinds": FRANKEN | FINNED, **_ANY_FINS},
    ),
    _large_finned(
        "finned_franken_jellyfish",
        N_("Finned Franken Jellyfish"),
        limits={"size": 4, "kinds": FRANKEN | FINNED, **_ANY_FINS},
    ),
    _mutant("mutant_swordfish", N_("Mutant Swordfish"), limits={"size": 3, "kinds": MUTANT}),
    _mutant("mutant_jellyfish", N_("Mutant Jellyfish"), limits={"size": 4, "kinds": MUTANT}),
    _large_finned(
        "finned_mutant_x_wing",
        N_("Finned Mutant X-Wing"),
        limits={"size": 2, "kinds": MUTANT | FINNED, **_ANY_FINS},
    ),
    _large_finned(
        "finned_mutant_swordfish",
        N_("Finned Mutant Swordfish"),
        limits={"size": 3, "kinds": MUTANT | FINNED, **_ANY_FINS},
    ),
    _large_finned(
        "finned_mutant_jellyfish",
        N_("Finned Mutant Jellyfish"),
        limits={"size": 4, "kinds": MUTANT | FINNED, **_ANY_FINS},
    ),
)
