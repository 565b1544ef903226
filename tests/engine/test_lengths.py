"""The lengths of all chains to opposites beside the search from each literal."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import Position
from engine.techniques.closure import links_of
from engine.techniques.graph import build, explore
from engine.techniques.implications import CELLS, COUNT, HOUSES, LITERALS, new_search
from engine.techniques.lengths import opposite_lengths
from tests.engine.struck import LONGEST, positions

pytestmark = pytest.mark.kernel


def searched(position: Position, allowed: int) -> dict[int, int]:
    """How many literals the chain has that a search finds from a literal to its opposite."""
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


def measured(position: Position, allowed: int, longest: int, shortest: bool) -> tuple[dict[int, int], int]:
    """The same by `opposite_lengths`, and its answer."""
    links = links_of(build(position.array, False), HOUSES | CELLS, True)
    lengths = np.empty(LITERALS, dtype=np.int32)
    fewest = opposite_lengths(position.array, links, allowed, longest, shortest, lengths)
    return {literal: int(lengths[literal]) for literal in np.flatnonzero(lengths).tolist()}, fewest


@pytest.mark.slow
@given(positions(), st.sampled_from((HOUSES, CELLS, HOUSES | CELLS)))
def test_lengths_are_those_of_the_chains_a_search_finds(position: Position, allowed: int) -> None:
    expected = searched(position, allowed)
    assert measured(position, allowed, LONGEST, False) == (expected, LONGEST)
    shorter = {literal: length for literal, length in expected.items() if length <= 6}
    assert measured(position, allowed, 6, False) == (shorter, 6)


@pytest.mark.slow
@given(positions(), st.sampled_from((HOUSES, CELLS, HOUSES | CELLS)))
def test_the_shortest_chains_are_all_told(position: Position, allowed: int) -> None:
    masks = position.array[81:162].tolist()
    chains = {
        literal: length
        for literal, length in searched(position, allowed).items()
        if masks[literal // 18].bit_count() > 1
    }
    lengths, fewest = measured(position, allowed, LONGEST, True)
    assert fewest == min(chains.values(), default=LONGEST)
    told = {literal for literal, length in lengths.items() if length == fewest and literal in chains}
    assert told == {literal for literal, length in chains.items() if length == fewest}
