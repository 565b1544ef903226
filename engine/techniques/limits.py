"""The limits of a scan: the fields of int32[LIMITS_SIZE], and the cost unit of nested chains.

Each technique's own numbers are in its entry. A field missing in an entry is 0, and 0 means "none of it" for
a switch; the numbers have no other default.

No search is endless: each entry states a limit, or that none is needed (SHORT). Past its limit a scan raises
FULL, and its result is discarded as a whole. The same holds if a scan's scratch space is too small; its size
is defined next to the scan: ALS_ROOM for the almost locked sets of a position
(engine/kernels/almost_locked.py) and ARENA_WORDS and LEMMA_WORDS for the records of chains (nets.py).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import numpy as np
from numpy.typing import NDArray

Limits = NDArray[np.int32]

KEY: Final = 0  # number of the wanted technique; a scan that serves several keys finds only this one
SIZE: Final = 1  # size of a subset or fish, cells of a wing
FINS: Final = 2  # most fins of a fish
ENDO_FINS: Final = 3  # most endo-fins (fins in two base houses)
SIAMESE: Final = 4  # 1: also two fish of one base joined
LINKS: Final = 5  # most links of a chain
GROUPS: Final = 6  # 1: groups may be nodes of a chain
ALS_NODES: Final = 7  # 1: almost locked sets may be nodes of a chain
OVERLAP: Final = 8  # 1: almost locked sets may overlap
ALS: Final = 9  # most almost locked sets in a chain
MISSING: Final = 10  # 1: a rectangle's corner may lack one of the two digits
LEVEL: Final = 11  # rule level of a net: 0 static, 1 dynamic, 2 with simple techniques, 3 and more nested
BOUND: Final = 12  # limit of a search's cost, in nodes or inner searches, before it raises FULL
KINDS: Final = 13  # which of a scan's forms are wanted, as bits (named next to the scan)
FORWARD: Final = 14  # 1: a chain of almost locked sets only continues to sets later in their table
# Parts that can be skipped, since nothing is found there: digits 0..8 or houses 0..26 as bits, by the
# technique's scope. Set by a walk, never by an entry.
BARREN: Final = 15
DEEPEST: Final = 16  # the last level of nested chains tried if earlier ones find nothing
LIMITS_SIZE: Final = 17

FIELDS: Final = {
    "size": SIZE,
    "fins": FINS,
    "endo_fins": ENDO_FINS,
    "siamese": SIAMESE,
    "links": LINKS,
    "groups": GROUPS,
    "als_nodes": ALS_NODES,
    "overlap": OVERLAP,
    "als": ALS,
    "missing": MISSING,
    "level": LEVEL,
    "bound": BOUND,
    "kinds": KINDS,
    "forward": FORWARD,
    "deepest": DEEPEST,
}

NESTED_LEVELS: Final = (3, 4, 5)  # rule levels of nested chains, tried one after another
DEEPEST_LEVEL: Final = NESTED_LEVELS[-1]  # with dynamic nets under an assumption, without further nesting
# The cost of a search for nested chains, in about tenths of a millisecond: static chains, chains of several
# branches, dynamic nets. If nothing has arisen, there is no search and no cost.
STATIC_COST: Final = 2
SEVERAL_COST: Final = 4
DYNAMIC_COST: Final = 10
MOST_SPENT: Final = 200_000  # of these on a whole path; beyond, there is no rating


def limits_of(number: int, *rows: Mapping[str, int]) -> Limits:
    """Return int32[LIMITS_SIZE] for the technique with that number; of several values of a field the last
    counts.
    """
    limits = np.zeros(LIMITS_SIZE, dtype=np.int32)
    limits[KEY] = number
    for row in rows:
        for field, value in row.items():
            limits[FIELDS[field]] = value
    return limits
