"""The one table of limits: how far each technique looks, when searched for alone and inside the rating paths.

A scan gets its limits as int32[LIMITS_SIZE]. A field a technique does not mention is 0, and 0 means "none of
it" for a switch; the numbers have no other default.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.techniques.keys import NUMBER

Limits = NDArray[np.int32]

KEY: Final = 0  # number of the technique wanted; a scan that serves several keys finds this one only
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
BOUND: Final = 12  # most a search may cost, in nodes or inner searches, before it raises FULL
KINDS: Final = 13  # which of the forms a scan knows are wanted, as bits (their names stand by the scan)
FORWARD: Final = 14  # 1: a chain of almost locked sets only goes on to sets later in their table
LIMITS_SIZE: Final = 16

_FIELDS: Final = {
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
}

# What `find` uses: the union over HoDoKu's options.
FIND: Final[dict[str, dict[str, int]]] = {
    "remote_pair": {"bound": 100_000},
    "empty_rectangle": {"kinds": 1},
    "dual_empty_rectangle": {"kinds": 1},
    "strong_links_2": {"links": 2},
    "strong_links_3": {"links": 3},
    "strong_links_4": {"links": 4},
    "strong_links_5": {"links": 5},
    "strong_links_6": {"links": 6},
    "xy_wing": {"size": 2, "kinds": 3},
    "xyz_wing": {"size": 3},
    "wxyz_wing": {"size": 4},
    "vwxyz_wing": {"size": 5},
    "uvwxyz_wing": {"size": 6},
    "tuvwxyz_wing": {"size": 7},
    "x_wing": {"size": 2, "kinds": 1},
    "swordfish": {"size": 3, "kinds": 1},
    "jellyfish": {"size": 4, "kinds": 1},
    "finned_x_wing": {"size": 2, "kinds": 9, "fins": 9, "siamese": 1},
    "finned_swordfish": {"size": 3, "kinds": 9, "fins": 9, "siamese": 1},
    "finned_jellyfish": {"size": 4, "kinds": 9, "fins": 9, "siamese": 1},
    "sashimi_x_wing": {"size": 2, "kinds": 25, "fins": 9, "siamese": 1},
    "sashimi_swordfish": {"size": 3, "kinds": 25, "fins": 9, "siamese": 1},
    "sashimi_jellyfish": {"size": 4, "kinds": 25, "fins": 9, "siamese": 1},
    "franken_x_wing": {"size": 2, "kinds": 2},
    "franken_swordfish": {"size": 3, "kinds": 2},
    "franken_jellyfish": {"size": 4, "kinds": 2},
    "finned_franken_x_wing": {"size": 2, "kinds": 10, "fins": 9, "endo_fins": 9, "siamese": 1},
    "finned_franken_swordfish": {"size": 3, "kinds": 10, "fins": 9, "endo_fins": 9, "siamese": 1},
    "finned_franken_jellyfish": {"size": 4, "kinds": 10, "fins": 9, "endo_fins": 9, "siamese": 1},
    "finned_mutant_jellyfish": {"size": 4, "kinds": 12, "fins": 9, "endo_fins": 9, "siamese": 1},
    "direct_hidden_pair": {"size": 2},
    "direct_hidden_triple": {"size": 3},
    "naked_pair": {"size": 2},
    "naked_triple": {"size": 3},
    "naked_quad": {"size": 4},
    "hidden_pair": {"size": 2},
    "hidden_triple": {"size": 3},
    "hidden_quad": {"size": 4},
    "locked_pair": {"size": 2},
    "locked_triple": {"size": 3},
    "x_cycle": {"kinds": 1},
    "y_cycle": {"kinds": 2},
    "forcing_x_chain": {"kinds": 4},
    "bidirectional_cycle": {"kinds": 8},
    "forcing_chain": {"kinds": 16},
    "nishio": {"kinds": 8 | 16, "level": 1},
    "cell_forcing_chain": {"kinds": 2},
    "region_forcing_chain": {"kinds": 4},
    "double_forcing_chain": {"kinds": 1, "level": 1},
    "dynamic_forcing_chain": {"kinds": 15, "level": 1},
    "dynamic_forcing_chain_plus": {"kinds": 15, "level": 2},
    "nested_forcing_chain": {"kinds": 15, "level": 3, "bound": 10_000},
    "forcing_chain_contradiction": {"kinds": 8 | 32},
    "forcing_chain_verity": {"kinds": 7 | 32},
    "forcing_net_contradiction": {"kinds": 8, "level": 1},
    "forcing_net_verity": {"kinds": 7, "level": 1},
    "x_chain": {"links": 40, "kinds": 2},
    "xy_chain": {"links": 40, "kinds": 2},
    "aic": {"links": 40, "kinds": 2},
    "discontinuous_nice_loop": {"links": 40, "kinds": 4},
    "continuous_nice_loop": {"links": 40, "kinds": 9},
    "grouped_aic": {"links": 40, "groups": 1, "als_nodes": 1, "kinds": 2},
    "grouped_discontinuous_nice_loop": {"links": 40, "groups": 1, "als_nodes": 1, "kinds": 4},
    "grouped_continuous_nice_loop": {"links": 40, "groups": 1, "als_nodes": 1, "kinds": 9},
    "trial": {"bound": 100_000},
    "brute_force": {"bound": 100_000},
    "unique_rectangle_1": {"missing": 1},
    "unique_rectangle_2": {"missing": 1},
    "unique_rectangle_3": {"missing": 1, "kinds": 3},
    "unique_rectangle_4": {"missing": 1, "kinds": 3},
    "unique_rectangle_5": {"missing": 1},
    "unique_rectangle_6": {"missing": 1},
    "unique_loop": {"kinds": 3, "bound": 1_000_000},
    "hidden_rectangle": {"missing": 1},
    "avoidable_rectangle_1": {"kinds": 3},
    "avoidable_rectangle_2": {"kinds": 3},
    "bug_3": {"size": 6},
    "aligned_pair_exclusion": {"size": 2},
    "aligned_triplet_exclusion": {"size": 3},
    "als_xz": {"overlap": 1},
    "als_xy_wing": {"overlap": 1},
    "als_xy_chain": {"overlap": 1, "als": 16, "bound": 100_000_000},
    "death_blossom": {"overlap": 1, "bound": 10_000_000},
}

# Where HoDoKu's own path looks less far (its program's default settings).
HODOKU: Final[dict[str, dict[str, int]]] = {
    "x_chain": {"links": 20},
    "xy_chain": {"links": 20},
    "continuous_nice_loop": {"links": 10, "kinds": 8},
    "discontinuous_nice_loop": {"links": 10},
    "aic": {"links": 10},
    "grouped_continuous_nice_loop": {"links": 10, "als_nodes": 0, "kinds": 8},
    "grouped_discontinuous_nice_loop": {"links": 10, "als_nodes": 0},
    "grouped_aic": {"links": 10, "als_nodes": 0},
    "empty_rectangle": {"kinds": 0},
    "finned_x_wing": {"fins": 5, "siamese": 0},
    "finned_swordfish": {"fins": 5, "siamese": 0},
    "finned_jellyfish": {"fins": 5, "siamese": 0},
    "sashimi_x_wing": {"fins": 5, "siamese": 0},
    "sashimi_swordfish": {"fins": 5, "siamese": 0},
    "sashimi_jellyfish": {"fins": 5, "siamese": 0},
    "finned_franken_x_wing": {"fins": 5, "endo_fins": 2, "siamese": 0},
    "finned_franken_swordfish": {"fins": 5, "endo_fins": 2, "siamese": 0},
    "finned_franken_jellyfish": {"fins": 5, "endo_fins": 2, "siamese": 0},
    "finned_mutant_jellyfish": {"fins": 5, "endo_fins": 2, "siamese": 0},
    "unique_rectangle_3": {"kinds": 2},
    "unique_rectangle_4": {"kinds": 2},
    "avoidable_rectangle_1": {"kinds": 1},
    "avoidable_rectangle_2": {"kinds": 1},
    "als_xz": {"overlap": 0},
    "als_xy_wing": {"overlap": 0},
    "als_xy_chain": {"overlap": 0, "als": 51, "forward": 1},
}

# Where hints, paths and counts look less far than `find`, so that they come at once.
LOGIC: Final[dict[str, dict[str, int]]] = {
    "continuous_nice_loop": {"links": 16, "kinds": 8},
    "discontinuous_nice_loop": {"links": 16},
    "aic": {"links": 16},
    "grouped_continuous_nice_loop": {"links": 12, "als_nodes": 0, "kinds": 8},
    "grouped_discontinuous_nice_loop": {"links": 12, "als_nodes": 0},
    "grouped_aic": {"links": 12, "als_nodes": 0},
    "finned_franken_x_wing": {"fins": 3, "endo_fins": 0, "siamese": 0},
    "finned_franken_swordfish": {"fins": 3, "endo_fins": 0, "siamese": 0},
    "als_xy_chain": {"overlap": 0, "als": 6},
}
# Where a path asks for several techniques that follow each other: one search under the first key finds the
# others too, at a third of what three cost.
TOGETHER: Final[dict[str, dict[str, int]]] = {"aic": {"kinds": 14}, "grouped_aic": {"kinds": 14}}
COVERED: Final = frozenset(
    {
        "discontinuous_nice_loop",
        "continuous_nice_loop",
        "grouped_discontinuous_nice_loop",
        "grouped_continuous_nice_loop",
    }
)
# What hints, paths and counts leave to `find`: searches the references switch off too, since they are long
# and next to never give the first step there is.
FOUND_ON_REQUEST: Final = frozenset(
    {
        "franken_jellyfish",
        "finned_franken_jellyfish",
        "finned_mutant_jellyfish",
    }
)

# Where Sukaku Explainer looks less far.
EXPLAINER: Final[dict[str, dict[str, int]]] = {
    "unique_rectangle_1": {"missing": 0},
    "unique_rectangle_2": {"missing": 0},
    "unique_rectangle_3": {"missing": 0, "kinds": 1},
    "unique_rectangle_4": {"missing": 0, "kinds": 1},
    "unique_rectangle_5": {"missing": 0},
    "unique_loop": {"kinds": 1},
}


def limits_for(key: str, *changes: dict[str, int]) -> Limits:
    """int32[LIMITS_SIZE] for the technique `key`: the FIND row, then every change given."""
    limits = np.zeros(LIMITS_SIZE, dtype=np.int32)
    limits[KEY] = NUMBER[key]
    for row in (FIND.get(key, {}), *changes):
        for field, value in row.items():
            limits[_FIELDS[field]] = value
    return limits
