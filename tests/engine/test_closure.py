"""The closure of an implication graph reaches the same literals as the search that it replaces."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.techniques.closure import agree, closure_of, component_of, leads_to, links_of, parts_of, within
from engine.techniques.graph import Graph, build, exists, explore
from engine.techniques.implications import CELLS, HOUSES, NODES, new_search
from tests.engine.struck import LONGEST, positions

pytestmark = pytest.mark.kernel


@st.composite
def graphs(draw: st.DrawFn) -> Graph:
    """Draw graphs, with groups or without, of puzzles with some of their candidates removed."""
    return build(draw(positions()).array, draw(st.booleans()))


def literals(graph: Graph) -> list[int]:
    return [literal for literal in range(2 * NODES) if exists(graph, literal >> 1)]


def searched(graph: Graph, start: int, links: int) -> set[int]:
    """Return the literals that a search from `start` derives, itself included."""
    search = new_search()
    where, arena, queue, clash = search.where, search.arena, search.queue, search.clash
    explore(graph, start, links, LONGEST, where, arena, queue, clash, -1, -1)
    return set(np.flatnonzero(where).tolist())


LINKS = st.sampled_from((HOUSES, CELLS, HOUSES | CELLS))


@pytest.mark.slow
@given(graphs(), LINKS, st.data())
def test_a_literal_leads_to_what_a_search_from_it_derives(
    graph: Graph, links: int, data: st.DataObject
) -> None:
    closure = closure_of(parts_of(links_of(graph, links, False)))
    start = data.draw(st.sampled_from(literals(graph)))
    reached = {goal for goal in literals(graph) if leads_to(closure, start, goal)}
    assert reached == searched(graph, start, links)


@given(graphs(), LINKS, st.data())
def test_literals_agree_where_searches_from_them_meet(graph: Graph, links: int, data: st.DataObject) -> None:
    closure = closure_of(parts_of(links_of(graph, links, False)))
    starts = data.draw(st.lists(st.sampled_from(literals(graph)), min_size=1, max_size=4))
    met = set.intersection(*(searched(graph, start, links) for start in starts))
    assert agree(closure, np.array(starts, dtype=np.int32), len(starts)) == bool(met)


@pytest.mark.slow
@given(graphs(), LINKS, st.data())
def test_literals_are_of_one_component_where_each_leads_to_the_other(
    graph: Graph, links: int, data: st.DataObject
) -> None:
    parts = parts_of(links_of(graph, links, False))
    closure = closure_of(parts)
    one = data.draw(st.sampled_from(literals(graph)))
    for other in literals(graph):
        mutual = leads_to(closure, one, other) and leads_to(closure, other, one)
        assert mutual == (component_of(parts, one) == component_of(parts, other))


@pytest.mark.slow
@given(graphs(), LINKS, st.data())
def test_a_graph_within_components_keeps_what_leads_on_inside_the_wanted_alone(
    graph: Graph, links: int, data: st.DataObject
) -> None:
    parts = parts_of(links_of(graph, links, False))
    start = data.draw(st.sampled_from(literals(graph)))
    here = component_of(parts, start)
    wanted = np.zeros(parts.components, dtype=np.bool_)
    wanted[here] = data.draw(st.booleans())
    inside = {literal for literal in literals(graph) if component_of(parts, literal) == here}
    reached = searched(within(graph, parts, wanted), start, links)
    assert reached == (inside if wanted[here] else {start})
