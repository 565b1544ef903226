"""A drawing of the decision tree: layouts in levels, leaves side by side, each parent above its children."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from engine.geometry import cell_name
from engine.search import TreeNode

ABOVE: Final = 5  # levels drawn above the current layout
BELOW: Final = 4  # and below it
LEAVES: Final = 11  # most leaves side by side
MOST_WHOLE: Final = 400  # layouts of a tree that can be drawn completely
ACROSS: Final = 78  # units between neighbors
DOWN: Final = 66  # units between levels
MARGIN: Final = 44


@dataclass(frozen=True, slots=True)
class NodeView:
    """One layout."""

    number: int  # 0 is the puzzle
    x: float
    y: float
    text: str  # (m, n)
    kind: str  # final, dead or open
    now: bool  # whether it is the current one
    path: bool  # whether it is on the path to the current one
    ahead: bool  # not yet reached
    more: bool  # whether it has layouts below that aren't drawn


@dataclass(frozen=True, slots=True)
class EdgeView:
    """An edge from a layout to the next."""

    x1: float
    y1: float
    x2: float
    y2: float
    text: str  # r3c4=5
    path: bool
    ahead: bool


@dataclass(frozen=True, slots=True)
class Drawing:
    """A tree, or a part of it."""

    width: float
    height: float
    nodes: tuple[NodeView, ...]
    edges: tuple[EdgeView, ...]
    whole: bool


def drawn(nodes: Sequence[TreeNode], step: int, *, whole: bool) -> Drawing:
    """Draw the layouts around number `step`, or all if requested and few enough."""
    whole = whole and len(nodes) <= MOST_WHOLE
    children: dict[int, list[int]] = defaultdict(list)
    for number, node in enumerate(nodes):
        if node.parent is not None:
            children[node.parent].append(number)
    way = path_to(nodes, step)
    top = 0 if whole else way[max(0, len(way) - 1 - ABOVE)]
    deepest = None if whole else len(way) - 1 - way.index(top) + BELOW
    kept = _kept(children, top, deepest, way, None if whole else LEAVES)
    depth = {top: 0}
    place: dict[int, float] = {}
    for number in kept:
        parent = nodes[number].parent
        if number != top and parent is not None:
            depth[number] = depth[parent] + 1
    below = {number: [child for child in children[number] if child in depth] for number in kept}
    for leaf, number in enumerate(number for number in kept if not below[number]):
        place[number] = leaf
    for number in reversed(kept):
        if below[number]:
            place[number] = (place[below[number][0]] + place[below[number][-1]]) / 2
    x = {number: round(MARGIN + ACROSS * place[number], 1) for number in kept}
    y = {number: 24.0 + DOWN * depth[number] for number in kept}
    on_way = set(way)
    return Drawing(
        width=2 * MARGIN + ACROSS * max(0, sum(not each for each in below.values()) - 1),
        height=48 + DOWN * max(depth.values()) + (0 if whole else 14),
        nodes=tuple(
            NodeView(
                number,
                x[number],
                y[number],
                f"({nodes[number].blanks}, {nodes[number].fewest})",
                kind_of(nodes[number]),
                now=number == step,
                path=number in on_way,
                ahead=number > step,
                more=len(below[number]) < len(children[number]),
            )
            for number in kept
        ),
        edges=tuple(
            EdgeView(
                x[parent],
                y[parent],
                x[number],
                y[number],
                edge_text(nodes[number]),
                number in on_way,
                number > step,
            )
            for number in kept
            if number != top and (parent := nodes[number].parent) is not None
        ),
        whole=whole,
    )


def path_to(nodes: Sequence[TreeNode], number: int) -> list[int]:
    """Return the layouts from the puzzle to this one."""
    way = [number]
    while (parent := nodes[way[-1]].parent) is not None:
        way.append(parent)
    return way[::-1]


def edge_text(node: TreeNode) -> str:
    """Return the label of the edge to a layout; empty for the puzzle."""
    return "" if node.cell is None else f"{cell_name(node.cell)}={node.digit}"


def kind_of(node: TreeNode) -> str:
    """final, dead or open."""
    return "final" if node.final else "dead" if node.dead else "open"


def _kept(
    children: dict[int, list[int]], top: int, deepest: int | None, way: list[int], leaves: int | None
) -> list[int]:
    """Return the layouts to draw, parents first: those below `top`, with so many leaves around the path."""
    found, ends = [], []
    stack = [(top, 0)]
    parents: dict[int, int] = {}
    while stack:
        number, level = stack.pop()
        found.append(number)
        below = children[number] if deepest is None or level < deepest else []
        if not below:
            ends.append(number)
        for child in reversed(below):
            parents[child] = number
            stack.append((child, level + 1))
    if leaves is None or len(ends) <= leaves:
        return found
    at = next((place for place, number in enumerate(ends) if number >= way[-1]), len(ends) - 1)
    first = min(max(0, at - leaves // 2), len(ends) - leaves)
    wanted = {top, *way[way.index(top) :]}
    for number in ends[first : first + leaves]:
        while number not in wanted:
            wanted.add(number)
            number = parents[number]
    return [number for number in found if number in wanted]
