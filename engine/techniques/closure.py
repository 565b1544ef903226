"""The transitive closure of an implication graph: which literals lead to which.

A search finds the literals that follow from one, each by a shortest chain; most such searches find nothing
useful. The closure covers all literals in about the time of two or three searches, so that only productive
ones are made. Literals that imply each other share a row: they are the components of Tarjan's depth-first
search (SIAM J. Comput. 1, 1972), which finishes them in an order in which the rows can be filled.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..kernels._jit import kernel
from .graph import Graph, add_link, exists, usable
from .implications import NODE_LITERALS, NODES, Row

BITS: Final = 62  # used bits of a row's word: excludes the sign of the 64
OFFS: Final = 0x1555_5555_5555_5555  # the off-literals among them


class Links(NamedTuple):
    """The links of a graph that a search may use, between consecutively numbered nodes.

    A literal is 2 * number of its node + on here.
    """

    number: Row  # [NODES]: number of each node, -1 if the position lacks it
    nodes: Row  # [count]: the node of each number
    links_from: Row  # [2 * count + 1]: a literal's links are between two of these
    links_to: Row  # the literals they lead to


class Parts(NamedTuple):
    """The components of a graph: literals that imply each other.

    A literal is 2 * number of its node + on here.
    """

    number: Row  # [NODES]: number of each node, -1 if the position lacks it
    nodes: Row  # [count]: the node of each number
    component: Row  # [2 * count]: of each literal
    order: Row  # [2 * count]: the literals, each after all that it leads to outside its component
    components: int  # how many
    links_from: Row  # [2 * count + 1]: a literal's links are between two of these
    links_to: Row  # the literals they lead to


class Closure(NamedTuple):
    """A row of bits for each component. A literal is 2 * number of its node + on here."""

    number: Row  # [NODES]: number of each node, -1 if the position lacks it
    nodes: Row  # [count]: the node of each number
    component: Row  # [2 * count]: of each literal
    reached: NDArray[np.int64]  # [components, words]: the literals that follow, itself included, as bits


@kernel
def links_of(graph: Graph, links: int, passed: bool) -> Links:
    """Return the links that the graph allows, HOUSES and CELLS as in `explore`.

    passed: leave out weak links to nodes without outgoing strong links. Every chain ends there, and no loop
    passes through them.
    """
    number = np.full(NODES, -1, dtype=np.int32)
    nodes = np.empty(NODES, dtype=np.int32)
    goes_on = np.empty(NODES, dtype=np.bool_)
    count = 0
    for node in range(NODES):
        if not exists(graph, node):
            continue
        number[node] = count
        nodes[count] = node
        strong = not passed
        for at in range(graph.starts[2 * node], graph.starts[2 * node + 1]):
            strong = strong or usable(0, graph.to[at, 1], links)
        goes_on[count] = strong
        count += 1
    links_from = np.empty(2 * count + 1, dtype=np.int32)
    links_to = np.empty(len(graph.to), dtype=np.int32)
    total = 0
    for literal in range(2 * count):
        here = 2 * nodes[literal >> 1] + (literal & 1)
        links_from[literal] = total
        for at in range(graph.starts[here], graph.starts[here + 1]):
            target = number[graph.to[at, 0] >> 1]
            if goes_on[target] and usable(literal, graph.to[at, 1], links):
                links_to[total] = 2 * target + 1 - (literal & 1)
                total += 1
    links_from[2 * count] = total
    return Links(number, nodes[:count].copy(), links_from, links_to)


@kernel
def parts_of(links: Links) -> Parts:
    """Return the components of the graph by these links."""
    count = len(links.nodes)
    component = np.empty(2 * count, dtype=np.int32)
    order = np.empty(2 * count, dtype=np.int32)
    components = _components(links.links_from, links.links_to, component, order)
    return Parts(links.number, links.nodes, component, order, components, links.links_from, links.links_to)


@kernel
def component_of(parts: Parts, literal: int) -> int:
    """Return the component of a literal of the graph."""
    return int(parts.component[2 * parts.number[literal >> 1] + (literal & 1)])


@kernel
def within(graph: Graph, parts: Parts, wanted: NDArray[np.bool_]) -> Graph:
    """Return the graph with only the links inside the wanted components, which include every loop through
    those.

    A shortest chain between two literals of a component never leaves it, so `explore` finds the same ones.
    """
    to = np.empty((graph.starts[NODE_LITERALS], 2), dtype=np.int32)
    starts = np.empty(NODE_LITERALS + 1, dtype=np.int32)
    total = 0
    for literal in range(NODE_LITERALS):
        starts[literal] = total
        if parts.number[literal >> 1] < 0:
            continue
        here = component_of(parts, literal)
        for at in range(graph.starts[literal], graph.starts[literal + 1] if wanted[here] else 0):
            if component_of(parts, graph.to[at, 0]) == here:
                total = add_link(to, total, graph.to[at, 0], graph.to[at, 1])
    starts[NODE_LITERALS] = total
    return Graph(graph.cells, graph.sees, graph.homes, to, starts)


@kernel
def closure_of(parts: Parts) -> Closure:
    """Return what follows from each literal."""
    words = (len(parts.component) + BITS - 1) // BITS
    reached = np.zeros((parts.components, words), dtype=np.int64)
    component, links_to = parts.component, parts.links_to
    for finished in parts.order:
        literal = int(finished)
        here = component[literal]
        reached[here, literal // BITS] |= np.int64(1) << literal % BITS
        for at in range(parts.links_from[literal], parts.links_from[literal + 1]):
            target = links_to[at]
            there = component[target]
            if not reached[here, target // BITS] >> target % BITS & 1 and there != here:
                for word in range(words):
                    reached[here, word] |= reached[there, word]
    return Closure(parts.number, parts.nodes, parts.component, reached)


@kernel
def no_parts() -> Parts:
    """Return no components, for searches without them."""
    none = np.empty(0, dtype=np.int32)
    return Parts(none, none, none, none, 0, none, none)


@kernel
def no_closure() -> Closure:
    """Return an empty closure, for searches without one."""
    none = np.empty(0, dtype=np.int32)
    return Closure(none, none, none, np.empty((0, 0), dtype=np.int64))


@kernel
def _components(links_from: Row, links_to: Row, component: Row, order: Row) -> int:
    """Find the strongly connected components of a graph in compressed rows; returns how many.

    component: output, the number of each. order: output, all, each after all that it leads to outside its
    component.
    """
    count = len(component)
    component[:] = -1
    visit = np.zeros(count, dtype=np.int32)  # the number of the first visit, from 1
    lowest = np.empty(count, dtype=np.int32)
    following = links_from[:-1].copy()
    path = np.empty(count, dtype=np.int32)
    depth = 0
    waiting = np.empty(count, dtype=np.int32)
    height = 0
    visits = 0
    components = 0
    done = 0
    for root in range(count):
        new = root
        while depth or not visit[root]:
            if new >= 0:
                visits += 1
                visit[new] = visits
                lowest[new] = visits
                path[depth] = new
                depth += 1
                waiting[height] = new
                height += 1
            here = path[depth - 1]
            new = -1
            if following[here] < links_from[here + 1]:
                other = links_to[following[here]]
                following[here] += 1
                if not visit[other]:
                    new = int(other)
                elif component[other] < 0:
                    lowest[here] = min(lowest[here], visit[other])
                continue
            depth -= 1
            if depth:
                lowest[path[depth - 1]] = min(lowest[path[depth - 1]], lowest[here])
            if lowest[here] < visit[here]:
                continue
            while component[here] < 0:
                height -= 1
                component[waiting[height]] = components
                order[done] = waiting[height]
                done += 1
            components += 1
    return components


@kernel
def leads_to(closure: Closure, start: int, goal: int) -> bool:
    """Whether one literal of the graph follows from another."""
    literal = 2 * closure.number[goal >> 1] + (goal & 1)
    row = closure.component[2 * closure.number[start >> 1] + (start & 1)]
    return bool(closure.reached[row, literal // BITS] >> literal % BITS & 1)


@kernel
def agree(closure: Closure, starts: Row, count: int) -> bool:
    """Whether some literal follows from each of the first `count` literals of `starts`."""
    reached, words = closure.reached, closure.reached.shape[1]
    common = np.empty(words, dtype=np.int64)
    found = np.int64(0)
    for index in range(count):
        row = closure.component[2 * closure.number[starts[index] >> 1] + (starts[index] & 1)]
        found = np.int64(0)
        for word in range(words):
            common[word] = reached[row, word] & (common[word] if index else -1)
            found |= common[word]
        if not found:
            break
    return bool(found)
