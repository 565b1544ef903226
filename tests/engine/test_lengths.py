"""The lengths of all chains to opposites equal those of a search from each literal."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import Position
from engine.techniques.closure import closure_of, leads_to, links_of, parts_of
from engine.techniques.graph import Graph, build, explore
from engine.techniques.implications import BY_CELL, CELLS, COUNT, HOUSES, LITERALS, new_search
from engine.techniques.rare.lengths import opposite_lengths, ways_of
from tests.engine.struck import LONGEST, positions

pytestmark = pytest.mark.kernel


def searched(position: Position, allowed: int) -> dict[int, int]:
    """Return how many literals the chain has that a search finds from a literal to its opposite."""
    graph = build(position.array, False)
    found = {}
    for literal in range(LITERALS):
        if graph.cells[literal >> 1].any():
            search = new_search()
            where, arena, queue, clash = search.where, search.arena, search.queue, search.clash
            explore(graph, literal, allowed, LONGEST, where, arena, queue, clash, -1, literal ^ 1)
            if where[literal ^ 1]:
                found[literal] = int(arena[where[literal ^ 1] + COUNT])
    return found


def measured(position: Position, allowed: int, longest: int, slack: int) -> tuple[dict[int, int], int]:
    """Return the same by `opposite_lengths`, and its result."""
    ways = ways_of(build(position.array, False))
    lengths = np.empty(LITERALS, dtype=np.int32)
    fewest, _ = opposite_lengths(position.array, ways, allowed, longest, slack, lengths)
    return {literal: int(lengths[literal]) for literal in np.flatnonzero(lengths).tolist()}, fewest


def fewest_of(position: Position, chains: dict[int, int]) -> int:
    """Return the fewest literals of a chain from a cell with other candidates."""
    masks = position.array[81:162].tolist()
    open_ones = (length for literal, length in chains.items() if masks[literal // 18].bit_count() > 1)
    return min(open_ones, default=LONGEST)


@pytest.mark.slow
@given(positions(), st.sampled_from((HOUSES, CELLS, HOUSES | CELLS)))
def test_lengths_are_those_of_the_chains_a_search_finds(position: Position, allowed: int) -> None:
    expected = searched(position, allowed)
    assert measured(position, allowed, LONGEST, LONGEST) == (expected, fewest_of(position, expected))
    shorter = {literal: length for literal, length in expected.items() if length <= 6}
    assert measured(position, allowed, 6, 6) == (shorter, min(fewest_of(position, shorter), 6))


@pytest.mark.slow
@given(positions(), st.sampled_from((HOUSES, CELLS, HOUSES | CELLS)), st.sampled_from((0, 2, 4)))
def test_chains_longer_than_the_fewest_are_returned_within_the_slack(
    position: Position, allowed: int, slack: int
) -> None:
    expected = searched(position, allowed)
    fewest = fewest_of(position, expected)
    shown = {literal: length for literal, length in expected.items() if length <= fewest + slack}
    assert measured(position, allowed, LONGEST, slack) == (shown, fewest)


@pytest.mark.slow
@given(positions(), st.sampled_from((HOUSES, CELLS, HOUSES | CELLS)))
def test_a_cycle_closes_where_what_a_candidate_sees_leads_round(position: Position, allowed: int) -> None:
    graph = build(position.array, False)
    closure = closure_of(parts_of(links_of(graph, allowed, False)))
    lengths = np.empty(LITERALS, dtype=np.int32)
    _, closes = opposite_lengths(position.array, ways_of(graph), allowed, LONGEST, LONGEST, lengths)
    assert closes == any(
        leads_to(closure, 2 * one, 2 * other + 1) and leads_to(closure, 2 * other + 1, 2 * one)
        for node in range(LITERALS // 2)
        for one in seen(graph, node)
        for other in seen(graph, node)
    )


def seen(graph: Graph, node: int) -> list[int]:
    """Return the candidates of other cells that a candidate turns off."""
    links = graph.to[graph.starts[2 * node + 1] : graph.starts[2 * node + 2]].tolist()
    return [literal >> 1 for literal, cause in links if cause != BY_CELL]
