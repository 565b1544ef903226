"""Steps in one line: a chain in Eureka notation, any other proof by its cells, houses and branches.

Eureka notation writes a chain as players do: `(3)r1c2=(3)r1c8-(3)r5c8=(3)r5c4 => r4c2<>3`. `=` is a strong
link (one of the two is true), `-` a weak one (not both). Links within a cell are inside its brackets,
`(3=5)r1c2`; cells of a group or an almost locked set are written as one, `(3)r1c23`, `(3=57)r12c4`. A loop
starts with a strong link and ends in `-loop`, for the weak link that closes it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

from ..arguments import instance, step_as_found
from ..geometry import COL_OF, PEERS, ROW_OF, cell_name
from ..position import Position
from ..techniques import TECHNIQUES, HouseRole, Role, Trait
from .branches import Cause, Claim, DisplayedBranch, displayed
from .step import Step, by_digits, role_key
from .strong import strong_links

LONGEST: Final = 900  # characters of a proof; beyond, branches are reduced to their ends

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
    with _checked(step, position):
        chain = _chain(step, position)
        return None if chain is None else f"{_written(*chain)} => {_effects(step)}"


def sentence(step: Step, position: Position | None = None) -> str:
    """Return one line: the technique, its proof and what follows.

    position: as for `eureka`.

    >>> from engine import Position, next_step, parse, sentence
    >>> text = "...7..12.........4.8316...5..2..6.37..9...8..36.8..4..1...4956.5.........34..8..."
    >>> sentence(next_step(Position.from_grid(parse(text))))
    'Hidden Single: r4c1(8), 8 in box 4 => r4c1=8'
    """
    with _checked(step, position):
        chain = _chain(step, position)
        proof = _written(*chain) if chain else _proof(step, position)
        return f"{TECHNIQUES[step.technique].name}: {proof} => {_effects(step)}"


@contextmanager
def _checked(step: Step, position: Position | None) -> Iterator[None]:
    """Reject anything but a step that the engine found."""
    instance("step", step, Step)
    if position is not None:
        instance("position", position, Position)
    with step_as_found():
        yield


def _chain(step: Step, position: Position | None) -> Chain | None:
    return _of_strong_links(step) or _of_wing(step) or _of_branch(step, position)


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
    found = [f"{_cells([cell])}={digit}" for cell, digit in sorted(step.placements)]
    for digits, cells in by_digits(sorted(step.eliminations)).items():
        found.append(f"{','.join(_cells([cell]) for cell in cells)}<>{''.join(map(str, digits))}")
    return "; ".join(found)


def _proof(step: Step, position: Position | None) -> str:
    """Return the cells and houses of a proof, and its branches."""
    branches = displayed(step.branches(position))
    cells, houses = _pattern(step), _houses(step)
    whole = "; ".join(
        filter(None, [", ".join([*cells, *houses]), " | ".join(_links(step, each) for each in branches)])
    )
    if len(whole) <= LONGEST:
        return whole
    needed = dict.fromkeys(TECHNIQUES[lemma.technique].name for lemma in step.lemmas)
    ends = " | ".join(map(_ends, branches))
    return "; ".join(filter(None, [", ".join(cells), ends, "needs " * bool(needed) + ", ".join(needed)]))


def _pattern(step: Step) -> list[str]:
    """Return the cells of each role with their digits, each cell once, and what a trial refutes."""
    roles: dict[int, dict[int, set[int]]] = defaultdict(lambda: defaultdict(set))
    for fact in step.cells:
        roles[fact.role][fact.cell].update(fact.digits)
    parts = []
    for role, digits in roles.items():
        name = (
            "" if role == Role.PATTERN else role_key(role).replace("_", " ").replace("colour", "color") + " "
        )
        parts.append(name + " ".join(f"{cell_name(cell)}({_digits(digits[cell])})" for cell in digits))
    if Trait.REFUTES in TECHNIQUES[step.technique].traits:
        tried = {digit for fact in step.cells for digit in fact.digits} - {
            digit for _, digit in step.placements
        }
        parts.append(f"where {'each of ' * (len(tried) > 1)}{_digits(tried)} leads to a contradiction")
    return parts


def _houses(step: Step) -> list[str]:
    """Return the houses of each role: '4 in row 2 and row 7', 'with column 1 and column 9'."""
    parts: dict[tuple[HouseRole, str], dict[str, None]] = defaultdict(dict)
    for fact in sorted(step.houses, key=lambda fact: fact.role):
        before = "with" if fact.role is HouseRole.COVER else f"{_digits(fact.digits)} {_WHERE[fact.role]}"
        parts[fact.role, before][str(fact)] = None
    return [f"{before} {' and '.join(names)}" for (_, before), names in parts.items()]


_WHERE: Final = {HouseRole.BASE: "in", HouseRole.SHOWN: "within"}


def _digits(digits: Iterable[int]) -> str:
    return ",".join(map(str, sorted(digits)))


def _links(step: Step, branch: DisplayedBranch) -> str:
    """Return an assumption and its consequences; premises other than the last claim start a new clause."""
    text, last = _claim(branch.assumption), (branch.assumption,)
    for each in branch.inferences:
        if each.premises != last:
            text += "; " + " and ".join(map(_claim, each.premises))
        reason = "" if each.als is None else f"[set {chr(ord('A') + each.als)}] "
        if each.lemma is not None:
            reason = f"[{TECHNIQUES[step.lemmas[each.lemma].technique].name}] "
        text, last = f"{text} -> {reason}{_claim(each.result)}", (each.result,)
    return text + _clash(branch)


def _ends(branch: DisplayedBranch) -> str:
    """Return the assumption, the number of steps and the last claim: 'r1c1=2 -> (31 more) -> r1c4=5'."""
    claims = [_claim(branch.assumption), *(_claim(each.result) for each in branch.inferences)]
    return " -> ".join(
        claims if len(claims) < 4 else [claims[0], f"({len(claims) - 2} more)", claims[-1]]
    ) + _clash(branch)


def _clash(branch: DisplayedBranch) -> str:
    end = ", then as before" if branch.as_before else ""
    if branch.clash is None:
        return end
    on, off = sorted(branch.clash, key=lambda claim: not claim.on)
    return f", a contradiction: {_claim(on)} and {_claim(off)}{end}"


def _claim(claim: Claim) -> str:
    return f"{_cells(claim.cells)}{'=' if claim.on else '<>'}{claim.digit}"
