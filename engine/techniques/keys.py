"""The keys of all techniques in the order in which logic tries them, and their numbers for kernels.

The order is Sukaku Explainer's (its rule classes in normal mode); techniques only HoDoKu has stand just
before forcing_chain, by HoDoKu's order number.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

_keys: Final = [
    "full_house",
    "hidden_single",
    "direct_pointing",
    "direct_claiming",
    "direct_hidden_pair",
    "naked_single",
    "direct_hidden_triple",
    "pointing",
    "claiming",
    "naked_pair",
    "x_wing",
    "hidden_pair",
    "naked_triple",
    "swordfish",
    "hidden_triple",
    "strong_links_2",
    "xy_wing",
    "xyz_wing",
    "unique_rectangle_1",
    "unique_rectangle_2",
    "unique_rectangle_3",
    "unique_rectangle_4",
    "unique_rectangle_5",
    "unique_loop",
    "naked_quad",
    "jellyfish",
    "hidden_quad",
    "strong_links_3",
    "wxyz_wing",
    "bug_plus_1",
    "bug_2",
    "bug_3",
    "bug_4",
    "strong_links_4",
    "vwxyz_wing",
    "aligned_pair_exclusion",
    "strong_links_5",
    "uvwxyz_wing",
    "strong_links_6",
    "x_cycle",
    "y_cycle",
    "forcing_x_chain",
    "bidirectional_cycle",
    # HoDoKu's own, by its order number
    "locked_pair",
    "locked_triple",
    "remote_pair",
    "skyscraper",
    "two_string_kite",
    "dual_two_string_kite",
    "turbot_fish",
    "empty_rectangle",
    "dual_empty_rectangle",
    "w_wing",
    "unique_rectangle_6",
    "hidden_rectangle",
    "avoidable_rectangle_1",
    "avoidable_rectangle_2",
    "finned_x_wing",
    "sashimi_x_wing",
    "finned_swordfish",
    "sashimi_swordfish",
    "finned_jellyfish",
    "sashimi_jellyfish",
    "sue_de_coq",
    "simple_colouring_trap",
    "simple_colouring_wrap",
    "multi_colouring_1",
    "multi_colouring_2",
    "x_chain",
    "xy_chain",
    "aic",
    "discontinuous_nice_loop",
    "continuous_nice_loop",
    "grouped_aic",
    "grouped_discontinuous_nice_loop",
    "grouped_continuous_nice_loop",
    "als_xz",
    "als_xy_wing",
    "als_xy_chain",
    "death_blossom",
    "franken_x_wing",
    "franken_swordfish",
    "franken_jellyfish",
    "finned_franken_x_wing",
    "finned_franken_swordfish",
    "finned_franken_jellyfish",
    "finned_mutant_jellyfish",
    "forcing_chain_contradiction",
    "forcing_chain_verity",
    "forcing_net_contradiction",
    "forcing_net_verity",
    # the Explainer's chains again
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
    """Add a key after all others. ValueError where it is taken."""
    if key in NUMBER:
        raise ValueError(f"expected a key of its own, found {key!r}")
    NUMBER[key] = len(_keys)
    _keys.append(key)


def remove_key(key: str) -> None:
    """Take away the key that was added last. ValueError for another."""
    if _keys[-1] != key:
        raise ValueError(f"expected {_keys[-1]!r}, the key added last, found {key!r}")
    del NUMBER[_keys.pop()]
