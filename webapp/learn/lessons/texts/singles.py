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
        spot=_(
            "Look at the fullest rows, columns and boxes first. Where eight digits are placed, run "
            "through 1 to 9 and see which one is missing."
        ),
        slip=_("One empty cell must be left, not two. Count again if a row looks full but its box doesn’t."),
    ),
    "hidden_single": Text(
        _(
            "In a row, column or box, only one cell can still take a digit. "
            "So that cell gets it, no matter what else fits there."
        ),
        ("Last Remaining Cell", "Unique Candidate", "Cross-Hatching", "Pinned Digit"),
        ("full_house", "naked_single", "direct_pointing"),
        spot=_(
            "Pick the digit you see most often. In each box that lacks it, follow its rows and columns in "
            "and see which cell is left."
        ),
        slip=_(
            "It’s enough that the digit fits nowhere else in one house. Don’t wait until the cell has just "
            "one candidate."
        ),
    ),
    "naked_single": Text(
        _(
            "A cell’s row, column and box already hold eight different digits. "
            "The ninth is all that’s left for the cell."
        ),
        ("Sole Candidate", "Forced Digit", "Last Possible Number"),
        ("hidden_single", "naked_pair"),
        spot=_(
            "Pick an empty cell whose row, column and box are nearly full. Run through 1 to 9 and skip each "
            "digit that it sees."
        ),
        slip=_(
            "Check all three houses before you place. Two digits left are one too many, even if one of them "
            "looks likely."
        ),
    ),
    "direct_pointing": Text(
        _(
            "A digit’s places in one box lie in a line, so the rest of that line can’t have it. "
            "That leaves the digit just one cell in another box."
        ),
        ("Direct Pointing",),
        ("pointing", "hidden_single", "direct_claiming"),
        spot=_(
            "While you scan for a digit, notice a box where its last places lie in one line. Then follow "
            "that line into the boxes beside it."
        ),
        slip=_(
            "The line is taken, but the digit isn’t placed yet. Count the places in the other box before "
            "you write anything."
        ),
    ),
    "direct_claiming": Text(
        _(
            "A digit’s places in a line all lie in one box, so the rest of that box can’t have it. "
            "That leaves the digit just one cell in another line."
        ),
        ("Direct Claiming",),
        ("claiming", "hidden_single", "direct_pointing"),
        spot=_(
            "While you scan for a digit, notice a line that leaves it only cells of one box. The rest of "
            "that box is closed to it, so look at the lines that cross it."
        ),
        slip=_("It starts from a line and empties its box, not the other way around."),
    ),
    "direct_hidden_pair": Text(
        _(
            "Two digits of a house fit only in the same two cells, so those cells are taken. "
            "That leaves some other digit just one cell in the house."
        ),
        (),
        ("hidden_pair", "hidden_single", "direct_hidden_triple"),
        spot=_(
            "Find two digits that both miss a house and are both blocked from all but the same two cells. "
            "Treat these cells as filled, then look where the house’s other digits still fit."
        ),
        slip=_(
            "Both digits must be confined to the very same two cells. If one has a third place, the cells "
            "stay open."
        ),
    ),
    "direct_hidden_triple": Text(
        _(
            "Three digits of a house fit only in the same three cells, so those cells are taken. "
            "That leaves some other digit just one cell in the house."
        ),
        ("Direct Hidden Triplet",),
        ("hidden_triple", "hidden_single", "direct_hidden_pair"),
        spot=_(
            "Find three digits of a house that fit only in the same three cells. Treat these cells as "
            "filled, then look where the house’s other digits still fit."
        ),
        slip=_("The three digits need three cells in all. A fourth place for any of them breaks it."),
    ),
}
