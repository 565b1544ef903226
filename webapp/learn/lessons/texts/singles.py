"""Singles, and the direct techniques that end in one."""

from __future__ import annotations

from typing import Final

from webapp.learn.lessons.texts.text import Text
from webapp.process.words import lazy_gettext as _

LESSONS: Final = {
    "full_house": Text(
        _("A row, column or box has just one empty cell left. The digit that’s missing goes there."),
        ("Last Free Cell", "Last Digit"),
        ("hidden_single", "naked_single"),
    ),
    "hidden_single": Text(
        _(
            "In a row, column or box, only one cell can still take a digit. "
            "So that cell gets it, no matter what else fits there."
        ),
        ("Last Remaining Cell", "Unique Candidate", "Cross-Hatching", "Pinned Digit"),
        ("full_house", "naked_single", "direct_pointing"),
    ),
    "naked_single": Text(
        _(
            "A cell’s row, column and box already hold eight different digits. "
            "The ninth is all that’s left for the cell."
        ),
        ("Sole Candidate", "Forced Digit", "Last Possible Number"),
        ("hidden_single", "naked_pair"),
    ),
    "direct_pointing": Text(
        _(
            "A digit’s places in one box lie in a line, so the rest of that line can’t have it. "
            "That leaves the digit just one cell in another box."
        ),
        ("Direct Pointing",),
        ("pointing", "hidden_single", "direct_claiming"),
    ),
    "direct_claiming": Text(
        _(
            "A digit’s places in a line all lie in one box, so the rest of that box can’t have it. "
            "That leaves the digit just one cell in another line."
        ),
        ("Direct Claiming",),
        ("claiming", "hidden_single", "direct_pointing"),
    ),
    "direct_hidden_pair": Text(
        _(
            "Two digits of a house fit only in the same two cells, so those cells are taken. "
            "That leaves some other digit just one cell in the house."
        ),
        (),
        ("hidden_pair", "hidden_single", "direct_hidden_triple"),
    ),
    "direct_hidden_triple": Text(
        _(
            "Three digits of a house fit only in the same three cells, so those cells are taken. "
            "That leaves some other digit just one cell in the house."
        ),
        ("Direct Hidden Triplet",),
        ("hidden_triple", "hidden_single", "direct_hidden_pair"),
    ),
}
