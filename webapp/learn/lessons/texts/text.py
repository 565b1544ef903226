"""Text, the texts of one lesson, and FAMILIES, shared by the lessons of a family."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from engine.techniques import Family
from webapp.process.words import LazyText
from webapp.process.words import lazy_gettext as _


@dataclass(frozen=True, slots=True)
class Text:
    """The texts of one lesson."""

    what: LazyText  # two sentences: the pattern, and its effect
    aliases: tuple[str, ...] = ()  # other English names
    related: tuple[str, ...] = ()  # keys of techniques to read about next
    spot: LazyText | None = None  # how to look for it; None: as for its family
    slip: LazyText | None = None  # common mistakes; None: as in its family


@dataclass(frozen=True, slots=True)
class FamilyText:
    """The texts that all lessons of a family share."""

    name: LazyText
    spot: LazyText  # how to look for it
    slip: LazyText  # common mistakes


FAMILIES: Final[dict[Family, FamilyText]] = {
    Family.SINGLES: FamilyText(
        _("Singles"),
        _(
            "Scan first. Pick the digit you see most often and check each box for its last free cell. "
            "Then look at the fullest rows, columns and boxes."
        ),
        _(
            "One overlooked digit in the row, column or box is enough to go wrong. "
            "Check all three houses before you place."
        ),
    ),
    Family.DIRECT: FamilyText(
        _("Direct techniques"),
        _(
            "You don’t need pencil marks for this one. "
            "While you scan for a digit, notice cells that reserve a line and count what that leaves."
        ),
        _(
            "Make sure the digit has to be in the reserved cells. "
            "If one more cell could take it, nothing follows."
        ),
    ),
    Family.LOCKED_CANDIDATES: FamilyText(
        _("Locked candidates"),
        _(
            "Go box by box and digit by digit. "
            "Where a digit’s last two or three cells line up, follow that line out of the box."
        ),
        _(
            "All of the digit’s cells must lie in the overlap. "
            "One more cell elsewhere in the house breaks it."
        ),
    ),
    Family.SUBSETS: FamilyText(
        _("Pairs, triples and quads"),
        _(
            "For naked sets, look for cells with few candidates. "
            "For hidden sets, look for digits with few places left in a house."
        ),
        _("Count carefully. A set needs as many digits as cells, and all its cells in one house."),
    ),
    Family.FISH: FamilyText(
        _("Fish"),
        _(
            "Take one digit at a time. "
            "Mark the rows where it has few places left, then see whether the columns agree. "
            "Do the same the other way around."
        ),
        _(
            "Every place in the base lines must lie in the cover lines. "
            "With a fin, only cells that see the fin lose the digit."
        ),
    ),
    Family.SINGLE_DIGIT: FamilyText(
        _("Single-digit patterns"),
        _(
            "Take one digit and find the houses where it has just two places. "
            "Look for strong links whose ends meet in a house."
        ),
        _(
            "A strong link needs exactly two places. "
            "And only cells that see both free ends lose the digit, not those that see just one."
        ),
    ),
    Family.COLORING: FamilyText(
        _("Coloring"),
        _(
            "Start at a cell with only two ways to go. "
            "Color one way, then the other, and follow every link you find."
        ),
        _("Colors only spread along strong links. A house with three places for the digit carries no color."),
    ),
    Family.WINGS: FamilyText(
        _("Wings"),
        _(
            "Collect the cells with two candidates. "
            "From each, look for others that share one of its digits and see it or its neighborhood."
        ),
        _("Only cells that see every end of the wing lose the digit. Seeing the pivot alone isn’t enough."),
    ),
    Family.UNIQUENESS: FamilyText(
        _("Uniqueness"),
        _(
            "Look for the same two candidates in several cells of two boxes. "
            "If nothing else were in them, you could swap the two digits."
        ),
        _(
            "The cells of a rectangle must lie in exactly two boxes, and none may be a given. "
            "The puzzle must also have just one solution."
        ),
    ),
    Family.CHAINS: FamilyText(
        _("Chains and loops"),
        _(
            "Start at a candidate you’d like to remove and ask what follows if it’s true. "
            "Strong and weak links must take turns."
        ),
        _("Two weak links in a row prove nothing. Check that every second link is strong."),
    ),
    Family.ALMOST_LOCKED_SETS: FamilyText(
        _("Almost locked sets"),
        _(
            "Look for cells of one house that hold just one digit more than there are cells. "
            "Take one away and the rest are locked."
        ),
        _(
            "All of the common digit’s cells must see each other across the two sets. "
            "If one doesn’t, the link breaks."
        ),
    ),
    Family.EXCLUSION: FamilyText(
        _("Exclusion"),
        _(
            "Pick cells that see many cells with two candidates. "
            "Then list the combinations and cross out the impossible ones."
        ),
        _("List every combination. Remove a candidate only if none of the combinations that remain uses it."),
    ),
    Family.FORCING: FamilyText(
        _("Forcing chains and nets"),
        _(
            "Pick a cell or house with few possibilities. "
            "Follow each one until they all agree, or one breaks down."
        ),
        _(
            "Every possibility must lead to the same result. "
            "If one stays open, you haven’t shown anything yet."
        ),
    ),
    Family.LAST_RESORT: FamilyText(
        _("Last resorts"),
        _("First look once more for a pattern. If you find none, pick the cell with the fewest candidates."),
        _("A guess that works out proves nothing by itself. Only a contradiction rules a digit out."),
    ),
}
