"""The decision tree of the minimum candidates: JSON, for Graphviz, around a layout."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from ..geometry import cell_name
from ..search.min_candidates import TreeNode

MOST_TREE_NODES: Final = 10_000  # drawn by default


def members(nodes: Sequence[TreeNode]) -> list[dict[str, Any]]:
    """Return the nodes as JSON objects, parents first, numbered from 0."""
    return [
        {
            "node": number,
            "parent": node.parent,
            "cell": node.cell,
            "digit": node.digit,
            "m": node.blanks,
            "n": node.fewest,
            "final": node.final,
            "dead": node.dead,
        }
        for number, node in enumerate(nodes)
    ]


def dot(nodes: Sequence[TreeNode], name: str) -> str:
    """Return the tree in Graphviz's language: final layouts with a double border, dead ones dashed."""
    lines = [f'digraph "{name}" {{', "  node [shape=box];"]
    for number, node in enumerate(nodes):
        border = ", peripheries=2" if node.final else ", style=dashed" if node.dead else ""
        lines.append(f'  n{number} [label="({node.blanks}, {node.fewest})"{border}];')
        if node.parent is not None and node.cell is not None:
            lines.append(f'  n{node.parent} -> n{number} [label="{cell_name(node.cell)}={node.digit}"];')
    return "\n".join([*lines, "}"])


ABOVE: Final = 2  # levels drawn above the current layout
ACROSS: Final = 74  # units between neighbors
DOWN: Final = 50  # units between levels
MARGIN: Final = 40


class Beside(NamedTuple):
    """A layout in a drawing, and the edge that leads to it."""

    x: float
    y: float
    text: str  # (m, n)
    kind: str  # final, dead or open
    now: bool  # whether it is the current one
    path: bool  # whether it is on the path to the current one
    ahead: bool  # not yet reached
    more: bool  # whether it has layouts below that aren't drawn
    edge: str  # r3c4=5; empty at the top
    from_x: float  # where its parent is


class Around(NamedTuple):
    """The part of a tree around a layout."""

    width: float
    height: float
    nodes: list[Beside]


def around(nodes: Sequence[TreeNode], step: int) -> Around:
    """Draw the way to layout number `step`, and at each step the layouts beside it."""
    way = [step]
    while (parent := nodes[way[0]].parent) is not None and len(way) <= ABOVE:
        way.insert(0, parent)
    children: dict[int | None, list[int]] = {}
    for number, node in enumerate(nodes):
        children.setdefault(node.parent, []).append(number)
    rows = [[way[0]], *(children[number] for number in way if number in children)]
    width = 2 * MARGIN + ACROSS * (max(map(len, rows)) - 1)
    place = {
        number: (width / 2 + ACROSS * (at - (len(row) - 1) / 2), 20.0 + DOWN * level)
        for level, row in enumerate(rows)
        for at, number in enumerate(row)
    }
    found = []
    for number, (x, y) in place.items():
        node = nodes[number]
        edge = "" if node.cell is None or number == way[0] else f"{cell_name(node.cell)}={node.digit}"
        kind = "final" if node.final else "dead" if node.dead else "open"
        more = number not in way and number in children
        text = f"({node.blanks}, {node.fewest})"
        from_x = place.get(-1 if node.parent is None else node.parent, (x, y))[0]
        flags = number == step, number in way, number > step, more
        found.append(Beside(x, y, text, kind, *flags, edge, from_x))
    return Around(width, 46.0 + DOWN * (len(rows) - 1), found)
