"""The words of the lessons for Beginner to Medium."""

from __future__ import annotations

from typing import Final

from webapp.learn.lessons.reference import Text
from webapp.process.words import lazy_gettext as _

LESSONS: Final = {
    "hidden_single": Text(
        _(
            "In a row, column or box, only one cell can still take a digit. So that cell gets it, no "
            "matter what else fits there."
        ),
        _(
            "Pick the digit you see most often. In each box that lacks it, follow its rows and "
            "columns in and see which cell is left."
        ),
        _(
            "It’s enough that the digit fits nowhere else in one house. Don’t wait until the cell has"
            " just one candidate."
        ),
        ("Last Remaining Cell", "Unique Candidate", "Cross-Hatching", "Pinned Digit"),
    ),
    "full_house": Text(
        _("A row, column or box has just one empty cell left. The digit that’s missing goes there."),
        _(
            "Look at the fullest rows, columns and boxes first. Where eight digits are placed, run "
            "through 1 to 9 and see which one is missing."
        ),
        _("One empty cell must be left, not two. Count again if a row looks full but its box doesn’t."),
        ("Last Free Cell", "Last Digit"),
    ),
    "naked_single": Text(
        _(
            "A cell’s row, column and box already hold eight different digits. The ninth is all "
            "that’s left for the cell."
        ),
        _(
            "Pick an empty cell whose row, column and box are nearly full. Run through 1 to 9 and "
            "skip each digit that it sees."
        ),
        _(
            "Check all three houses before you place. Two digits left are one too many, even if one "
            "of them looks likely."
        ),
        ("Sole Candidate", "Forced Digit", "Last Possible Number"),
    ),
    "pointing": Text(
        _(
            "All places for a digit in a box lie in one row or column. The digit must be there, so "
            "the rest of that line can’t have it."
        ),
        _(
            "Go box by box and digit by digit. Where the last two or three places line up, follow "
            "that row or column out of the box."
        ),
        _("It clears the line outside the box. Other digits of the same cells stay."),
        ("Locked Candidates Type 1", "Pointing Triple", "Intersection Removal"),
    ),
    "claiming": Text(
        _(
            "All places for a digit in a row or column lie in one box. The digit must be there, so "
            "the rest of that box can’t have it."
        ),
        _(
            "Go line by line and digit by digit. Where all places left in a row or column fall into "
            "one box, look at the rest of that box."
        ),
        _(
            "It clears the box, not the line. If the digit has one more place elsewhere in the line, "
            "nothing follows."
        ),
        ("Locked Candidates Type 2", "Box-Line Reduction", "Claiming Triple"),
    ),
    "naked_pair": Text(
        _(
            "Two cells of a house hold only the same two digits. Every other cell of the house loses "
            "those digits."
        ),
        _(
            "Look for cells with two candidates. If another cell of the house has the same two, cross"
            " both out of the rest."
        ),
        _("Both cells need exactly these two candidates. The pair clears only houses that hold both cells."),
        ("Obvious Pair", "Disjoint Pair"),
    ),
    "hidden_pair": Text(
        _(
            "Two digits of a house fit only in the same two cells. Those cells belong to them, so you"
            " can remove all other candidates there."
        ),
        _(
            "In a house, look for two digits with two places each. If the places are the same, these "
            "cells belong to them."
        ),
        _(
            "Count each digit’s places in the whole house, not in the box alone. The other candidates"
            " go from the two cells, not from the house."
        ),
        ("Unique Pair",),
    ),
    "naked_triple": Text(
        _(
            "Three cells of a house hold only three digits between them, though each may lack one. "
            "Every other cell of the house loses those digits."
        ),
        _(
            "Gather cells of a house with two or three candidates. Three that hold three digits in "
            "all are a triple, even as 12, 23 and 13."
        ),
        _("Count the digits of all three cells together. Three cells with four digits prove nothing."),
        ("Naked Triplet", "Obvious Triple"),
    ),
    "hidden_triple": Text(
        _(
            "Three digits of a house fit only in the same three cells. You can remove all other "
            "candidates from those cells."
        ),
        _(
            "In a house, look for digits with two or three places. Three that share three cells take "
            "them all."
        ),
        _("None of the three may have a place outside these cells. The rest of the house loses nothing."),
        ("Hidden Triplet", "Unique Triple"),
    ),
    "locked_pair": Text(
        _(
            "Two cells that share a box and a line hold only the same two digits. The rest of the box"
            " and the line loses both digits at once."
        ),
        _("Look for two cells side by side in a box that hold the same two candidates and nothing else."),
        _(
            "They must share a line as well as the box. If they share just one house, only that house"
            " loses the digits."
        ),
    ),
    "direct_pointing": Text(
        _(
            "A digit’s places in one box lie in a line, so the rest of that line can’t have it. That "
            "leaves the digit just one cell in another box."
        ),
        _(
            "While you scan for a digit, notice a box where its last places lie in one line. Then "
            "follow that line into the boxes beside it."
        ),
        _(
            "The line is taken, but the digit isn’t placed yet. Count the places in the other box "
            "before you write anything."
        ),
        ("Direct Pointing",),
    ),
    "direct_hidden_pair": Text(
        _(
            "Two digits of a house fit only in the same two cells, so those cells are taken. That "
            "leaves some other digit just one cell in the house."
        ),
        _(
            "Find two digits that both miss a house and are both blocked from all but the same two "
            "cells. Treat these cells as filled, then look where the house’s other digits still fit."
        ),
        _(
            "Both digits must be confined to the very same two cells. If one has a third place, the "
            "cells stay open."
        ),
    ),
}
