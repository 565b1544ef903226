"""Locked candidates, pairs, triples and quads."""

from __future__ import annotations

from typing import Final

from webapp.learn.lessons.texts.text import Text
from webapp.process.words import lazy_gettext as _

LESSONS: Final = {
    "pointing": Text(
        _(
            "All places for a digit in a box lie in one row or column. "
            "The digit must be there, so the rest of that line can’t have it."
        ),
        ("Locked Candidates Type 1", "Pointing Triple", "Intersection Removal"),
        ("claiming", "direct_pointing", "locked_pair"),
    ),
    "claiming": Text(
        _(
            "All places for a digit in a row or column lie in one box. "
            "The digit must be there, so the rest of that box can’t have it."
        ),
        ("Locked Candidates Type 2", "Box-Line Reduction", "Claiming Triple"),
        ("pointing", "direct_claiming", "locked_pair"),
    ),
    "locked_pair": Text(
        _(
            "Two cells that share a box and a line hold only the same two digits. "
            "The rest of the box and the line loses both digits at once."
        ),
        (),
        ("naked_pair", "pointing", "locked_triple"),
    ),
    "locked_triple": Text(
        _(
            "The three cells where a box meets a line hold only three digits. "
            "The rest of the box and the line loses those digits at once."
        ),
        (),
        ("naked_triple", "locked_pair", "pointing"),
    ),
    "naked_pair": Text(
        _(
            "Two cells of a house hold only the same two digits. "
            "Every other cell of the house loses those digits."
        ),
        ("Obvious Pair", "Disjoint Pair"),
        ("naked_triple", "hidden_pair", "locked_pair"),
    ),
    "naked_triple": Text(
        _(
            "Three cells of a house hold only three digits between them, though each may lack one. "
            "Every other cell of the house loses those digits."
        ),
        ("Naked Triplet", "Obvious Triple"),
        ("naked_pair", "naked_quad", "hidden_triple"),
    ),
    "naked_quad": Text(
        _(
            "Four cells of a house hold only four digits between them. "
            "Every other cell of the house loses those digits."
        ),
        ("Naked Quadruple", "Naked Quadruplet"),
        ("naked_triple", "hidden_quad"),
    ),
    "hidden_pair": Text(
        _(
            "Two digits of a house fit only in the same two cells. "
            "Those cells belong to them, so you can remove all other candidates there."
        ),
        ("Unique Pair",),
        ("naked_pair", "hidden_triple", "direct_hidden_pair"),
    ),
    "hidden_triple": Text(
        _(
            "Three digits of a house fit only in the same three cells. "
            "You can remove all other candidates from those cells."
        ),
        ("Hidden Triplet", "Unique Triple"),
        ("hidden_pair", "naked_triple", "hidden_quad"),
    ),
    "hidden_quad": Text(
        _(
            "Four digits of a house fit only in the same four cells. "
            "You can remove all other candidates from those cells."
        ),
        ("Hidden Quadruple", "Hidden Quadruplet"),
        ("hidden_triple", "naked_quad"),
    ),
}
