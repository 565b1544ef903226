"""Strong links of one digit, and coloring."""

from __future__ import annotations

from typing import Final

from webapp.learn.lessons.texts.text import Text
from webapp.process.words import lazy_gettext as _

LESSONS: Final = {
    "skyscraper": Text(
        _(
            "Two lines where a digit has just two places, with one place of each in a common line. "
            "One of the two free ends must hold the digit."
        ),
        (),
        ("two_string_kite", "turbot_fish", "x_wing"),
    ),
    "two_string_kite": Text(
        _(
            "A row and a column each have two places for a digit, and one end of each shares a box. "
            "One of the two far ends must hold the digit."
        ),
        ("2-String Kite", "Kite"),
        ("skyscraper", "turbot_fish", "dual_two_string_kite"),
    ),
    "dual_two_string_kite": Text(
        _(
            "Two kites share the same box for the same digit. "
            "Each has its own pair of far ends, so both clear a cell in one step."
        ),
        ("Dual 2-String Kite",),
        ("two_string_kite", "dual_empty_rectangle"),
    ),
    "turbot_fish": Text(
        _(
            "Two houses each have two places for a digit, and one place of each sees the other. "
            "One of the two free ends must hold the digit."
        ),
        (),
        ("skyscraper", "two_string_kite", "x_chain"),
    ),
    "empty_rectangle": Text(
        _(
            "In a box, a digit’s places form a cross of one row and one column. "
            "A strong link that ends on one arm removes the digit where its other end meets the other arm."
        ),
        ("Hinge",),
        ("two_string_kite", "dual_empty_rectangle", "turbot_fish"),
        slip=_(
            "All of the digit’s places in the box must lie on the cross. One more place and nothing follows. "
            "The other link needs exactly two places."
        ),
    ),
    "dual_empty_rectangle": Text(
        _(
            "Two empty rectangles use the same box and the same strong link, one from each end. "
            "Both clear a cell in one step."
        ),
        (),
        ("empty_rectangle", "dual_two_string_kite"),
        slip=_(
            "All of the digit’s places in the box must lie on the cross. One more place and nothing follows. "
            "The other link needs exactly two places."
        ),
    ),
    "strong_links_2": Text(
        _(
            "Two strong links of one digit, some ends of them groups of cells, meet in a house. "
            "At least one of the outer ends is true, so cells that see both lose the digit."
        ),
        ("Grouped 2-Link X-Chain",),
        ("turbot_fish", "strong_links_3", "empty_rectangle"),
    ),
    "strong_links_3": Text(
        _(
            "Three strong links of one digit follow each other, each seeing the next. "
            "At least one of the outer ends is true, so cells that see both lose the digit."
        ),
        ("3-Link X-Chain",),
        ("strong_links_2", "strong_links_4", "x_chain"),
    ),
    "strong_links_4": Text(
        _(
            "Four strong links of one digit follow each other, each seeing the next. "
            "At least one of the outer ends is true, so cells that see both lose the digit."
        ),
        ("4-Link X-Chain",),
        ("strong_links_3", "strong_links_5", "x_chain"),
    ),
    "strong_links_5": Text(
        _(
            "Five strong links of one digit follow each other, each seeing the next. "
            "At least one of the outer ends is true, so cells that see both lose the digit."
        ),
        ("5-Link X-Chain",),
        ("strong_links_4", "strong_links_6", "x_chain"),
    ),
    "strong_links_6": Text(
        _(
            "Six strong links of one digit follow each other, each seeing the next. "
            "At least one of the outer ends is true, so cells that see both lose the digit."
        ),
        ("6-Link X-Chain",),
        ("strong_links_5", "x_chain"),
    ),
    "broken_wing": Text(
        _(
            "A digit can’t alternate along a loop of an odd number of cells, "
            "each sharing a house with the next. "
            "One of its other places in these houses, a guardian, is true, "
            "and cells that see all guardians lose it."
        ),
        ("Guardians", "Oddagon"),
        ("x_chain", "simple_colouring_wrap", "strong_links_3"),
    ),
    "medusa": Text(
        _(
            "Strong links in cells and in houses give candidates of several digits two colors in turn, "
            "one of them true. "
            "A candidate that both colors rule out is false, and so is a color that contradicts itself."
        ),
        ("Medusa Coloring", "Multi-Digit Coloring"),
        ("simple_colouring_trap", "simple_colouring_wrap", "aic"),
    ),
    "simple_colouring_trap": Text(
        _(
            "Strong links of one digit get two colors in turn, and one color is true. "
            "A cell that sees both colors can’t hold the digit."
        ),
        ("Simple Colors", "Color Trap", "Singles Chains Rule 4"),
        ("simple_colouring_wrap", "skyscraper", "multi_colouring_1"),
    ),
    "simple_colouring_wrap": Text(
        _(
            "Strong links of one digit get two colors in turn, and two cells of one color see each other. "
            "That color is false, so all its cells lose the digit."
        ),
        ("Color Wrap", "Singles Chains Rule 2"),
        ("simple_colouring_trap", "multi_colouring_2"),
    ),
    "multi_colouring_1": Text(
        _(
            "Two colored nets of one digit touch: a color of one sees a color of the other. "
            "One of the two remaining colors is true, so cells that see both lose the digit."
        ),
        ("Multi-Colors Type 1",),
        ("simple_colouring_trap", "multi_colouring_2", "x_chain"),
    ),
    "multi_colouring_2": Text(
        _(
            "One color of a net sees both colors of another net of the same digit. "
            "That color is false, so all its cells lose the digit."
        ),
        ("Multi-Colors Type 2",),
        ("simple_colouring_wrap", "multi_colouring_1"),
    ),
    "remote_pair": Text(
        _(
            "A chain of at least four cells holds the same two digits, each cell seeing the next. "
            "Neighbors differ, so cells that see two of opposite parity lose both digits."
        ),
        ("Remote Pairs",),
        ("naked_pair", "w_wing", "xy_chain"),
    ),
}
