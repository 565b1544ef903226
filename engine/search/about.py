"""Each solver's source and names, and a measured search. Searches nothing itself."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from time import perf_counter
from typing import Final

from ..errors import RecipeError
from ..grid import Grid
from . import bitboard, dancing_links, depth_first, min_candidates, propagation
from .searcher import MOST_NODES, Searcher


@dataclass(frozen=True, slots=True)
class About:
    """One solver."""

    key: str
    search: Searcher
    source: str
    node: str  # its name for a node, in the singular
    # Its further counts, by name: a function of the same grid, limit and limit on nodes.
    others: Mapping[str, Callable[[Grid, int, int], int]] = field(default_factory=dict)


ABOUT: Final[dict[str, About]] = {
    about.key: about
    for about in (
        About("bitboard", bitboard.search, "our own, the default", "layout of candidates propagated"),
        About(
            "depth_first",
            depth_first.search,
            "Xue, Jiang, Li, 5.1; the recursion of Wu, Xiao, Yang too",
            "digit written that no house forbids, a search in the paper's sense",
        ),
        About(
            "min_candidates",
            min_candidates.search,
            "Chen Lijuan, Jiang Xin, Chen Dejin: Creating Sudoku Puzzles, 5.1 and 5.2",
            "layout of the decision tree",
        ),
        About(
            "dancing_links",
            dancing_links.search,
            "evasiu's article, after Knuth's Algorithm X",
            "row of the exact cover matrix chosen",
            {"updates": dancing_links.updates},
        ),
        About(
            "propagation",
            propagation.search,
            "Li, Wu, project proposal, 2.7",
            "digit written by the backtracking that follows the rounds",
            # They come before all backtracking, so its limits can't stop them.
            {"rounds": lambda grid, *_: propagation.propagated(grid).rounds},
        ),
    )
}


@dataclass(frozen=True, slots=True)
class Measured:
    """The result and cost of one search."""

    key: str
    solutions: tuple[Grid, ...]  # up to the limit
    nodes: int
    exceeded: bool  # the limit on nodes stopped the search: more solutions may exist
    others: Mapping[str, int]  # the values of `About.others`
    seconds: float  # elapsed time of the search alone


def measure(key: str, grid: Grid, limit: int = 2, most_nodes: int = MOST_NODES) -> Measured:
    """Search `grid` with the solver `key`. RecipeError for an unknown key."""
    about = ABOUT.get(key)
    if about is None:
        raise RecipeError(
            "solver", "expected one of %(names)s, found %(found)s", names=", ".join(ABOUT), found=f"{key!r}"
        )
    start = perf_counter()
    found = about.search(grid, limit, most_nodes)
    seconds = perf_counter() - start
    others = {name: count(grid, limit, most_nodes) for name, count in about.others.items()}
    return Measured(key, tuple(found.solutions), found.nodes, found.exceeded, others, seconds)
