"""Wings, chains and loops."""

from __future__ import annotations

from typing import Final

from webapp.learn.lessons.texts.text import Text
from webapp.process.words import lazy_gettext as _

LESSONS: Final = {
    "xy_wing": Text(
        _(
            "A pivot with two candidates sees two cells that each share one of "
            "them, plus a common third digit. "
            "One of those wings is the third digit, so cells that see both lose it."
        ),
        ("Y-Wing", "Bent Triple"),
        ("xyz_wing", "w_wing", "xy_chain"),
        spot=_(
            "Start at a cell with two candidates as the pivot. Look for two cells it sees. Each shares a "
            "different one of them, and both have the same third digit."
        ),
        slip=_(
            "The two wings needn’t see each other, but the pivot must see both. Only a cell that sees both "
            "wings loses their common digit."
        ),
    ),
    "xyz_wing": Text(
        _(
            "A pivot with three candidates sees two cells that each hold two of them. "
            "One of the three cells is their common digit, so cells that see all three lose it."
        ),
        (),
        ("xy_wing", "wxyz_wing"),
        spot=_(
            "Look for a cell with three candidates that sees two cells with two of them each. All three "
            "share one digit."
        ),
        slip=_(
            "The cell you clear must see the pivot as well as both wings. So it’s always in the pivot’s box."
        ),
    ),
    "wxyz_wing": Text(
        _(
            "Four cells hold four digits, and only one digit isn’t confined to cells that see each other. "
            "That digit is in one of the cells, so cells that see all its places lose it."
        ),
        ("Bent Quad",),
        ("xyz_wing", "vwxyz_wing", "als_xz"),
        spot=_(
            "Find four cells that hold four digits together, most of them in one house. "
            "All digits but one must keep to a single house."
        ),
        slip=_("If two digits have places that don’t see each other, nothing follows."),
    ),
    "vwxyz_wing": Text(
        _(
            "Five cells hold five digits, and only one digit isn’t confined to cells that see each other. "
            "Cells that see all its places lose that digit."
        ),
        (),
        ("wxyz_wing", "uvwxyz_wing", "als_xz"),
        spot=_(
            "It’s a WXYZ-Wing with one more cell. Start with four cells of a house that hold five digits, "
            "then look for a fifth cell outside it."
        ),
        slip=_(
            "Check each digit: all its places must see each other. Just one digit may be the exception, and "
            "that’s the one you remove."
        ),
    ),
    "uvwxyz_wing": Text(
        _(
            "Six cells hold six digits, and only one digit isn’t confined to cells that see each other. "
            "Cells that see all its places lose that digit."
        ),
        (),
        ("vwxyz_wing", "tuvwxyz_wing", "als_xz"),
        spot=_(
            "Start with five cells of a house that hold six digits. A sixth cell outside it that holds only "
            "some of them may close the wing."
        ),
        slip=_("Count both: six cells, six digits. One digit more and there’s room for everything."),
    ),
    "tuvwxyz_wing": Text(
        _(
            "Seven cells hold seven digits, and only one digit isn’t confined to cells that see each other. "
            "Cells that see all its places lose that digit."
        ),
        (),
        ("uvwxyz_wing", "als_xz"),
        spot=_(
            "Start with six cells of a house that hold seven digits. A seventh cell outside it that holds "
            "only some of them may close the wing."
        ),
        slip=_("Count both: seven cells, seven digits. One digit more and there’s room for everything."),
    ),
    "w_wing": Text(
        _(
            "Two cells apart hold the same pair, and a strong link on one digit connects them. "
            "One of the two cells is the other digit, so cells that see both lose it."
        ),
        ("Semi-Remote Pair",),
        ("xy_wing", "remote_pair", "aic"),
        spot=_(
            "Look for two cells with the same pair that don’t see each other. Then find a house where one "
            "of the digits has two places, one seen by each."
        ),
        slip=_(
            "The house that links them needs exactly two places. It’s the other digit that goes, where both "
            "cells are seen."
        ),
    ),
    "x_chain": Text(
        _(
            "Strong and weak links of one digit take turns, with a strong link at both ends. "
            "One of the two ends is true, so cells that see both lose the digit."
        ),
        ("Single-Digit AIC",),
        ("turbot_fish", "x_cycle", "aic"),
        spot=_(
            "Take one digit and mark the houses where it has two places. Join them: an end of one must see "
            "an end of the next."
        ),
        slip=_("It starts and ends with a strong link. A chain that ends on a weak one proves nothing."),
    ),
    "xy_chain": Text(
        _(
            "Cells with two candidates form a chain, each sharing a digit with the next. "
            "One of the two ends holds their common digit, so cells that see both lose it."
        ),
        ("Bivalue Chain",),
        ("xy_wing", "remote_pair", "aic"),
        spot=_(
            "Start at a cell with two candidates and suppose it isn’t one of them. Hop from cell to cell, "
            "each with two candidates, until that digit comes back."
        ),
        slip=_("You enter each cell by one digit and leave it by the other."),
    ),
    "aic": Text(
        _(
            "Strong and weak links take turns, across cells and digits, with a strong link at both ends. "
            "One of the two ends is true, so anything both rule out can be removed."
        ),
        ("Alternating Inference Chain",),
        ("x_chain", "xy_chain", "grouped_aic"),
    ),
    "grouped_aic": Text(
        _(
            "An AIC in which cells of a box, or an almost locked set, act together as one link. "
            "One of the two ends is true, so anything both rule out can be removed."
        ),
        ("Grouped Alternating Inference Chain",),
        ("aic", "als_xz", "empty_rectangle"),
    ),
    "continuous_nice_loop": Text(
        _(
            "Strong and weak links take turns all the way around a loop. "
            "Every weak link then has exactly one true end, so you can remove everything else on it."
        ),
        ("AIC Ring",),
        ("aic", "discontinuous_nice_loop", "x_cycle"),
    ),
    "discontinuous_nice_loop": Text(
        _(
            "Links take turns around a loop, except at one cell where two of a kind meet. "
            "Two strong links make that candidate true, two weak ones make it false."
        ),
        (),
        ("continuous_nice_loop", "aic", "forcing_chain"),
        slip=_("Only one cell may break the pattern. With a second break, the loop proves nothing."),
    ),
    "grouped_continuous_nice_loop": Text(
        _(
            "A continuous loop in which groups of cells or almost locked sets take part. "
            "Every weak link has exactly one true end, so you can remove everything else on it."
        ),
        ("Grouped AIC Ring",),
        ("continuous_nice_loop", "grouped_aic"),
    ),
    "grouped_discontinuous_nice_loop": Text(
        _(
            "A loop with one break in which groups of cells or almost locked sets take part. "
            "Two strong links at the break make its candidate true, two weak ones make it false."
        ),
        (),
        ("discontinuous_nice_loop", "grouped_aic"),
        slip=_("Only one cell may break the pattern. With a second break, the loop proves nothing."),
    ),
    "x_cycle": Text(
        _(
            "Strong and weak links of one digit take turns all the way around a loop. "
            "Every weak link has one true end, so other cells that see both ends lose the digit."
        ),
        ("Bidirectional X-Cycle", "Fishy Cycle", "Generalized X-Wing"),
        ("x_chain", "y_cycle", "x_wing"),
    ),
    "y_cycle": Text(
        _(
            "Cells with two candidates form a loop, each sharing a digit with the next. "
            "Each shared digit is in one of its two cells, so cells that see both lose it."
        ),
        ("Bidirectional Y-Cycle", "XY-Cycle", "Twinned XY-Chains"),
        ("xy_chain", "x_cycle", "bidirectional_cycle"),
    ),
    "bidirectional_cycle": Text(
        _(
            "A loop of links over several digits that holds in both directions. "
            "One direction is true, so anything both rule out can be removed."
        ),
        (),
        ("continuous_nice_loop", "x_cycle", "y_cycle"),
    ),
    "forcing_x_chain": Text(
        _(
            "Suppose a digit is in a cell, or isn’t, and follow its links. "
            "If the chain leads back to the opposite, the assumption was wrong."
        ),
        (),
        ("x_chain", "forcing_chain", "x_cycle"),
    ),
    "forcing_chain": Text(
        _(
            "Suppose a candidate is true, or false, and follow one consequence after the other. "
            "If the chain leads to the opposite, the assumption was wrong."
        ),
        ("Contradiction Chain",),
        ("aic", "discontinuous_nice_loop", "forcing_x_chain"),
        spot=_(
            "Pick a candidate with strong links nearby and follow a single line of consequences. You’re "
            "done if it comes back to the opposite."
        ),
        slip=_(
            "Each link must follow from the one before it alone. Coming back to the same claim proves "
            "nothing."
        ),
    ),
}
