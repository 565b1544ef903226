"""The one table of limits: how far each technique looks, when searched for alone and inside the rating paths.

A scan gets its limits as int32[LIMITS_SIZE]. A field a technique does not mention is 0, and 0 means "none of
it" for a switch; the numbers have no other default.

No search is endless: each technique has a bound in BOUNDS or is one of SHORT. Past its bound a scan raises
FULL, and its answer is thrown away as a whole. So it is where a scan's scratch space is too small, whose size
stands beside the scan: for the almost locked sets of a position (ALS_ROOM in engine/kernels/almost_locked.py,
as kernels import nothing from here) and for the records of chains (ARENA_WORDS and LEMMA_WORDS in nets.py).
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

# The most a search may cost.
BOUNDS: Final[dict[str, int]] = {
    "remote_pair": 100_000,  # cells tried for the chains of one length
    "unique_loop": 1_000_000,  # cells tried
    "als_xy_wing": 100_000_000,  # pairs of sets linked to a third
    "als_xy_chain": 100_000_000,  # sets looked at on the way back along a chain
    "death_blossom": 10_000_000,  # petals tried
    # houses tried as bases, fish judged and pairs of them joined
    **dict.fromkeys(
        (
            "x_wing",
            "swordfish",
            "jellyfish",
            "finned_x_wing",
            "finned_swordfish",
            "finned_jellyfish",
            "sashimi_x_wing",
            "sashimi_swordfish",
            "sashimi_jellyfish",
            "franken_x_wing",
            "franken_swordfish",
            "franken_jellyfish",
            "finned_franken_x_wing",
            "finned_franken_swordfish",
            "finned_franken_jellyfish",
            "finned_mutant_jellyfish",
        ),
        20_000_000,
    ),
    "nested_forcing_chain": 10_000,  # see STATIC_COST
    "trial": 100_000,  # digits tried to complete one assumption
    "brute_force": 100_000,
}

# Those that need none: what they try is counted by the cells, houses, digits and limits below alone, and no
# position makes it take more than seconds.
SHORT: Final = frozenset(
    {
        # one look at each cell, house or place of a digit
        *("full_house", "naked_single", "hidden_single"),
        *("pointing", "claiming", "direct_pointing", "direct_claiming"),
        # up to four cells or digits of one house, up to three cells of a wing's pivot, box against line
        *("naked_pair", "naked_triple", "naked_quad", "hidden_pair", "hidden_triple", "hidden_quad"),
        *("direct_hidden_pair", "direct_hidden_triple", "locked_pair", "locked_triple", "sue_de_coq"),
        *("xy_wing", "xyz_wing", "wxyz_wing", "vwxyz_wing", "uvwxyz_wing", "tuvwxyz_wing", "w_wing"),
        # two or three cells with what sees them all
        *("aligned_pair_exclusion", "aligned_triplet_exclusion"),
        # up to six links of one digit, colours of one digit
        *("skyscraper", "two_string_kite", "dual_two_string_kite", "turbot_fish"),
        *("empty_rectangle", "dual_empty_rectangle"),
        *("strong_links_2", "strong_links_3", "strong_links_4", "strong_links_5", "strong_links_6"),
        *("simple_colouring_trap", "simple_colouring_wrap", "multi_colouring_1", "multi_colouring_2"),
        # rectangles are listed, and a grave has a few cells more than two candidates
        *("unique_rectangle_1", "unique_rectangle_2", "unique_rectangle_3"),
        *("unique_rectangle_4", "unique_rectangle_5", "unique_rectangle_6"),
        *("hidden_rectangle", "avoidable_rectangle_1", "avoidable_rectangle_2"),
        *("bug_plus_1", "bug_2", "bug_3", "bug_4"),
        # from each candidate every other is reached once, whatever the way
        *("x_cycle", "y_cycle", "forcing_x_chain", "bidirectional_cycle", "forcing_chain", "nishio"),
        *("x_chain", "xy_chain", "aic", "discontinuous_nice_loop", "continuous_nice_loop"),
        *("grouped_aic", "grouped_discontinuous_nice_loop", "grouped_continuous_nice_loop"),
        *("forcing_chain_contradiction", "forcing_chain_verity", "cell_forcing_chain"),
        *("region_forcing_chain", "double_forcing_chain", "dynamic_forcing_chain"),
        *("dynamic_forcing_chain_plus", "forcing_net_contradiction", "forcing_net_verity"),
        # two of at most ALS_ROOM sets
        "als_xz",
    }
)

# What `find` uses: the union over HoDoKu's options.
FIND: Final[dict[str, dict[str, int]]] = {
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
    "nested_forcing_chain": {"kinds": 15, "level": 3},
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
    "unique_rectangle_1": {"missing": 1},
    "unique_rectangle_2": {"missing": 1},
    "unique_rectangle_3": {"missing": 1, "kinds": 3},
    "unique_rectangle_4": {"missing": 1, "kinds": 3},
    "unique_rectangle_5": {"missing": 1},
    "unique_rectangle_6": {"missing": 1},
    "unique_loop": {"kinds": 3},
    "hidden_rectangle": {"missing": 1},
    "avoidable_rectangle_1": {"kinds": 3},
    "avoidable_rectangle_2": {"kinds": 3},
    "bug_3": {"size": 6},
    "aligned_pair_exclusion": {"size": 2},
    "aligned_triplet_exclusion": {"size": 3},
    "als_xz": {"overlap": 1},
    "als_xy_wing": {"overlap": 1},
    "als_xy_chain": {"overlap": 1, "als": 16},
    "death_blossom": {"overlap": 1},
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
    # contradictions and verities cost the same there, so one search looks for both
    "forcing_chain_verity": {"kinds": 15 | 32},
    "forcing_net_verity": {"kinds": 15},
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
    # rule classes that search several kinds of chain at once
    "forcing_chain": {"kinds": 31},
    "cell_forcing_chain": {"kinds": 6},
}
NESTED_LEVELS: Final = (3, 4, 5)  # rule levels of nested chains, tried one after another
DEEPEST_LEVEL: Final = NESTED_LEVELS[-1]  # with dynamic nets under an assumption, and nothing under those
# What a search for nested chains takes from its bound, in about tenths of a millisecond: static chains,
# chains of several branches, dynamic nets.
STATIC_COST: Final = 1
SEVERAL_COST: Final = 10
DYNAMIC_COST: Final = 400
# Of these in a whole rating; past it there is none. So the longest ratings, those of the hardest puzzles
# known, take less than ten seconds.
MOST_SPENT: Final = 40_000

# The XY-wing of one box and one line, as the paper of the weighted rules describes it.
WEIGHTED_RULES: Final[dict[str, dict[str, int]]] = {"xy_wing": {"kinds": 1}}


def limits_for(key: str, *changes: dict[str, int]) -> Limits:
    """int32[LIMITS_SIZE] for the technique `key`: its bound, the FIND row, then every change given."""
    limits = np.zeros(LIMITS_SIZE, dtype=np.int32)
    limits[KEY] = NUMBER[key]
    for row in ({"bound": BOUNDS.get(key, 0)}, FIND.get(key, {}), *changes):
        for field, value in row.items():
            limits[_FIELDS[field]] = value
    return limits
