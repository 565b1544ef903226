"""Complete solvers, one per file, all with the Protocol of `searcher`; a new one is added to ABOUT."""

from __future__ import annotations

from typing import Final

from .about import ABOUT, About, Measured, measure
from .bitboard import solution, solution_count, solve_many, within
from .min_candidates import TreeNode
from .searcher import MOST_NODES, Searcher, SearchResult, checked

SEARCHERS: Final[dict[str, Searcher]] = {key: checked(about.search) for key, about in ABOUT.items()}

__all__ = [
    "ABOUT",
    "MOST_NODES",
    "SEARCHERS",
    "About",
    "Measured",
    "SearchResult",
    "Searcher",
    "TreeNode",
    "measure",
    "solution",
    "solution_count",
    "solve_many",
    "within",
]
