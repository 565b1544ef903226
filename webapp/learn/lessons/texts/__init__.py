"""The texts of lessons: LESSONS, technique key -> Text, collected from a file for each group of families.

The text of a new technique is one entry in one of these files.
"""

from typing import Final

from webapp.learn.lessons.texts import chains, fish, forcing, sets, single_digit, singles, subsets, unique
from webapp.learn.lessons.texts.text import FAMILIES, FamilyText, Text

LESSONS: Final[dict[str, Text]] = {
    **singles.LESSONS,
    **subsets.LESSONS,
    **fish.LESSONS,
    **single_digit.LESSONS,
    **unique.LESSONS,
    **chains.LESSONS,
    **sets.LESSONS,
    **forcing.LESSONS,
}

__all__ = ["FAMILIES", "LESSONS", "FamilyText", "Text"]
