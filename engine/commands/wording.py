"""Steps in plain English, one line each, for the command line. The site words its steps itself."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from engine.commands.command import Answer
from engine.formats import Entry
from engine.geometry import cell_name, house_name
from engine.kernels.steps import BY_ALS, BY_LEMMA
from engine.position import Position
from engine.step import Link, Step
from engine.techniques.entry import HouseRole, Role
from engine.techniques.graph import CANDIDATE_NODES, SEGMENTS
from engine.techniques.implications import ASSUMED


def position_of(entry: Entry) -> Position:
    """The position an entry stands for, its own candidates and struck ones included."""
    placed = entry.standing
    masks = list(entry.candidates) if entry.candidates is not None else [0x1FF] * 81
    for cell, digit in entry.deleted:
        masks[cell] &= ~(1 << (digit - 1))
    return Position.from_marks(masks, placed, entry.givens)


def members(step: Step) -> Answer:
    """A step as JSON members: candidates are [cell 0..80, digit]."""
    return {
        "technique": step.technique,
        "placements": sorted([cell, digit] for cell, digit in step.placements),
        "eliminations": sorted([cell, digit] for cell, digit in step.eliminations),
        "text": sentence(step),
    }


def sentence(step: Step) -> str:
    """One line: the technique, where it stands, and what follows."""
    name = step.technique.replace("_", " ").capitalize()
    return f"{name}: {_pattern(step)} => {_effects(step)}"


def _effects(step: Step) -> str:
    parts = [f"{cell_name(cell)} = {digit}" for cell, digit in sorted(step.placements)]
    by_cell: dict[int, list[int]] = defaultdict(list)
    for cell, digit in sorted(step.eliminations):
        by_cell[cell].append(digit)
    parts += [f"{cell_name(cell)} <> {_digits(digits)}" for cell, digits in by_cell.items()]
    return ", ".join(parts)


def _digits(digits: Iterable[int]) -> str:
    return ",".join(map(str, digits))


def _pattern(step: Step) -> str:
    if step.links:
        return " | ".join(_branches(step))
    roles: dict[int, list[str]] = defaultdict(list)
    for fact in step.cells:
        roles[fact.role].append(f"{cell_name(fact.cell)}({_digits(fact.digits)})")
    parts = [
        f"{'' if role == Role.PATTERN else _role_name(role) + ' '}{' '.join(cells)}"
        for role, cells in roles.items()
    ]
    bases = [
        f"{_digits(fact.digits)} in {house_name(fact.house)}"
        for fact in step.houses
        if fact.role is HouseRole.BASE
    ]
    others = [house_name(fact.house) for fact in step.houses if fact.role is not HouseRole.BASE]
    if bases:
        parts.append(" and ".join(bases))
    if others:
        parts.append("with " + ", ".join(others))
    return ", ".join(parts)


def _role_name(role: int) -> str:
    if role >= Role.ALS:
        return f"set {chr(ord('A') + role - Role.ALS)}"
    return Role(role).name.lower().replace("_", " ")


def _branches(step: Step) -> list[str]:
    """The links, a branch a string: 'r1c1=2 -> r1c4≠2 -> r1c4=5'."""
    branches: list[str] = []
    shown: set[int] = set()
    for link in step.links:
        if link.cause == ASSUMED:
            branches.append(_literal(link.target))
            shown = {link.target}
        elif link.target not in shown:
            branches[-1] += f" {_arrow(step, link)} {_literal(link.target)}"
            shown.add(link.target)
    return branches


def _arrow(step: Step, link: Link) -> str:
    if BY_LEMMA <= link.cause < BY_ALS:
        return f"-> [{step.lemmas[link.cause - BY_LEMMA].technique.replace('_', ' ')}]"
    return "->"


def _literal(literal: int) -> str:
    node, sign = literal // 2, "=" if literal & 1 else "<>"
    if node < CANDIDATE_NODES:
        return f"{cell_name(node // 9)}{sign}{node % 9 + 1}"
    digit, segment = (node - CANDIDATE_NODES) // 54 + 1, (node - CANDIDATE_NODES) % 54
    cells = SEGMENTS[segment].tolist()
    first, last = cells[0], cells[-1]
    if segment < 27:
        return f"r{first // 9 + 1}c{first % 9 + 1}-{last % 9 + 1}{sign}{digit}"
    return f"r{first // 9 + 1}-{last // 9 + 1}c{first % 9 + 1}{sign}{digit}"
