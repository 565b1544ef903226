"""Complete solvers, one a file, all behind the Protocol of `searcher`; a new one is added to ABOUT."""

from __future__ import annotations

from typing import Final

from engine.search.about import ABOUT, About, Measured, measure
from engine.search.searcher import MOST_NODES, Searcher, SearchResult, checked

SEARCHERS: Final[dict[str, Searcher]] = {key: checked(about.search) for key, about in ABOUT.items()}

__all__ = ["ABOUT", "MOST_NODES", "SEARCHERS", "About", "Measured", "SearchResult", "Searcher", "measure"]
