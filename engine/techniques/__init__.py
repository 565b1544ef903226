"""The techniques people solve with: one family a file, each technique once, in the ordered TECHNIQUES.

README.md beside this file tells how to add a family.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from engine.techniques import (
    aic,
    aligned_exclusion,
    almost_locked_sets,
    colouring,
    cycles,
    death_blossom,
    fish,
    grave,
    locked,
    nets,
    rectangles,
    remote_pairs,
    single_digit,
    singles,
    strong_links,
    subsets,
    sue_de_coq,
    trial,
    unique_loops,
    wings,
)
from engine.techniques.entry import HouseRole, Role, Technique
from engine.techniques.keys import KEYS

FAMILIES: Final = (
    singles,
    locked,
    subsets,
    cycles,
    nets,
    aic,
    trial,
    unique_loops,
    rectangles,
    grave,
    fish,
    strong_links,
    wings,
    single_digit,
    colouring,
    remote_pairs,
    almost_locked_sets,
    death_blossom,
    sue_de_coq,
    aligned_exclusion,
)
_ENTRIES: Final[dict[str, Technique]] = {entry.key: entry for family in FAMILIES for entry in family.ENTRIES}

TECHNIQUES: Final[Mapping[str, Technique]] = MappingProxyType(
    {key: _ENTRIES[key] for key in KEYS if key in _ENTRIES}
)

__all__ = ["FAMILIES", "TECHNIQUES", "HouseRole", "Role", "Technique"]
