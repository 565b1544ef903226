"""Almost locked sets, and exclusion."""

from __future__ import annotations

from typing import Final

from webapp.learn.lessons.texts.text import Text
from webapp.process.words import lazy_gettext as _

LESSONS: Final = {
    "almost_locked_candidates": Text(
        _(
            "Outside a crossing, two digits have one cell of the box, "
            "and one cell of the line holds only them. "
            "The crossing takes one of them, so the rest of the line loses both."
        ),
        ("ALC", "Almost Locked Pair", "Almost Locked Triple"),
        ("pointing", "naked_pair", "sue_de_coq"),
    ),
    "fireworks": Text(
        _(
            "A row and a column keep three digits to the box where they cross and to one more cell each. "
            "The three take up those two cells and the crossing, which lose everything else."
        ),
        ("Triple Firework", "Quadruple Firework"),
        ("hidden_triple", "almost_locked_candidates", "sue_de_coq"),
        spot=_(
            "Pick a cell and three digits. Look along its row and its column, outside its box. In each, "
            "all three may fit in one cell only."
        ),
        slip=_(
            "Look at the row and the column for each digit. One more place outside the box, in either, "
            "rules it out."
        ),
    ),
    "sue_de_coq": Text(
        _(
            "The cells where a box meets a line hold at least two more digits than there are cells. "
            "Cells of the line and of the box split these between them, so both houses lose "
            "their part elsewhere."
        ),
        ("Two-Sector Disjoint Subsets",),
        ("als_xz", "locked_pair", "naked_quad"),
        spot=_(
            "Look where a box meets a line: two or three open cells with many digits. Find two cells with "
            "two candidates that use them up. One is in the rest of the line, one in the rest of the box."
        ),
        slip=_(
            "Count the cells and the digits of all three parts: they must be equal. The line’s cell and the "
            "box’s cell may not share a digit."
        ),
    ),
    "als_xz": Text(
        _(
            "Two almost locked sets share a digit that only one of them can hold. "
            "The other then keeps all its digits, so cells that see every place of a second common digit "
            "lose it."
        ),
        ("Singly Linked ALS",),
        ("wxyz_wing", "als_xy_wing", "sue_de_coq"),
        spot=_(
            "Look for two groups of cells, each with one digit more than cells. They need a digit that only "
            "one of them can hold, and another in common."
        ),
        slip=_(
            "For the digit you remove, the cell must see every place of it in both groups, not just some."
        ),
    ),
    "als_xy_wing": Text(
        _(
            "An almost locked set is linked to two others by two different digits. "
            "One of those two holds their common digit, so cells that see all its places lose it."
        ),
        ("ALS Wing",),
        ("als_xz", "als_xy_chain", "xy_wing"),
    ),
    "als_xy_chain": Text(
        _(
            "Almost locked sets form a chain, each linked to the next by a digit only one can hold. "
            "One of the two ends holds their common digit, so cells that see all its places lose it."
        ),
        ("ALS-XY-Chain",),
        ("als_xy_wing", "xy_chain", "grouped_aic"),
    ),
    "death_blossom": Text(
        _(
            "Each candidate of a stem cell sees one almost locked set, its petal. "
            "One petal gets locked, so cells that see a common digit in every petal lose it."
        ),
        (),
        ("als_xz", "als_xy_wing", "cell_forcing_chain"),
    ),
    "aligned_pair_exclusion": Text(
        _(
            "List every pair of digits that two cells could take together without emptying another cell. "
            "You can remove a candidate that’s in none of these pairs."
        ),
        ("APE", "Subset Exclusion"),
        ("aligned_triplet_exclusion", "als_xz", "xyz_wing"),
    ),
    "aligned_triplet_exclusion": Text(
        _(
            "List every set of digits that three cells could take together without emptying another cell. "
            "You can remove a candidate that’s in none of these sets."
        ),
        ("ATE", "Aligned Triple Exclusion"),
        ("aligned_pair_exclusion", "death_blossom"),
    ),
}
