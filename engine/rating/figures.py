"""The intermediate figures of the literature's three schemes, and where every scheme comes from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any, Final

from engine.grid import Grid
from engine.position import Position
from engine.rating import decision_tree, givens_and_search, weighted_rules
from engine.rating.lines import Figures

SOURCES: Final[Mapping[str, str]] = {
    "explainer": "ER of Nicolas Juillerat's Sudoku Explainer",
    "explainer_pearl": "EP: its highest rating up to the first digit placed",
    "explainer_diamond": "ED: its rating of the first step",
    "hodoku_score": "score of Bernhard Hobiger's HoDoKu",
    "hodoku_level": "level 1..5 of HoDoKu",
    "weighted_rules": "D of the fourteen rules; Wu, Xiao, Yang, 2.1 and 2.2",
    "givens_and_search": (
        "0..5 from givens, fewest in a line, searches; Xue, Jiang, Li, section 4; Li, Wu, 2.1 too"
    ),
    "decision_tree": (
        "grade 1..4 from givens, fewest in a line, layouts; Chen, Jiang, Chen: Creating Sudoku Puzzles, 5.3"
    ),
}


def figures_of(grid: Grid) -> dict[str, dict[str, Any] | None]:
    """All that the three schemes of a grid with one solution are made of, fit for JSON; None past a bound.

    weighted_rules: `counts`, n1 to n14, `difficulty` and `level`. The other two: their `Figures`.
    """
    rules = weighted_rules.rating_of(weighted_rules.order().walk(Position.from_grid(grid)))
    return {
        "weighted_rules": None
        if rules is None
        else {
            "counts": list(rules.counts),
            "difficulty": rules.difficulty,
            "level": rules.level,
        },
        "givens_and_search": _members(givens_and_search.figures(grid), "searches", "level"),
        "decision_tree": _members(decision_tree.figures(grid), "layouts", "grade"),
    }


def _members(figures: Figures | None, searched: str, level: str) -> dict[str, Any] | None:
    """The figures under the words of their paper."""
    if figures is None:
        return None
    words = {"searched": searched, "level": level}
    return {words.get(name, name): value for name, value in asdict(figures).items()} | {
        "scores": list(figures.scores)
    }
