"""REFERENCE: a page for each technique off the path, or for several that players see as one thing.

Text: the words of a lesson, for those on the path (texts/).
"""

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


@dataclass(frozen=True, slots=True)
class Entry:
    """A page of the reference."""

    what: LazyText  # two sentences: the pattern, and its effect
    aliases: tuple[str, ...] = ()  # other English names
    name: LazyText | None = None  # of several techniques together; None: that of the one
    covers: tuple[str, ...] = ()  # their keys


REFERENCE: Final = {
    "direct_claiming": Entry(
        _(
            "A digit’s places in a line all lie in one box, so the rest of that box can’t have it. "
            "That leaves the digit just one cell in another line."
        ),
        ("Direct Claiming",),
    ),
    "locked_triple": Entry(
        _(
            "The three cells where a box meets a line hold only three digits. The rest of the box and"
            " the line loses those digits at once."
        ),
    ),
    "direct_hidden_triple": Entry(
        _(
            "Three digits of a house fit only in the same three cells, so those cells are taken. That"
            " leaves some other digit just one cell in the house."
        ),
        ("Direct Hidden Triplet",),
    ),
    "naked_quad": Entry(
        _(
            "Four cells of a house hold only four digits between them. Every other cell of the house "
            "loses those digits."
        ),
        ("Naked Quadruple", "Naked Quadruplet"),
    ),
    "hidden_quad": Entry(
        _(
            "Four digits of a house fit only in the same four cells. You can remove all other "
            "candidates from those cells."
        ),
        ("Hidden Quadruple", "Hidden Quadruplet"),
    ),
    "dual_two_string_kite": Entry(
        _(
            "Two kites share the same box for the same digit. Each has its own pair of far ends, so "
            "both clear a cell in one step."
        ),
        ("Dual 2-String Kite",),
    ),
    "dual_empty_rectangle": Entry(
        _(
            "Two empty rectangles use the same box and the same strong link, one from each end. Both "
            "clear a cell in one step."
        ),
    ),
    "remote_pair": Entry(
        _(
            "A chain of at least four cells holds the same two digits, each cell seeing the next. "
            "Neighbors differ, so cells that see two of opposite parity lose both digits."
        ),
        ("Remote Pairs",),
    ),
    "unique_rectangle_5": Entry(
        _(
            "Two corners of a rectangle across from each other, or three of them, have the same extra"
            " digit. One of them must be that digit, so cells that see them all lose it."
        ),
        ("UR Type 5",),
    ),
    "simple_colouring_wrap": Entry(
        _(
            "Strong links of one digit get two colors in turn, and two cells of one color see each "
            "other. That color is false, so all its cells lose the digit."
        ),
        ("Color Wrap", "Singles Chains Rule 2"),
    ),
    "finned_x_wing": Entry(
        _(
            "An X-Wing, but one line has extra places for the digit beside a corner: the fin. Either "
            "the X-Wing or the fin is true, so cells that see both lose the digit."
        ),
        ("X-Wing with a Fin",),
    ),
    "sashimi_x_wing": Entry(
        _(
            "A finned X-Wing whose corner beside the fin can’t hold the digit at all. It still works:"
            " the X-Wing clears cells that see the fin."
        ),
        ("Sashimi 2-Fish",),
    ),
    "jellyfish": Entry(
        _(
            "In four rows, a digit fits only in the same four columns, or the other way around. No "
            "other cell in those columns can hold the digit."
        ),
        ("4-Fish", "Size-4 Fish"),
    ),
    "finned_jellyfish": Entry(
        _(
            "A Jellyfish, but one line has extra places for the digit in one box: the fin. The "
            "Jellyfish clears only cells that see the fin."
        ),
        ("Jellyfish with a Fin",),
    ),
    "sashimi_jellyfish": Entry(
        _(
            "A finned Jellyfish that misses a corner, so one line has only one place besides the fin."
            " It still clears cells that see the fin."
        ),
        ("Sashimi 4-Fish",),
    ),
    "unique_loop": Entry(
        _(
            "A loop of cells with the same two candidates meets each of its houses exactly twice. The"
            " digits could be swapped all the way around, so an extra candidate must be true."
        ),
        ("Deadly Loop", "UL"),
    ),
    "avoidable_rectangle_1": Entry(
        _(
            "You’ve solved three corners of a rectangle, none of them a given. The fourth can’t "
            "complete a pattern whose digits could be swapped, so it loses that digit."
        ),
        ("AR Type 1",),
    ),
    "avoidable_rectangle_2": Entry(
        _(
            "You’ve solved two corners of a rectangle, and the other two share one extra digit. One "
            "of them must be that digit, so cells that see both lose it."
        ),
        ("AR Type 2",),
    ),
    "bug_2": Entry(
        _(
            "Every empty cell has two candidates, except a few with the same extra digit. One of "
            "those extras is true, so cells that see them all lose the digit."
        ),
        ("Bivalue Universal Grave Type 2",),
    ),
    "bug_3": Entry(
        _(
            "Every empty cell has two candidates, except a few in one house with extra digits. The "
            "extras act as one cell and form a naked set with others of the house."
        ),
        ("Bivalue Universal Grave Type 3",),
    ),
    "bug_4": Entry(
        _(
            "Two cells have extra digits where all others have two, and another digit is locked into "
            "the two. You can remove anything that’s neither locked nor extra from both."
        ),
        ("Bivalue Universal Grave Type 4",),
    ),
    "bug_plus_n": Entry(
        _(
            "Every empty cell has two candidates, except a few with extra digits. At least one of "
            "those extras is true, so you can remove what they all rule out."
        ),
        ("Bivalue Universal Grave +n",),
    ),
    "fireworks": Entry(
        _(
            "A row and a column keep three digits to the box where they cross and to one more cell "
            "each. The three take up those two cells and the crossing, which lose everything else."
        ),
        ("Triple Firework", "Quadruple Firework"),
    ),
    "multi_colouring_1": Entry(
        _(
            "Two colored nets of one digit touch: a color of one sees a color of the other. One of "
            "the two remaining colors is true, so cells that see both lose the digit."
        ),
        ("Multi-Colors Type 1",),
    ),
    "multi_colouring_2": Entry(
        _(
            "One color of a net sees both colors of another net of the same digit. That color is "
            "false, so all its cells lose the digit."
        ),
        ("Multi-Colors Type 2",),
    ),
    "broken_wing": Entry(
        _(
            "A digit can’t alternate along a loop of an odd number of cells, each sharing a house "
            "with the next. One of its other places in these houses, a guardian, is true, and cells "
            "that see all guardians lose it."
        ),
        ("Guardians", "Oddagon"),
    ),
    "vwxyz_wing": Entry(
        _(
            "In five, six or seven cells with as many digits, all places of each digit but one see "
            "each other. Cells that see all places of that one lose it."
        ),
        name=_("Larger Wings"),
        covers=("vwxyz_wing", "uvwxyz_wing", "tuvwxyz_wing"),
    ),
    "continuous_nice_loop": Entry(
        _(
            "Strong and weak links take turns all the way around a loop, so everything else on its "
            "weak links goes. Where one candidate breaks the turn, two strong links make it true, and "
            "two weak ones false."
        ),
        (
            "AIC Ring",
            "Grouped AIC Ring",
            "Bidirectional X-Cycle",
            "Fishy Cycle",
            "Generalized X-Wing",
            "Bidirectional Y-Cycle",
            "XY-Cycle",
            "Twinned XY-Chains",
        ),
        name=_("Cycles and Nice Loops"),
        covers=(
            "continuous_nice_loop",
            "discontinuous_nice_loop",
            "grouped_continuous_nice_loop",
            "grouped_discontinuous_nice_loop",
            "x_cycle",
            "y_cycle",
            "bidirectional_cycle",
        ),
    ),
    "death_blossom": Entry(
        _(
            "Each candidate of a stem cell sees one almost locked set, its petal. One petal gets "
            "locked, so cells that see a common digit in every petal lose it."
        ),
    ),
    "aligned_pair_exclusion": Entry(
        _(
            "List every set of digits that two or three cells could take together without emptying "
            "another cell. You can remove a candidate that’s in none of these sets."
        ),
        ("APE", "Subset Exclusion", "ATE", "Aligned Triple Exclusion"),
        name=_("Aligned Exclusion"),
        covers=("aligned_pair_exclusion", "aligned_triplet_exclusion"),
    ),
    "franken_x_wing": Entry(
        _(
            "A fish that counts boxes among its houses, or rows and columns together. The cover can "
            "take the digit only as often as the base needs it, so its other cells lose it."
        ),
        ("Franken 2-Fish", "Franken 3-Fish", "Franken 4-Fish", "Mutant 3-Fish", "Mutant 4-Fish"),
        name=_("Franken and Mutant Fish"),
        covers=(
            "franken_x_wing",
            "franken_swordfish",
            "franken_jellyfish",
            "finned_franken_x_wing",
            "finned_franken_swordfish",
            "finned_franken_jellyfish",
            "mutant_swordfish",
            "mutant_jellyfish",
            "finned_mutant_x_wing",
            "finned_mutant_swordfish",
            "finned_mutant_jellyfish",
        ),
    ),
    "forcing_chain": Entry(
        _(
            "Try each possibility of a cell, a house or a candidate and follow what comes of it. What"
            " all of them lead to is true, and one that contradicts itself is false."
        ),
        (
            "Contradiction Chain",
            "Bowman’s Bingo",
            "Nishio Forcing Chain",
            "Cell Forcing Chains",
            "Region Forcing Chains",
            "Unit Forcing Chains",
            "Digit Forcing Chains",
            "Dynamic Contradiction Forcing Chains",
            "Dynamic Forcing Chains +",
            "Nested Forcing Chains",
        ),
        name=_("Forcing Chains and Nets"),
        covers=(
            "forcing_chain",
            "forcing_x_chain",
            "forcing_chain_contradiction",
            "forcing_chain_verity",
            "forcing_net_contradiction",
            "forcing_net_verity",
            "nishio",
            "cell_forcing_chain",
            "region_forcing_chain",
            "double_forcing_chain",
            "dynamic_forcing_chain",
            "dynamic_forcing_chain_plus",
            "nested_forcing_chain",
        ),
    ),
    "trial": Entry(
        _(
            "Try one candidate of a cell and keep solving from there. If you run into a "
            "contradiction, that candidate was wrong and another is right."
        ),
        ("Bifurcation", "Trial and Error"),
    ),
    "brute_force": Entry(
        _(
            "Try digits one after the other and go back whenever one doesn’t work. Computers solve "
            "any puzzle this way, but it teaches a person nothing."
        ),
        ("Backtracking", "Guessing"),
    ),
}

# Techniques without a page of their own: key -> the page that covers them.
HOMES: Final = {
    **{key: page for page, entry in REFERENCE.items() for key in entry.covers if key != page},
    **dict.fromkeys(("strong_links_4", "strong_links_5", "strong_links_6"), "strong_links_3"),
}
