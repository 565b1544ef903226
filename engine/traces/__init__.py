"""The five published systems at work, one a file: what each did with a puzzle, step by step, to be shown.

Plain Python that follows the compiled solvers move by move, and counts as they do. Every trace keeps at most
`bound` steps and says in `cut_off` where there were more; its `measures` are those of the whole search, whose
own bound on nodes `exceeded` tells of.

`TRACES` has them by the key of their method, in the order of the papers; `as_json` makes one fit for JSON.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from engine.grid import Grid
from engine.traces.common import MOST_NODES, MOST_STEPS, Trace, as_json
from engine.traces.cover import CoverStep, CoverTrace, Live, columns_of, cover
from engine.traces.depth_first import DepthFirstStep, DepthFirstTrace, depth_first
from engine.traces.rounds import Round, RoundsTrace, StackStep, rounds
from engine.traces.rules import RuleStep, RulesTrace, rules
from engine.traces.tree import TreeTrace, tree

TRACES: Final[dict[str, Callable[..., Trace]]] = {
    "dig_hole": depth_first,
    "weighted_rules": rules,
    "exact_cover": cover,
    "min_candidates": tree,
    "propagation": rounds,
}


def trace(key: str, grid: Grid, bound: int = MOST_STEPS, **options: Any) -> Trace:
    """The trace of the method `key`; KeyError where there is none."""
    return TRACES[key](grid, bound, **options)


__all__ = [
    "MOST_NODES",
    "MOST_STEPS",
    "TRACES",
    "CoverStep",
    "CoverTrace",
    "DepthFirstStep",
    "DepthFirstTrace",
    "Live",
    "Round",
    "RoundsTrace",
    "RuleStep",
    "RulesTrace",
    "StackStep",
    "Trace",
    "TreeTrace",
    "as_json",
    "columns_of",
    "cover",
    "depth_first",
    "rounds",
    "rules",
    "trace",
    "tree",
]
