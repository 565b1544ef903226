"""Why a recipe can't be met, in the words of the order form. The API and the CLI use the engine's."""

from __future__ import annotations

import engine
from engine import RecipeError
from webapp.curation.orders.methods import symmetry_name
from webapp.game.steps.names import technique_name
from webapp.process.words import gettext as _
from webapp.web.i18n import level_name


def in_words(error: RecipeError) -> str:
    """Return what a curator can change."""
    found = error.values
    technique = str(found.get("found", "")).strip("'")
    match error.field:
        case "hardest" if "level" in found:
            return _(
                "%(technique)s isn’t one of the %(level)s techniques.",
                technique=technique_name(technique),
                level=level_name(int(str(found["level"]))),
            )
        case "must" if technique in engine.TECHNIQUES:
            return _(
                "%(technique)s is harder than %(limit)s.",
                technique=technique_name(technique),
                limit=_limit(error),
            )
        case "must_not" if technique in engine.TECHNIQUES:
            return _("%(technique)s is required above.", technique=technique_name(technique))
        case "er" if "high" in found:
            return _(
                "Use a range that overlaps ER %(low)s to %(high)s, as %(name)s needs.",
                name=_limit(error),
                low=found["low"],
                high=found["high"],
            )
        case "paper_level" if "level" in found:
            return _("Set the level above to Any.")
        case "paper_level" if "method" in found:
            return _("This method has no levels of its own.")
        case "paper_level" if "high" in found:
            return _("Choose a level from 1 to %(most)s.", most=found["high"])
        case "solved_grid" if "method" in found:
            return _("This method doesn’t start from a solved grid.")
        case "cells" if "method" in found:
            return _("Only a Las Vegas grid begins with random cells.")
        case "cells":
            return _("Enter a number from %(least)s to %(most)s.", least=found["low"], most=found["high"])
        case "order" if "method" in found:
            return _("This method digs nothing.")
        case "fewest_givens" | "most_givens" if "name" in found:
            return _(
                "This paper’s level has %(low)s to %(high)s givens.", low=found["low"], high=found["high"]
            )
        case "minimal":
            return _("This paper’s level keeps more givens than it needs.")
        case "pattern":
            return _pattern(found)
    return _("Choose one of the options.")


def _limit(error: RecipeError) -> str:
    if "%(technique)s" in error.pattern:
        return technique_name(str(error.values["technique"]))
    return level_name(int(str(error.values["level"])))


def _pattern(found: dict[str, object]) -> str:
    if "symmetry" in found:
        return _(
            "This pattern doesn’t have the symmetry “%(name)s”.", name=symmetry_name(str(found["symmetry"]))
        )
    if "found" in found:
        low, high, count = found["low"], found["high"], found["found"]
        return _("Mark %(low)s to %(high)s givens. You marked %(count)s.", low=low, high=high, count=count)
    return _("Two empty rows or columns could be swapped. Put a given in one of them.")
