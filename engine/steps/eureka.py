"""Eureka notation: a chain on one line, as players write it: `(3)r1c2=(3)r1c8-(3)r5c8=(3)r5c4 => r4c2<>3`.

`=` is a strong link (one of the two is true), `-` a weak one (not both). Links within a cell are inside its
brackets, `(3=5)r1c2`; cells of a group or an almost locked set are written as one, `(3)r1c23`, `(3=57)r12c4`.
A loop starts with a strong link and ends in `-loop`, for the weak link that closes it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from ..arguments import instance, step_as_found
from ..geometry import COL_OF, PEERS, ROW_OF
from ..position import Position
from ..techniques import TECHNIQUES, Role
from .branches import Cause
from .step import Step
from .strong import strong_links

# The templates of steps whose links form a line.
_IN_A_LINE: Final = frozenset({"chain", "loop", "forcing"})


@dataclass(frozen=True, slots=True)
class Node:
    """A candidate, a group, or the digits of an almost locked set."""

    cells: tuple[int, ...]
    text: str  # the text in the brackets


Chain = tuple[list[Node], list[str]]  # nodes, and "=" or "-" before each but the first


def eureka(step: Step, position: Position | None = None) -> str | None:
    """Return a chain or loop in Eureka notation; None for any other step.

    position: where the step was found, so that groups list only the cells with the digit.

    >>> from engine import Position, eureka, find, parse
    >>> text = "....8.95...........2.3...6.8.415........3.7....6....4..9....6..7..2...8.4.1.98.7."
    >>> position = Position.from_grid(parse(text))
    >>> eureka(find(position, "x_chain")[0], position)
    '(6)r1c1=(6)r2c1-(6)r2c5=(6)r8c5-(6)r9c4=(6)r9c2 => r1c2,r2c2<>6'
    """
    instance("step", step, Step)
    if position is not None:
        instance("position", position, Position)
    with step_as_found():
        chain = _of_strong_links(step) or _of_wing(step) or _of_branch(step, position)
        return None if chain is None else f"{_written(*chain)} => {_effects(step)}"


def _of_strong_links(step: Step) -> Chain | None:
    links = strong_links(step)
    if not links:
        return None
    ends = [end for link in links for end in link.ends]
    marks = ["=" if at % 2 else "-" for at in range(1, len(ends))]
    if not step.cells_of(Role.PINCER):
        marks.append("-")
    return [Node(end, str(step.digits[0])) for end in ends], marks


def _of_wing(step: Step) -> Chain | None:
    """Return an XY-Wing from pincer to pincer through the pivot, or a W-Wing through its strong link."""
    digits = {fact.cell: fact.digits for fact in step.cells}
    pincers = step.cells_of(Role.PINCER)
    removed = {digit for _, digit in step.eliminations}
    if step.technique not in ("xy_wing", "w_wing") or len(pincers) != 2 or len(removed) != 1:
        return None
    (gone,) = removed
    joins = [next(digit for digit in digits[cell] if digit != gone) for cell in pincers]
    if step.technique == "xy_wing":
        (pivot,) = step.cells_of(Role.PIVOT)
        middle = [Node((pivot,), str(digit)) for digit in joins]
    else:
        one, other = step.cells_of(Role.PATTERN)
        if one not in PEERS[pincers[0]] or other not in PEERS[pincers[1]]:
            one, other = other, one
        middle = [Node((cell,), str(joins[0])) for cell in (one, other)]
    first, last = (
        [Node((cell,), str(gone)), Node((cell,), str(join))]
        for cell, join in zip(pincers, joins, strict=True)
    )
    return [*first, *middle, *reversed(last)], ["=", "-", "=", "-", "="]


def _of_branch(step: Step, position: Position | None) -> Chain | None:
    """Return a chain, or a loop in the direction that starts with a strong link."""
    if TECHNIQUES[step.technique].template not in _IN_A_LINE:
        return None
    branches = [branch for branch in step.branches(position) if branch.inferences]
    ring = len(branches) > 1
    branch = next((each for each in branches if not each.assumption.on), branches[0])
    start = before = branch.assumption
    nodes, marks = [Node(start.cells, str(start.digit))], []
    # The links of a loop end with a strong one; after it comes what its almost locked sets clear.
    last = max(at for at, link in enumerate(branch.inferences) if link.strong or not ring)
    for inference in branch.inferences[: last + 1]:
        if inference.premises != (before,):
            return None
        result = inference.result
        if inference.cause is Cause.SET:
            nodes.append(Node(inference.als_cells, f"{before.digit}={result.digit}"))
            marks.append("-")
        nodes.append(Node(result.cells, str(result.digit)))
        marks.append("=" if inference.strong else "-")
        before = result
    if ring:
        closing = [link for link in branch.inferences[last + 1 :] if link.premises == (before,)]
        if closing:
            nodes.append(Node(closing[0].als_cells, f"{before.digit}={start.digit}"))
            marks.append("-")
        marks.append("-")
    return nodes, marks


def _written(nodes: list[Node], marks: list[str]) -> str:
    """Join the nodes by their links; one link more than needed closes a loop."""
    text = ""
    inside = ""
    for at, node in enumerate(nodes):
        mark = marks[at - 1] if at else ""
        if at and node.cells == nodes[at - 1].cells:
            inside += mark + node.text
        else:
            text += f"({inside}){_cells(nodes[at - 1].cells)}{mark}" if at else ""
            inside = node.text
    text += f"({inside}){_cells(nodes[-1].cells)}"
    return f"{text}{marks[-1]}loop" if len(marks) == len(nodes) else text


def _cells(cells: Iterable[int]) -> str:
    """Return r4c4; the cells of a group or a set as one: r4c46."""
    found = sorted(cells)
    rows = dict.fromkeys(ROW_OF[cell] + 1 for cell in found)
    columns = dict.fromkeys(sorted(COL_OF[cell] + 1 for cell in found))
    if len(rows) * len(columns) == len(found):
        return f"r{''.join(map(str, rows))}c{''.join(map(str, columns))}"
    return ",".join(f"r{ROW_OF[cell] + 1}c{COL_OF[cell] + 1}" for cell in found)


def _effects(step: Step) -> str:
    """Return placements and removals: `r1c1=3; r4c2,r5c2<>3`, grouping cells that lose the same digits."""
    digits_of: dict[int, str] = {}
    for cell, digit in sorted(step.eliminations):
        digits_of[cell] = digits_of.get(cell, "") + str(digit)
    cells_of: dict[str, list[int]] = {}
    for cell, digits in digits_of.items():
        cells_of.setdefault(digits, []).append(cell)
    placed = [f"{_cells([cell])}={digit}" for cell, digit in sorted(step.placements)]
    return "; ".join(
        placed
        + [f"{','.join(_cells([cell]) for cell in cells)}<>{digits}" for digits, cells in cells_of.items()]
    )
