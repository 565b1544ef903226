"""The keys of all techniques in the order in which people look for them, and their numbers for kernels.

The order is that of the tiers (entry.Technique.tier), and within a tier that of effort: few cells before
many, one digit before several, a named pattern before its generalization. Hints, solution paths, counts and
levels follow it; rating schemes have orders of their own.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

_keys: Final = [
    # tier 1, with hidden singles in a box
    "full_house",
    "hidden_single",
    # tier 2
    "naked_single",
    # tier 3
    "direct_pointing",
    "direct_claiming",
    "pointing",
    "claiming",
    "locked_pair",
    "naked_pair",
    "direct_hidden_pair",
    "hidden_pair",
    "locked_triple",
    "naked_triple",
    "direct_hidden_triple",
    "hidden_triple",
    "naked_quad",
    "hidden_quad",
    # tier 4
    "x_wing",
    "skyscraper",
    "two_string_kite",
    "dual_two_string_kite",
    "turbot_fish",
    "empty_rectangle",
    "dual_empty_rectangle",
    "xy_wing",
    "remote_pair",
    "w_wing",
    "xyz_wing",
    "unique_rectangle_1",
    "unique_rectangle_2",
    "unique_rectangle_3",
    "unique_rectangle_4",
    "unique_rectangle_5",
    "unique_rectangle_6",
    "hidden_rectangle",
    "bug_plus_1",
    "simple_colouring_trap",
    "simple_colouring_wrap",
    "strong_links_2",
    "finned_x_wing",
    "sashimi_x_wing",
    "swordfish",
    "finned_swordfish",
    "sashimi_swordfish",
    "jellyfish",
    "finned_jellyfish",
    "sashimi_jellyfish",
    # tier 5
    "unique_loop",
    "extended_rectangle",
    "avoidable_rectangle_1",
    "avoidable_rectangle_2",
    "bug_2",
    "bug_3",
    "bug_4",
    "bug_plus_n",
    "almost_locked_candidates",
    "wxyz_wing",
    "x_chain",
    "xy_chain",
    "fireworks",
    "medusa",
    "sue_de_coq",
    "multi_colouring_1",
    "multi_colouring_2",
    "strong_links_3",
    "strong_links_4",
    "broken_wing",
    "als_xz",
    "als_xy_wing",
    "vwxyz_wing",
    "aic",
    "discontinuous_nice_loop",
    "continuous_nice_loop",
    "grouped_aic",
    "grouped_discontinuous_nice_loop",
    "grouped_continuous_nice_loop",
    "als_xy_chain",
    "death_blossom",
    "x_cycle",
    "y_cycle",
    "forcing_x_chain",
    "bidirectional_cycle",
    "strong_links_5",
    "uvwxyz_wing",
    "strong_links_6",
    "aligned_pair_exclusion",
    "franken_x_wing",
    "franken_swordfish",
    "franken_jellyfish",
    "finned_franken_x_wing",
    "finned_franken_swordfish",
    "finned_franken_jellyfish",
    "mutant_swordfish",
    "mutant_jellyfish",
    "finned_mutant_x_wing",
    "finned_mutant_swordfish",
    "finned_mutant_jellyfish",
    "forcing_chain_contradiction",
    "forcing_chain_verity",
    "forcing_net_contradiction",
    "forcing_net_verity",
    "forcing_chain",
    "tuvwxyz_wing",
    "aligned_triplet_exclusion",
    "nishio",
    "cell_forcing_chain",
    "region_forcing_chain",
    "double_forcing_chain",
    "dynamic_forcing_chain",
    "dynamic_forcing_chain_plus",
    "nested_forcing_chain",
    "trial",
    "brute_force",
]
KEYS: Final[Sequence[str]] = _keys
NUMBER: Final = {key: number for number, key in enumerate(KEYS)}


def add_key(key: str) -> None:
    """Add a key after all others. ValueError if it is taken."""
    if key in NUMBER:
        raise ValueError(f"expected a key of its own, found {key!r}")
    NUMBER[key] = len(_keys)
    _keys.append(key)


def remove_key(key: str) -> None:
    """Remove the key that was added last. ValueError for another."""
    if _keys[-1] != key:
        raise ValueError(f"expected {_keys[-1]!r}, the key added last, found {key!r}")
    del NUMBER[_keys.pop()]
