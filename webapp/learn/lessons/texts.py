"""LESSONS: the words of each technique on the path. Their examples are in positions.txt."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from webapp.process.words import LazyText
from webapp.process.words import lazy_gettext as _


@dataclass(frozen=True, slots=True)
class Text:
    """The words of one lesson."""

    what: LazyText  # two sentences: the pattern, and its effect
    spot: LazyText  # how to look for it
    slip: LazyText  # common mistakes
    aliases: tuple[str, ...] = ()  # other English names, for the search


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
            "Take one digit. Find a row and a column where it has just two places, with one end of "
            "each in the same box."
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
            "Take one digit. Find a box where its places fill one row and one column of the box, then"
            " a house outside with just two places that starts on one arm."
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
            "Take one digit. Find two houses where it has just two places, such that an end of one "
            "sees an end of the other."
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
            "one box, and join it to another house with two such places."
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
            "Look for three rows that would make a Swordfish but for one or two extra places, all of "
            "them in one box. Then do the same with columns."
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
            "Build an AIC, but where a digit has three places in a house, see whether two of them "
            "share a box or line. Together they count as one."
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
