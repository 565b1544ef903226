"""Techniques that rest on the puzzle having just one solution."""

from __future__ import annotations

from typing import Final

from webapp.learn.lessons.texts.text import Text
from webapp.process.words import lazy_gettext as _

BUG_SPOT: Final = _(
    "Late in a puzzle, when almost every empty cell has two candidates, look at the few that have more."
)
BUG_SLIP: Final = _(
    "Without the extras, every empty cell must have just two candidates. "
    "Every digit must have just two places in each house that still needs it."
)

LESSONS: Final = {
    "unique_rectangle_1": Text(
        _(
            "Three corners of a rectangle in two boxes hold only the same two digits. "
            "The fourth must be something else, or the puzzle would have two solutions."
        ),
        ("UR Type 1",),
        ("unique_rectangle_2", "hidden_rectangle", "bug_plus_1"),
        spot=_(
            "Look for three cells with the same two candidates at the corners of a rectangle. Then check "
            "that the corners lie in two boxes."
        ),
        slip=_(
            "Four corners in four boxes prove nothing. And the fourth corner loses the pair, while the "
            "three others stay."
        ),
    ),
    "unique_rectangle_2": Text(
        _(
            "Two corners of a rectangle hold just a pair, the other two the pair and one extra digit. "
            "One of those two must be the extra, so cells that see both lose it."
        ),
        ("UR Type 2",),
        ("unique_rectangle_1", "unique_rectangle_5", "unique_rectangle_3"),
        spot=_(
            "Look for two cells side by side with the same pair. In the same two boxes, the opposite "
            "corners hold the pair and one more digit, the same in both."
        ),
        slip=_(
            "The extra digit must be the same in both corners. It goes from cells that see both, not from "
            "the corners."
        ),
    ),
    "unique_rectangle_3": Text(
        _(
            "Two corners of a rectangle have extra digits beyond the pair, and one of them must be true. "
            "Those extras act as one cell and form a naked or hidden set with others of the house."
        ),
        ("UR Type 3",),
        ("unique_rectangle_2", "unique_rectangle_4", "naked_pair"),
        spot=_(
            "Look for a rectangle with two plain corners. Read the extra digits of the other two as one "
            "cell. Look for a naked set with it in their house."
        ),
        slip=_(
            "The two corners count as one cell, not as two. Their pair stays, and only other cells of the "
            "house lose digits."
        ),
    ),
    "unique_rectangle_4": Text(
        _(
            "Two corners of a rectangle have extra digits, and one digit of the pair is locked into them. "
            "You can remove the other digit of the pair from both."
        ),
        ("UR Type 4",),
        ("unique_rectangle_3", "unique_rectangle_6", "unique_rectangle_1"),
        spot=_(
            "Look for a rectangle with two plain corners. In a house of the other two, one of its digits "
            "may have no other place. Then these two lose the other digit."
        ),
        slip=_("Check the house that the two corners with extras share, not that of the plain ones."),
    ),
    "unique_rectangle_5": Text(
        _(
            "Two diagonal corners of a rectangle, or three of them, have the same extra digit. "
            "One of them must be that digit, so cells that see them all lose it."
        ),
        ("UR Type 5",),
        ("unique_rectangle_2", "unique_rectangle_6"),
        spot=_("Look for a rectangle where two diagonal corners, or three, have the same extra digit."),
        slip=_(
            "Only cells that see every corner with the extra lose it. For diagonal corners there are just a "
            "few."
        ),
    ),
    "unique_rectangle_6": Text(
        _(
            "Two diagonal corners have extras, and a pair digit appears nowhere "
            "else in the rectangle’s lines. "
            "You can remove that digit from the corners with extras."
        ),
        ("UR Type 6",),
        ("unique_rectangle_4", "x_wing", "hidden_rectangle"),
        spot=_(
            "Look for a rectangle whose plain corners lie across from each other. If one of the digits has "
            "no other place in both rows or both columns, it’s an X-Wing as well."
        ),
        slip=_("Check both lines for that digit. One more place in either, and nothing follows."),
    ),
    "hidden_rectangle": Text(
        _(
            "One corner holds just a pair, and one of its digits is locked in both "
            "lines of the opposite corner. "
            "You can remove the other digit of the pair from that opposite corner."
        ),
        ("Hidden Unique Rectangle", "HUR"),
        ("unique_rectangle_1", "unique_rectangle_6"),
        spot=_(
            "Look for a corner with just a pair whose digits are also at the three other corners. Then "
            "check both lines of the opposite corner for one of the digits."
        ),
        slip=_(
            "The digit must be locked in both the row and the column of the opposite corner. There you "
            "remove the other digit."
        ),
    ),
    "avoidable_rectangle_1": Text(
        _(
            "You’ve solved three corners of a rectangle, none of them a given. "
            "The fourth can’t complete a pattern whose digits could be swapped, so it loses that digit."
        ),
        ("AR Type 1",),
        ("unique_rectangle_1", "avoidable_rectangle_2"),
        spot=_(
            "After you’ve placed a few digits, look for three solved cells at the corners of a rectangle "
            "in two boxes. Two of them are equal and diagonal."
        ),
        slip=_(
            "None of them may be a given. A given can’t be swapped, so the rectangle proves nothing with "
            "one in it."
        ),
    ),
    "avoidable_rectangle_2": Text(
        _(
            "You’ve solved two corners of a rectangle, and the other two share one extra digit. "
            "One of them must be that digit, so cells that see both lose it."
        ),
        ("AR Type 2",),
        ("unique_rectangle_2", "avoidable_rectangle_1"),
        spot=_(
            "Look for two solved cells of a rectangle in two boxes. The open corners each hold one digit of "
            "theirs and the same extra digit."
        ),
        slip=_(
            "Neither solved cell may be a given. Only cells that see both open corners lose the extra digit."
        ),
    ),
    "unique_loop": Text(
        _(
            "A loop of cells with the same two candidates meets each of its houses exactly twice. "
            "The digits could be swapped all the way around, so an extra candidate must be true."
        ),
        ("Deadly Loop", "UL"),
        ("unique_rectangle_1", "bug_plus_1"),
        spot=_(
            "Start at a cell with two candidates. Go on to cells with the same two, by row, column and box, "
            "until you’re back where you started."
        ),
        slip=_(
            "Each row, column and box of the loop must hold exactly two of its cells. "
            "Otherwise you couldn’t swap the digits there."
        ),
    ),
    "extended_rectangle": Text(
        _(
            "Six cells, two lines of three, would be left with the same three digits, "
            "and the lines could be swapped. "
            "The puzzle has one solution, so one of the extra candidates must be true."
        ),
        ("Extended Rectangle", "Extended UR"),
        ("unique_rectangle_1", "unique_loop", "unique_rectangle_2"),
        spot=_("Look for two lines with the same three candidates in the same three places, and few others."),
        slip=_("The two lines must run through the same boxes. Otherwise swapping them would change a box."),
    ),
    "bug_plus_1": Text(
        _(
            "Every empty cell has two candidates, except one with three. "
            "In that cell, the digit that appears three times in its houses is the answer."
        ),
        ("Bivalue Universal Grave", "BUG Type 1"),
        ("bug_2", "unique_rectangle_1"),
        spot=BUG_SPOT,
        slip=BUG_SLIP,
    ),
    "bug_2": Text(
        _(
            "Every empty cell has two candidates, except a few with the same extra digit. "
            "One of those extras is true, so cells that see them all lose the digit."
        ),
        ("Bivalue Universal Grave Type 2",),
        ("bug_plus_1", "bug_3", "unique_rectangle_2"),
        spot=BUG_SPOT,
        slip=BUG_SLIP,
    ),
    "bug_3": Text(
        _(
            "Every empty cell has two candidates, except a few in one house with extra digits. "
            "The extras act as one cell and form a naked set with others of the house."
        ),
        ("Bivalue Universal Grave Type 3",),
        ("bug_2", "bug_4", "unique_rectangle_3"),
        spot=BUG_SPOT,
        slip=BUG_SLIP,
    ),
    "bug_4": Text(
        _(
            "Two cells have extra digits where all others have two, and another "
            "digit is locked into the two. "
            "You can remove anything that’s neither locked nor extra from both."
        ),
        ("Bivalue Universal Grave Type 4",),
        ("bug_3", "unique_rectangle_4"),
        spot=BUG_SPOT,
        slip=BUG_SLIP,
    ),
    "bug_plus_n": Text(
        _(
            "Every empty cell has two candidates, except a few with extra digits. "
            "At least one of those extras is true, so you can remove what they all rule out."
        ),
        ("Bivalue Universal Grave +n",),
        ("bug_plus_1", "bug_2", "extended_rectangle"),
        spot=BUG_SPOT,
        slip=BUG_SLIP,
    ),
}
