"""Fish: basic, finned, sashimi, Franken and mutant."""

from __future__ import annotations

from typing import Final

from webapp.learn.lessons.texts.text import Text
from webapp.process.words import lazy_gettext as _

LESSONS: Final = {
    "x_wing": Text(
        _(
            "In two rows, a digit fits only in the same two columns, or the other way around. "
            "The two rows use up both columns, so no other cell in them can hold the digit."
        ),
        ("2-Fish", "Size-2 Fish"),
        ("swordfish", "finned_x_wing", "skyscraper"),
        spot=_(
            "Take one digit. Find two rows where it has just two places, both in the same two columns. Then "
            "do the same with columns."
        ),
        slip=_(
            "Two places in a row aren’t enough. Both rows must use the same two columns, and then the "
            "columns lose the digit, not the rows."
        ),
    ),
    "swordfish": Text(
        _(
            "In three rows, a digit fits only in the same three columns, or the other way around. "
            "No other cell in those columns can hold the digit."
        ),
        ("3-Fish", "Size-3 Fish"),
        ("x_wing", "jellyfish", "finned_swordfish"),
        spot=_(
            "Take one digit. Find three rows with two or three places each that keep to three columns in "
            "all. Then do the same with columns."
        ),
        slip=_(
            "Three rows with two places each aren’t enough. Together they must use only three columns. No "
            "row needs all three."
        ),
    ),
    "jellyfish": Text(
        _(
            "In four rows, a digit fits only in the same four columns, or the other way around. "
            "No other cell in those columns can hold the digit."
        ),
        ("4-Fish", "Size-4 Fish"),
        ("swordfish", "finned_jellyfish"),
    ),
    "finned_x_wing": Text(
        _(
            "An X-Wing, but one line has extra places for the digit beside a corner: the fin. "
            "Either the X-Wing or the fin is true, so cells that see both lose the digit."
        ),
        ("X-Wing with a Fin",),
        ("x_wing", "sashimi_x_wing", "skyscraper"),
    ),
    "finned_swordfish": Text(
        _(
            "A Swordfish, but one line has extra places for the digit in one box: the fin. "
            "The Swordfish clears only cells that see the fin."
        ),
        ("Swordfish with a Fin",),
        ("swordfish", "sashimi_swordfish", "finned_x_wing"),
    ),
    "finned_jellyfish": Text(
        _(
            "A Jellyfish, but one line has extra places for the digit in one box: the fin. "
            "The Jellyfish clears only cells that see the fin."
        ),
        ("Jellyfish with a Fin",),
        ("jellyfish", "sashimi_jellyfish", "finned_swordfish"),
    ),
    "sashimi_x_wing": Text(
        _(
            "A finned X-Wing whose corner beside the fin can’t hold the digit at all. "
            "It still works: the X-Wing clears cells that see the fin."
        ),
        ("Sashimi 2-Fish",),
        ("finned_x_wing", "skyscraper", "sashimi_swordfish"),
    ),
    "sashimi_swordfish": Text(
        _(
            "A finned Swordfish that misses a corner, so one line has only one place besides the fin. "
            "It still clears cells that see the fin."
        ),
        ("Sashimi 3-Fish",),
        ("finned_swordfish", "sashimi_x_wing", "sashimi_jellyfish"),
    ),
    "sashimi_jellyfish": Text(
        _(
            "A finned Jellyfish that misses a corner, so one line has only one place besides the fin. "
            "It still clears cells that see the fin."
        ),
        ("Sashimi 4-Fish",),
        ("finned_jellyfish", "sashimi_swordfish"),
    ),
    "franken_x_wing": Text(
        _(
            "An X-Wing in which a box takes the place of a row or column. "
            "Its two base houses use up two cover houses, so no other cell in those can hold the digit."
        ),
        ("Franken 2-Fish",),
        ("x_wing", "franken_swordfish", "finned_franken_x_wing"),
    ),
    "franken_swordfish": Text(
        _(
            "A Swordfish in which boxes take the place of some rows or columns. "
            "Its three base houses use up three cover houses, so no other cell in those can hold the digit."
        ),
        ("Franken 3-Fish",),
        ("swordfish", "franken_x_wing", "franken_jellyfish"),
    ),
    "franken_jellyfish": Text(
        _(
            "A Jellyfish in which boxes take the place of some rows or columns. "
            "Its four base houses use up four cover houses, so no other cell in those can hold the digit."
        ),
        ("Franken 4-Fish",),
        ("jellyfish", "franken_swordfish", "finned_franken_jellyfish"),
    ),
    "finned_franken_x_wing": Text(
        _(
            "A Franken X-Wing with extra places for the digit in its base: the fins. "
            "Either the fish or a fin is true, so only cells that see every fin lose the digit."
        ),
        (),
        ("franken_x_wing", "finned_x_wing", "finned_franken_swordfish"),
    ),
    "finned_franken_swordfish": Text(
        _(
            "A Franken Swordfish with extra places for the digit in its base: the fins. "
            "The fish clears only cells that see every fin."
        ),
        (),
        ("franken_swordfish", "finned_swordfish", "finned_franken_jellyfish"),
    ),
    "finned_franken_jellyfish": Text(
        _(
            "A Franken Jellyfish with extra places for the digit in its base: the fins. "
            "The fish clears only cells that see every fin."
        ),
        (),
        ("franken_jellyfish", "finned_jellyfish", "finned_mutant_jellyfish"),
    ),
    "mutant_swordfish": Text(
        _(
            "A Swordfish that freely mixes rows, columns and boxes. "
            "Its three base houses use up three cover houses, so those lose the digit in all other cells."
        ),
        ("Mutant 3-Fish",),
        ("franken_swordfish", "mutant_jellyfish", "finned_mutant_swordfish"),
    ),
    "mutant_jellyfish": Text(
        _(
            "A Jellyfish that freely mixes rows, columns and boxes. "
            "Its four base houses use up four cover houses, so those lose the digit in all other cells."
        ),
        ("Mutant 4-Fish",),
        ("franken_jellyfish", "mutant_swordfish", "finned_mutant_jellyfish"),
    ),
    "finned_mutant_x_wing": Text(
        _(
            "An X-Wing that mixes rows, columns or boxes, with fins beside its base. "
            "The fish clears only cells that see every fin."
        ),
        (),
        ("finned_franken_x_wing", "finned_x_wing", "finned_mutant_swordfish"),
    ),
    "finned_mutant_swordfish": Text(
        _(
            "A Swordfish that freely mixes rows, columns and boxes, with fins beside its base. "
            "The fish clears only cells that see every fin."
        ),
        (),
        ("finned_franken_swordfish", "mutant_swordfish", "finned_mutant_jellyfish"),
    ),
    "finned_mutant_jellyfish": Text(
        _(
            "A Jellyfish that freely mixes rows, columns and boxes, with fins beside its base. "
            "The fish clears only cells that see every fin."
        ),
        (),
        ("finned_franken_jellyfish", "franken_jellyfish"),
    ),
}
