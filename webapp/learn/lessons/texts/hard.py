"""The words of the lessons for Hard."""

from __future__ import annotations

from typing import Final

from webapp.learn.lessons.reference import Text
from webapp.process.words import lazy_gettext as _

LESSONS: Final = {
    "x_wing": Text(
        _(
            "In two rows, a digit fits only in the same two columns, or the other way around. The two"
            " rows use up both columns, so no other cell in them can hold the digit."
        ),
        _(
            "Take one digit. Find two rows where it has just two places, both in the same two "
            "columns. Then do the same with columns."
        ),
        _(
            "Two places in a row aren’t enough. Both rows must use the same two columns, and then the"
            " columns lose the digit, not the rows."
        ),
        ("2-Fish", "Size-2 Fish"),
    ),
    "skyscraper": Text(
        _(
            "Two lines where a digit has just two places, with one place of each in a common line. "
            "One of the two free ends must hold the digit."
        ),
        _(
            "Take one digit. Find two rows where it has just two places, one of each in the same "
            "column. Then do the same with columns."
        ),
        _(
            "Each row needs exactly two places. Only cells that see both free ends lose the digit, "
            "not those that see just one."
        ),
    ),
    "two_string_kite": Text(
        _(
            "A row and a column each have two places for a digit, and one end of each shares a box. "
            "One of the two far ends must hold the digit."
        ),
        _(
            "Take one digit. Find a row and a column where it has just two places. One end of each is "
            "in the same box."
        ),
        _(
            "The two ends in the box must be different cells. Only the cell that sees both far ends "
            "loses the digit."
        ),
        ("2-String Kite", "Kite"),
    ),
    "xy_wing": Text(
        _(
            "A pivot with two candidates sees two cells that each share one of them, plus a common "
            "third digit. One of those wings is the third digit, so cells that see both lose it."
        ),
        _(
            "Start at a cell with two candidates as the pivot. Look for two cells it sees. Each "
            "shares a different one of them, and both have the same third digit."
        ),
        _(
            "The two wings needn’t see each other, but the pivot must see both. Only a cell that sees"
            " both wings loses their common digit."
        ),
        ("Y-Wing", "Bent Triple"),
    ),
    "w_wing": Text(
        _(
            "Two cells apart hold the same pair, and a strong link on one digit connects them. One of"
            " the two cells is the other digit, so cells that see both lose it."
        ),
        _(
            "Look for two cells with the same pair that don’t see each other. Then find a house where"
            " one of the digits has two places, one seen by each."
        ),
        _(
            "The house that links them needs exactly two places. It’s the other digit that goes, "
            "where both cells are seen."
        ),
        ("Semi-Remote Pair",),
    ),
    "xyz_wing": Text(
        _(
            "A pivot with three candidates sees two cells that each hold two of them. One of the "
            "three cells is their common digit, so cells that see all three lose it."
        ),
        _(
            "Look for a cell with three candidates that sees two cells with two of them each. All "
            "three share one digit."
        ),
        _("The cell you clear must see the pivot as well as both wings. So it’s always in the pivot’s box."),
    ),
    "swordfish": Text(
        _(
            "In three rows, a digit fits only in the same three columns, or the other way around. No "
            "other cell in those columns can hold the digit."
        ),
        _(
            "Take one digit. Find three rows with two or three places each that keep to three columns"
            " in all. Then do the same with columns."
        ),
        _(
            "Three rows with two places each aren’t enough. Together they must use only three "
            "columns. No row needs all three."
        ),
        ("3-Fish", "Size-3 Fish"),
    ),
    "simple_colouring_trap": Text(
        _(
            "Strong links of one digit get two colors in turn, and one color is true. A cell that "
            "sees both colors can’t hold the digit."
        ),
        _(
            "Take one digit and join its places in each house that has just two. Color the cells "
            "along these links in turn, then look for a cell that sees both colors."
        ),
        _("Colors only spread along strong links. A house with three places for the digit carries no color."),
        ("Simple Colors", "Color Trap", "Singles Chains Rule 4"),
    ),
    "unique_rectangle_1": Text(
        _(
            "Three corners of a rectangle in two boxes hold only the same two digits. The fourth must"
            " be something else, or the puzzle would have two solutions."
        ),
        _(
            "Look for three cells with the same two candidates at the corners of a rectangle. Then "
            "check that the corners lie in two boxes."
        ),
        _(
            "Four corners in four boxes prove nothing. And the fourth corner loses the pair, while "
            "the three others stay."
        ),
        ("UR Type 1",),
    ),
    "unique_rectangle_2": Text(
        _(
            "Two corners of a rectangle hold just a pair, the other two the pair and one extra digit."
            " One of those two must be the extra, so cells that see both lose it."
        ),
        _(
            "Look for two cells of one line with the same pair, maybe in different boxes. The "
            "opposite corners hold the pair and one more digit, the same in both."
        ),
        _(
            "The extra digit must be the same in both corners. It goes from cells that see both, not "
            "from the corners."
        ),
        ("UR Type 2",),
    ),
    "unique_rectangle_4": Text(
        _(
            "Two corners of a rectangle have extra digits, and one digit of the pair is locked into "
            "them. You can remove the other digit of the pair from both."
        ),
        _(
            "Look for a rectangle with two plain corners. In a house of the other two, one of its "
            "digits may have no other place. Then these two lose the other digit."
        ),
        _("Check the house that the two corners with extras share, not that of the plain ones."),
        ("UR Type 4",),
    ),
    "bug_plus_1": Text(
        _(
            "Every empty cell has two candidates, except one with three. In that cell, the digit that"
            " appears three times in its row, column and box is the answer."
        ),
        _(
            "Late in a puzzle, when almost every empty cell has two candidates, look at the few that "
            "have more."
        ),
        _(
            "Without the extras, every empty cell must have just two candidates. Every digit must "
            "have just two places in each house that still needs it."
        ),
        ("Bivalue Universal Grave", "BUG Type 1"),
    ),
    "empty_rectangle": Text(
        _(
            "In a box, a digit’s places form a cross of one row and one column. A strong link that "
            "ends on one arm removes the digit where its other end meets the other arm."
        ),
        _(
            "Take one digit. Find a box where its places all lie in one row and one column. Then find "
            "a house outside with just two places, one of them in line with that row or column."
        ),
        _(
            "All of the digit’s places in the box must lie on the cross. One more place and nothing "
            "follows. The other link needs exactly two places."
        ),
        ("Hinge",),
    ),
    "turbot_fish": Text(
        _(
            "Two houses each have two places for a digit, and one place of each sees the other. One "
            "of the two free ends must hold the digit."
        ),
        _(
            "Take one digit. Find two houses where it has just two places. An end of one must see an "
            "end of the other."
        ),
        _(
            "A strong link needs exactly two places. And only cells that see both free ends lose the "
            "digit, not those that see just one."
        ),
    ),
    "hidden_rectangle": Text(
        _(
            "One corner holds just a pair, and one of its digits is locked in both lines of the "
            "opposite corner. You can remove the other digit of the pair from that opposite corner."
        ),
        _(
            "Look for a corner with just a pair whose digits are also at the three other corners. "
            "Then check both lines of the opposite corner for one of the digits."
        ),
        _(
            "The digit must be locked in both the row and the column of the opposite corner. There "
            "you remove the other digit."
        ),
        ("Hidden Unique Rectangle", "HUR"),
    ),
    "strong_links_2": Text(
        _(
            "Two strong links of one digit, some ends of them groups of cells, meet in a house. At "
            "least one of the outer ends is true, so cells that see both lose the digit."
        ),
        _(
            "Take one digit. Look for a house where its places form two groups, each in one line or "
            "one box. Join it to another house with two such places."
        ),
        _(
            "All places of the digit in the house must belong to the two groups. Only cells that see "
            "all of both free ends lose the digit."
        ),
        ("Grouped 2-Link X-Chain",),
    ),
    "unique_rectangle_3": Text(
        _(
            "Two corners of a rectangle have extra digits beyond the pair, and one of them must be "
            "true. Those extras act as one cell and form a naked or hidden set with others of the "
            "house."
        ),
        _(
            "Look for a rectangle with two plain corners. Read the extra digits of the other two as "
            "one cell. Look for a naked set with it in their house."
        ),
        _(
            "The two corners count as one cell, not as two. Their pair stays, and only other cells of"
            " the house lose digits."
        ),
        ("UR Type 3",),
    ),
    "unique_rectangle_6": Text(
        _(
            "Two diagonal corners have extras, and a pair digit appears nowhere else in the "
            "rectangle’s lines. You can remove that digit from the corners with extras."
        ),
        _(
            "Look for a rectangle whose plain corners lie across from each other. If one of the "
            "digits has no other place in both rows or both columns, it’s an X-Wing as well."
        ),
        _("Check both lines for that digit. One more place in either, and nothing follows."),
        ("UR Type 6",),
    ),
    "finned_swordfish": Text(
        _(
            "A Swordfish, but one line has extra places for the digit in one box: the fin. The "
            "Swordfish clears only cells that see the fin."
        ),
        _(
            "Look for three rows that would make a Swordfish but for one or two extra places. Those "
            "are all in one box. Then do the same with columns."
        ),
        _("Only cells that see every fin lose the digit, so they’re all in the box of the fin."),
        ("Swordfish with a Fin",),
    ),
    "sashimi_swordfish": Text(
        _(
            "A finned Swordfish that misses a corner, so one line has only one place besides the fin."
            " It still clears cells that see the fin."
        ),
        _(
            "Look for a Swordfish with a fin where the cell beside the fin can’t hold the digit. One "
            "row may then have a single place besides its fin."
        ),
        _("Only cells that see every fin lose the digit, so they’re all in the box of the fin."),
        ("Sashimi 3-Fish",),
    ),
}
