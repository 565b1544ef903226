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
        spot=_(
            "Go box by box and digit by digit. Where the last two or three places line up, follow that row "
            "or column out of the box."
        ),
        slip=_("It clears the line outside the box. Other digits of the same cells stay."),
    ),
    "claiming": Text(
        _(
            "All places for a digit in a row or column lie in one box. "
            "The digit must be there, so the rest of that box can’t have it."
        ),
        ("Locked Candidates Type 2", "Box-Line Reduction", "Claiming Triple"),
        ("pointing", "direct_claiming", "locked_pair"),
        spot=_(
            "Go line by line and digit by digit. Where all places left in a row or column fall into one "
            "box, look at the rest of that box."
        ),
        slip=_(
            "It clears the box, not the line. If the digit has one more place elsewhere in the line, "
            "nothing follows."
        ),
    ),
    "locked_pair": Text(
        _(
            "Two cells that share a box and a line hold only the same two digits. "
            "The rest of the box and the line loses both digits at once."
        ),
        (),
        ("naked_pair", "pointing", "locked_triple"),
        spot=_(
            "Look for two cells side by side in a box that hold the same two candidates and nothing else."
        ),
        slip=_(
            "They must share a line as well as the box. If they share just one house, only that house loses "
            "the digits."
        ),
    ),
    "locked_triple": Text(
        _(
            "The three cells where a box meets a line hold only three digits. "
            "The rest of the box and the line loses those digits at once."
        ),
        (),
        ("naked_triple", "locked_pair", "pointing"),
        spot=_(
            "Look at the three cells where a box meets a line. If they hold three digits between them, two "
            "houses lose these at once."
        ),
        slip=_(
            "All three cells of the crossing must be open. A fourth digit in any of them is one too many."
        ),
    ),
    "naked_pair": Text(
        _(
            "Two cells of a house hold only the same two digits. "
            "Every other cell of the house loses those digits."
        ),
        ("Obvious Pair", "Disjoint Pair"),
        ("naked_triple", "hidden_pair", "locked_pair"),
        spot=_(
            "Look for cells with two candidates. If another cell of the house has the same two, cross both "
            "out of the rest."
        ),
        slip=_(
            "Both cells need exactly these two candidates. The pair clears only houses that hold both cells."
        ),
    ),
    "naked_triple": Text(
        _(
            "Three cells of a house hold only three digits between them, though each may lack one. "
            "Every other cell of the house loses those digits."
        ),
        ("Naked Triplet", "Obvious Triple"),
        ("naked_pair", "naked_quad", "hidden_triple"),
        spot=_(
            "Gather cells of a house with two or three candidates. Three that hold three digits in all are "
            "a triple, even as 12, 23 and 13."
        ),
        slip=_("Count the digits of all three cells together. Three cells with four digits prove nothing."),
    ),
    "naked_quad": Text(
        _(
            "Four cells of a house hold only four digits between them. "
            "Every other cell of the house loses those digits."
        ),
        ("Naked Quadruple", "Naked Quadruplet"),
        ("naked_triple", "hidden_quad"),
        spot=_(
            "In a house with many empty cells, gather those with two to four candidates. Four that hold "
            "four digits in all are a quad."
        ),
        slip=_("Not every cell needs all four digits, but a fifth digit in any of them breaks it."),
    ),
    "hidden_pair": Text(
        _(
            "Two digits of a house fit only in the same two cells. "
            "Those cells belong to them, so you can remove all other candidates there."
        ),
        ("Unique Pair",),
        ("naked_pair", "hidden_triple", "direct_hidden_pair"),
        spot=_(
            "In a house, look for two digits with two places each. If the places are the same, these cells "
            "belong to them."
        ),
        slip=_(
            "Count each digit’s places in the whole house, not in the box alone. The other candidates go "
            "from the two cells, not from the house."
        ),
    ),
    "hidden_triple": Text(
        _(
            "Three digits of a house fit only in the same three cells. "
            "You can remove all other candidates from those cells."
        ),
        ("Hidden Triplet", "Unique Triple"),
        ("hidden_pair", "naked_triple", "hidden_quad"),
        spot=_(
            "In a house, look for digits with two or three places. Three that share three cells take them "
            "all."
        ),
        slip=_(
            "None of the three may have a place outside these cells. The rest of the house loses nothing."
        ),
    ),
    "hidden_quad": Text(
        _(
            "Four digits of a house fit only in the same four cells. "
            "You can remove all other candidates from those cells."
        ),
        ("Hidden Quadruple", "Hidden Quadruplet"),
        ("hidden_triple", "naked_quad"),
        spot=_(
            "In a house with many empty cells, look for four digits that keep to four cells. The naked set "
            "in the other cells is often easier to see."
        ),
        slip=_("None of the four may have a place outside these cells. The rest of the house loses nothing."),
    ),
}
