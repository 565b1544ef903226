"""What every complete solver takes and answers; the solvers themselves are its neighbours."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Protocol

from engine.grid import Grid

MOST_NODES: Final = 10_000_000


@dataclass(frozen=True, slots=True)
class SearchResult:
    """What a search found, and what it cost."""

    solutions: list[Grid]  # in the order found, at most the limit asked for
    nodes: int  # what one node is, each solver's docstring says; with `exceeded`, all that were visited
    exceeded: bool  # the bound on nodes cut the search: more solutions may exist


class Searcher(Protocol):
    """A complete solver: finds all solutions of a grid up to `limit` and never visits over `most_nodes`.

    Givens that break the rules are a grid without a solution, not an error.
    """

    def __call__(self, grid: Grid, limit: int = 2, most_nodes: int = MOST_NODES) -> SearchResult: ...
