"""Forcing chains and nets that occur on solution paths now and then; rare/nets.py searches for them."""

from __future__ import annotations

from functools import partial
from typing import Final

from .entry import N_, SHORT, Family, Technique
from .rare.nets import CONTRADICTION, DYNAMIC_LEVEL, EITHER, PAIRS, VERITY, scan_nets

_net = partial(Technique, scan=scan_nets, family=Family.FORCING, tier=5, bound=SHORT, template_name="net")

ENTRIES: Final = (
    # Contradictions and verities have the same price on HoDoKu's path, so one search finds both there.
    _net(
        "forcing_chain_verity",
        N_("Forcing Chain Verity"),
        limits={"kinds": VERITY | PAIRS},
        paths={"hodoku": {"kinds": EITHER | PAIRS}},
    ),
    _net(
        "forcing_net_contradiction",
        N_("Forcing Net Contradiction"),
        limits={"kinds": CONTRADICTION, "level": DYNAMIC_LEVEL},
    ),
)
