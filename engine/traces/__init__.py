"""The five published systems step by step: how each solves a puzzle, one per file, and how each generates
one.

Plain Python that follows the compiled solvers move by move, with the same counts. Every trace keeps at most
`bound` steps, and `cut_off` says whether there were more; its `measures` are those of the whole search, and
`exceeded` says whether that hit its own limit on nodes.

`TRACES` has them by the key of their method, in the order of the papers.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeAlias

from ..grid import Grid
from ..rating.lines import DECISION_TREE, GIVENS_AND_SEARCH, Figures
from ..rating.weighted_rules import RulesRating, rating_in_form
from .common import MOST_NODES, MOST_STEPS
from .cover import Column, CoverStep, CoverTrace, Live, column_of, columns_of, cover, live_rows
from .depth_first import DepthFirstTrace, depth_first
from .drawn import Around, around
from .making import MOST_COUNTED, MakingStep, MakingTrace, Trial, make
from .rounds import Round, RoundsTrace, rounds
from .rules import RuleStep, RulesTrace, rules
from .stack import StackStep
from .tree import TreeTrace, tree
from .varied import SEARCHES, system

# The steps of one system on a puzzle.
Trace: TypeAlias = DepthFirstTrace | RulesTrace | CoverTrace | TreeTrace | RoundsTrace

TRACES: Final[dict[str, Callable[..., Trace]]] = {
    "dig_hole": depth_first,
    "weighted_rules": rules,
    "exact_cover": cover,
    "min_candidates": tree,
    "propagation": rounds,
}


def trace(key: str, grid: Grid, bound: int = MOST_STEPS, **options: Any) -> Trace:
    """Return the trace of the method `key`; KeyError for an unknown one."""
    return TRACES[key](grid, bound, **options)


def figures_of(key: str, grid: Grid) -> Figures | None:
    """Return what the method `key` scores of a grid with one solution; None if it scores nothing, or past a
    limit.
    """
    scales = {"dig_hole": GIVENS_AND_SEARCH, "min_candidates": DECISION_TREE}
    return scales[key].figures(grid) if key in scales else None


__all__ = [
    "MOST_COUNTED",
    "MOST_NODES",
    "MOST_STEPS",
    "SEARCHES",
    "TRACES",
    "Around",
    "Column",
    "CoverStep",
    "CoverTrace",
    "DepthFirstTrace",
    "Figures",
    "Live",
    "MakingStep",
    "MakingTrace",
    "Round",
    "RoundsTrace",
    "RuleStep",
    "RulesRating",
    "RulesTrace",
    "StackStep",
    "Trace",
    "TreeTrace",
    "Trial",
    "around",
    "column_of",
    "columns_of",
    "cover",
    "depth_first",
    "figures_of",
    "live_rows",
    "make",
    "rating_in_form",
    "rounds",
    "rules",
    "system",
    "trace",
    "tree",
]
