"""Names and sources of the generation methods and their parts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine.generation import ANY, METHODS, SOLVED_GRIDS, TO_ORDER, Symmetry
from engine.rating import SOURCES
from engine.search import ABOUT
from webapp.bank.bank import DRAWN, VARIED
from webapp.process.words import gettext as _

RATINGS = {
    "dig_hole": "givens_and_search",
    "weighted_rules": "weighted_rules",
    "min_candidates": "decision_tree",
}


@dataclass(frozen=True, slots=True)
class MethodView:
    """A method in the order form; parts that it lacks are empty."""

    name: str
    source: str
    solver: str
    rating: str
    levels: str
    solved_grid: str


def method_views() -> list[MethodView]:
    """Return all methods, in the order of the papers."""
    return [
        MethodView(
            method_name(key),
            method.source,
            f"{method.solver} ({ABOUT[method.solver].source})",
            SOURCES[RATINGS[key]] if key in RATINGS else "",
            "; ".join(method.levels_in_words()),
            "" if method.solved_grid is None else solved_grid_name(method.solved_grid),
        )
        for key, method in METHODS.items()
    ]


def paper_levels() -> Sequence[int]:
    """Return the levels from 1 to the highest of any method."""
    return range(1, 1 + max(method.level_count for method in METHODS.values()))


def solved_grids() -> list[tuple[str, str]]:
    """Return key and name of every way to generate a solved grid."""
    return [(key, solved_grid_name(key)) for key in SOLVED_GRIDS]


def method_name(key: str) -> str:
    """Return the display name of a generation method."""
    return {
        "dig_hole": _("Hole digging (Xue, Jiang, Li)"),
        "weighted_rules": _("Weighted rules (Wu, Xiao, Yang)"),
        "exact_cover": _("Exact cover (evasiu)"),
        "min_candidates": _("Fewest candidates"),
        "propagation": _("Propagation (Li, Wu)"),
        TO_ORDER: _("Made to order"),
        DRAWN: _("Drawn by hand"),
        VARIED: _("Variation"),
    }.get(key, key)


def solved_grid_name(key: str) -> str:
    """Return the display name of a way to generate a solved grid."""
    return {
        "las_vegas": _("Las Vegas: random digits, then a search"),
        "diagonal_boxes": _("Diagonal boxes first"),
        "linked_boxes": _("Linked boxes"),
        "centre_box": _("Center box first"),
        "uniform": _("Uniform over all grids"),
    }.get(key, key)


def symmetry_name(key: str) -> str:
    """Return the display name of a symmetry, or of ANY."""
    if key == ANY:
        return _("Half turn, quarter turn or mirror")
    return {
        Symmetry.NONE: _("No symmetry required"),
        Symmetry.HALF_TURN: _("Half turn"),
        Symmetry.QUARTER_TURN: _("Quarter turn"),
        Symmetry.HORIZONTAL: _("Top to bottom"),
        Symmetry.VERTICAL: _("Left to right"),
        Symmetry.DIAGONAL: _("Diagonal"),
        Symmetry.ANTIDIAGONAL: _("Other diagonal"),
        Symmetry.FULL: _("Full symmetry"),
    }[Symmetry(key)]
