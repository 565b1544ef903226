"""Complete solvers, one a file, all behind the Protocol of `searcher`; a new one is added to SEARCHERS."""

from __future__ import annotations

from typing import Final

from engine.search import bitboard, dancing_links, depth_first, min_candidates, propagation
from engine.search.searcher import MOST_NODES, Searcher, SearchResult

SEARCHERS: Final[dict[str, Searcher]] = {
    "bitboard": bitboard.search,
    "depth_first": depth_first.search,
    "min_candidates": min_candidates.search,
    "dancing_links": dancing_links.search,
    "propagation": propagation.search,
}

__all__ = ["MOST_NODES", "SEARCHERS", "SearchResult", "Searcher"]
