"""The intermediate figures of the papers' three schemes, and the source of every scheme."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any, Final

from ..grid import Grid
from . import weighted_rules
from .lines import DECISION_TREE, GIVENS_AND_SEARCH, Figures

SOURCES: Final[Mapping[str, str]] = {
    "explainer": "ER of Nicolas Juillerat's Sudoku Explainer",
    "explainer_pearl": "EP: its highest rating up to the first digit placed",
    "explainer_diamond": "ED: its rating of the first step",
    "step_score": "sum over all steps, after Bernhard Hobiger's HoDoKu and close to its score",
    "step_level": "level 1..5 that comes of it",
    "weighted_rules": "D of the fourteen rules; Wu, Xiao, Yang, 2.1 and 2.2",
    "givens_and_search": (
        "0..5 from givens, fewest in a line, searches; Xue, Jiang, Li, section 4; Li, Wu, 2.1 too"
    ),
    "decision_tree": (
        "grade 1..4 from givens, fewest in a line, layouts; Chen, Jiang, Chen: Creating Sudoku Puzzles, 5.3"
    ),
}


def figures_of(grid: Grid) -> dict[str, dict[str, Any] | None]:
    """Return the figures behind a grid's three paper schemes as JSON values; None past a limit.

    weighted_rules: `counts`, n1 to n14, `difficulty` and `level`. The other two: their `Figures`.
    """
    rules = weighted_rules.rating_in_form(grid)
    return {
        "weighted_rules": None
        if rules is None
        else {
            "counts": list(rules.counts),
            "difficulty": rules.difficulty,
            "level": rules.level,
        },
        "givens_and_search": _members(GIVENS_AND_SEARCH.figures(grid), "searches", "level"),
        "decision_tree": _members(DECISION_TREE.figures(grid), "layouts", "grade"),
    }


def _members(figures: Figures | None, searched: str, level: str) -> dict[str, Any] | None:
    """Return the figures by their paper's names."""
    if figures is None:
        return None
    words = {"searched": searched, "level": level}
    return {words.get(name, name): value for name, value in asdict(figures).items()} | {
        "scores": list(figures.scores)
    }
