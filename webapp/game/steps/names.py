"""Translated names of techniques and digging orders."""

from __future__ import annotations

from typing import Final

import engine
from engine.generation import Order
from webapp.process.words import gettext, lazy_gettext

# Locked candidates are named as pairs; these are the names of patterns with three cells.
TRIPLES: Final = {
    "pointing": lazy_gettext("Pointing Triple"),
    "claiming": lazy_gettext("Claiming Triple"),
    "direct_pointing": lazy_gettext("Direct Pointing Triple"),
    "direct_claiming": lazy_gettext("Direct Claiming Triple"),
}


# Names of patterns of strong links with an end that is a group.
GROUPED: Final = {
    "skyscraper": lazy_gettext("Grouped Skyscraper"),
    "two_string_kite": lazy_gettext("Grouped Two-String Kite"),
    "turbot_fish": lazy_gettext("Grouped Turbot Fish"),
    "x_cycle": lazy_gettext("Grouped X-Cycle"),
}


def technique_name(key: str, cells: int = 0, *, grouped: bool = False) -> str:
    """Return a technique's translated name, for a pattern of `cells` cells if that matters.

    grouped: whether an end of a strong link is a group. KeyError for an unknown key.
    """
    if grouped and key in GROUPED:
        return str(GROUPED[key])
    if cells == 3 and key in TRIPLES:
        return str(TRIPLES[key])
    return gettext(engine.TECHNIQUES[key].name)


def order_name(key: str) -> str:
    """Return the name of a digging order."""
    return {
        Order.LEFT_TO_RIGHT: gettext("Left to right"),
        Order.SERPENTINE: gettext("Serpentine"),
        Order.INTERLACED: gettext("Interlaced"),
        Order.RANDOM: gettext("Random"),
    }[Order(key)]
