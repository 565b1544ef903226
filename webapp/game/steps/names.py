"""Technique names, from their entries, in the reader's language."""

from __future__ import annotations

from typing import Final

import engine
from webapp.process.words import gettext, lazy_gettext

# Locked candidates are pairs by name: the names of the same techniques with three cells.
TRIPLES: Final = {
    "pointing": lazy_gettext("Pointing Triple"),
    "claiming": lazy_gettext("Claiming Triple"),
    "direct_pointing": lazy_gettext("Direct Pointing Triple"),
    "direct_claiming": lazy_gettext("Direct Claiming Triple"),
}


# The names of patterns of strong links, where an end is a group.
GROUPED: Final = {
    "skyscraper": lazy_gettext("Grouped Skyscraper"),
    "two_string_kite": lazy_gettext("Grouped Two-String Kite"),
    "turbot_fish": lazy_gettext("Grouped Turbot Fish"),
    "x_cycle": lazy_gettext("Grouped X-Cycle"),
}


def technique_name(key: str, cells: int = 0, *, grouped: bool = False) -> str:
    """The name of a technique in the reader's language, for a pattern of `cells` cells where that matters.

    grouped: whether an end of a strong link is a group. KeyError for an unknown key.
    """
    if grouped and key in GROUPED:
        return str(GROUPED[key])
    if cells == 3 and key in TRIPLES:
        return str(TRIPLES[key])
    return gettext(engine.TECHNIQUES[key].name)
