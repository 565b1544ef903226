"""All searchers agree on random grids of every kind, each within its bound on nodes.

NINEFOLD_INPUTS sets the number of grids: 300 by default, 10,000 for the full comparison (some minutes).
"""

from __future__ import annotations

import os
from collections import Counter

import pytest

from engine import SEARCHERS, SearchResult
from tests.random_inputs import KINDS, random_inputs

INPUTS = int(os.environ.get("NINEFOLD_INPUTS", "300"))
MOST_NODES = 1_000_000  # of each search: depth_first exceeds it on some, and reports that


@pytest.mark.slow
def test_every_searcher_finds_the_same_number_of_solutions() -> None:
    compared: Counter[tuple[str, str]] = Counter()
    for kind, grid in random_inputs(20240229, INPUTS):
        results: dict[str, SearchResult] = {
            key: search(grid, limit=2, most_nodes=MOST_NODES) for key, search in SEARCHERS.items()
        }
        counts = {key: len(result.solutions) for key, result in results.items() if not result.exceeded}
        assert len(set(counts.values())) == 1, (kind, str(grid), counts)
        for key, result in results.items():
            for solution in result.solutions:
                pairs = zip(grid.digits, solution.digits, strict=True)
                assert solution.full and not solution.faults(), (key, str(grid))
                assert all(given in (0, digit) for given, digit in pairs), (key, str(grid))
            assert len(set(result.solutions)) == len(result.solutions) <= max(counts.values())
            assert result.nodes <= MOST_NODES
            compared[kind, key] += not result.exceeded
        if counts["bitboard"] == 1:
            assert len({result.solutions[0] for result in results.values() if result.solutions}) == 1
    # Guard against vacuous passes: each searcher finished most grids of each kind.
    for kind in KINDS:
        for key in SEARCHERS:
            assert compared[kind, key] > INPUTS / len(KINDS) / 2, (kind, key)


@pytest.mark.slow
@pytest.mark.parametrize("key", SEARCHERS)
def test_every_searcher_stops_at_the_limit(key: str) -> None:
    grid = next(grid for kind, grid in random_inputs(3, 5) if kind == "multiple")
    whole = SEARCHERS[key](grid, limit=1_000_000).solutions
    assert 1 < len(whole) < 1_000_000
    for limit in (1, 2, 3, 7, 100):
        assert SEARCHERS[key](grid, limit=limit).solutions == whole[:limit]
