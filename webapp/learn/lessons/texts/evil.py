"""The words of the lessons for Evil."""

from __future__ import annotations

from typing import Final

from webapp.learn.lessons.reference import Text
from webapp.process.words import lazy_gettext as _

LESSONS: Final = {
    "medusa": Text(
        _(
            "Strong links in cells and in houses give candidates of several digits two colors in "
            "turn, one of them true. A candidate that both colors rule out is false, and so is a "
            "color that contradicts itself."
        ),
        _(
            "Start at a cell with two candidates and give each a color. Go on to the digits’ other "
            "places and to other cells with two candidates, changing the color each time."
        ),
        _(
            "Colors only spread where there are exactly two: two candidates in a cell, or two places "
            "in a house."
        ),
        ("Medusa Coloring", "Multi-Digit Coloring"),
    ),
    "x_chain": Text(
        _(
            "Strong and weak links of one digit take turns, with a strong link at both ends. One of "
            "the two ends is true, so cells that see both lose the digit."
        ),
        _(
            "Take one digit and mark the houses where it has two places. Join them: an end of one "
            "must see an end of the next."
        ),
        _("It starts and ends with a strong link. A chain that ends on a weak one proves nothing."),
        ("Single-Digit AIC",),
    ),
    "xy_chain": Text(
        _(
            "Cells with two candidates form a chain, each sharing a digit with the next. One of the "
            "two ends holds their common digit, so cells that see both lose it."
        ),
        _(
            "Start at a cell with two candidates and suppose it isn’t one of them. Hop from cell to "
            "cell, each with two candidates, until that digit comes back."
        ),
        _("You enter each cell by one digit and leave it by the other."),
        ("Bivalue Chain",),
    ),
    "aic": Text(
        _(
            "Strong and weak links take turns, across cells and digits, with a strong link at both "
            "ends. One of the two ends is true, so anything both rule out can be removed."
        ),
        _(
            "Start at a candidate and ask what follows if it’s false. Whenever another one becomes "
            "true, see what that rules out. A candidate that sees both the start and such an end can "
            "go."
        ),
        _("Strong and weak links must take turns. Check that the first and the last link are strong."),
        ("Alternating Inference Chain",),
    ),
    "als_xz": Text(
        _(
            "Two almost locked sets share a digit that only one of them can hold. The other then "
            "keeps all its digits, so cells that see every place of a second common digit lose it."
        ),
        _(
            "Look for two groups of cells, each with one digit more than cells. They need a digit "
            "that only one of them can hold, and another in common."
        ),
        _("For the digit you remove, the cell must see every place of it in both groups, not just some."),
        ("Singly Linked ALS",),
    ),
    "sue_de_coq": Text(
        _(
            "The cells where a box meets a line hold at least two more digits than there are cells. "
            "Cells of the line and of the box split these between them, so both houses lose their "
            "part elsewhere."
        ),
        _(
            "Look where a box meets a line: two or three open cells with many digits. Find two cells "
            "with two candidates that use them up. One is in the rest of the line, one in the rest of"
            " the box."
        ),
        _(
            "Count the cells and the digits of all three parts: they must be equal. The line’s cell "
            "and the box’s cell may not share a digit."
        ),
        ("Two-Sector Disjoint Subsets",),
    ),
    "wxyz_wing": Text(
        _(
            "Four cells hold four digits, and only one digit isn’t confined to cells that see each "
            "other. That digit is in one of the cells, so cells that see all its places lose it."
        ),
        _(
            "Find four cells that hold four digits together, most of them in one house. All digits "
            "but one must keep to a single house."
        ),
        _("If two digits have places that don’t see each other, nothing follows."),
        ("Bent Quad",),
    ),
    "grouped_aic": Text(
        _(
            "An AIC in which cells of a box, or an almost locked set, act together as one link. One "
            "of the two ends is true, so anything both rule out can be removed."
        ),
        _(
            "Build an AIC. Where a digit has three places in a house, see whether two of them share a "
            "box or line. Together they count as one."
        ),
        _("A cell loses the digit to a group only if it sees every cell of the group."),
        ("Grouped Alternating Inference Chain",),
    ),
    "als_xy_wing": Text(
        _(
            "An almost locked set is linked to two others by two different digits. One of those two "
            "holds their common digit, so cells that see all its places lose it."
        ),
        _(
            "Look for a group of cells with one digit more than cells. Then find two more such "
            "groups, each linked to the first by a different digit."
        ),
        _("The two links need different digits. The digit you remove must be in both outer groups."),
        ("ALS Wing",),
    ),
    "almost_locked_candidates": Text(
        _(
            "Outside a crossing, two digits have one cell of the box, and one cell of the line holds "
            "only them. The crossing takes one of them, so the rest of the line loses both."
        ),
        _(
            "Look where a box meets a line. In the line, find a cell outside the box that holds only "
            "two digits. In the box, these two may have just one cell outside the line."
        ),
        _(
            "Neither digit may have another place in the box outside the line. Then they go from the "
            "rest of the line only."
        ),
        ("ALC", "Almost Locked Pair", "Almost Locked Triple"),
    ),
    "als_xy_chain": Text(
        _(
            "Almost locked sets form a chain, each linked to the next by a digit only one can hold. "
            "One of the two ends holds their common digit, so cells that see all its places lose it."
        ),
        _(
            "Start with two linked groups of cells, each with one digit more than cells. If they "
            "remove nothing, link the second to a third group by another digit."
        ),
        _("Two neighboring links need different digits. The digit you remove must be in both end groups."),
        ("ALS-XY-Chain",),
    ),
    "strong_links_3": Text(
        _(
            "Three strong links of one digit follow each other, each seeing the next. At least one of"
            " the outer ends is true, so cells that see both lose the digit."
        ),
        _(
            "Start with two strong links of one digit that see each other. If no cell sees both free "
            "ends, go on from one of them to a third link."
        ),
        _(
            "A strong link needs exactly two places. And only cells that see both free ends lose the "
            "digit, not those that see just one."
        ),
        ("3-Link X-Chain",),
    ),
    "extended_rectangle": Text(
        _(
            "Six cells, two lines of three, would be left with the same three digits, and the lines "
            "could be swapped. The puzzle has one solution, so one of the extra candidates must be "
            "true."
        ),
        _("Look for two lines with the same three candidates in the same three places, and few others."),
        _("The two lines must run through the same boxes. Otherwise swapping them would change a box."),
        ("Extended Rectangle", "Extended UR"),
    ),
}
