"""Steps in plain English, one line each, for the command line. The site words its steps itself."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import groupby

from engine.commands.command import Answer
from engine.commands.names import technique_name
from engine.formats import Entry
from engine.geometry import cell_name
from engine.kernels.steps import BY_ALS, BY_LEMMA
from engine.position import Position
from engine.step import PatternHouse, Step
from engine.techniques.entry import HouseRole, Role
from engine.techniques.graph import CANDIDATE_NODES, SEGMENTS
from engine.techniques.implications import ASSUMED

Inference = tuple[tuple[int, ...], int, int]  # the literals it comes from, the one that follows, the cause


def position_of(entry: Entry) -> Position:
    """The position an entry stands for, its own candidates and struck ones included."""
    placed = entry.standing
    masks = list(entry.candidates) if entry.candidates is not None else [0x1FF] * 81
    for cell, digit in entry.deleted:
        masks[cell] &= ~(1 << (digit - 1))
    return Position.from_marks(masks, placed, entry.givens)


def wrong(position: Position) -> Answer:
    """The member "wrong", candidates as in `members`; no member where nothing is wrong."""
    found = sorted([cell, digit] for cell, digit in position.wrong())
    return {"wrong": found} if found else {}


def headline(answer: Answer, *remarks: str) -> str:
    """The puzzle, the remarks, and what is wrong with the position."""
    found = [f"{cell_name(cell)}({digit})" for cell, digit in answer.get("wrong", ())]
    words = [*remarks, *(["wrong: " + " ".join(found)] if found else [])]
    return f"{answer['puzzle']} # {', '.join(words)}" if words else str(answer["puzzle"])


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
    return f"{_proof(step)} => {_effects(step)}"


def _proof(step: Step) -> str:
    clauses = [part for part in (_pattern(step), _chains(step)) if part]
    return f"{technique_name(step.technique)}: {'; '.join(clauses)}"


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
    """The cells and houses of the proof, each once for each part it plays."""
    roles: dict[int, dict[int, set[int]]] = defaultdict(lambda: defaultdict(set))
    for fact in step.cells:
        roles[fact.role][fact.cell].update(fact.digits)
    parts = [
        _role_name(role, len(cells))
        + " ".join(f"{cell_name(cell)}({_digits(sorted(digits))})" for cell, digits in cells.items())
        for role, cells in roles.items()
    ]
    for role in HouseRole:
        facts = [fact for fact in step.houses if fact.role is role]
        if facts:
            parts.append(_places(step, role, facts))
    if step.technique in ("trial", "brute_force"):
        parts.append(_refuted(step))
    return ", ".join(parts)


def _role_name(role: int, count: int) -> str:
    if role == Role.PATTERN:
        return ""
    if role >= Role.ALS:
        return f"set {chr(ord('A') + role - Role.ALS)} "
    name = Role(role).name.lower().replace("_", " ")
    if name.startswith("colour"):
        return f"colour {name[-1].upper()} "
    return f"{name}{'s' if count > 1 else ''} "


def _places(step: Step, role: HouseRole, facts: list[PatternHouse]) -> str:
    """The houses of one role: '4 in row 2 and row 7', 'with column 1 and column 9'."""
    if role is HouseRole.COVER:
        return "with " + " and ".join(dict.fromkeys(map(str, facts)))
    if role is HouseRole.SHOWN and step.technique.startswith("als_"):  # in the order of the sets they link
        commons = [f"{_digits(fact.digits)} in {fact}" for fact in facts]
        return f"restricted common{'s' if len(facts) > 1 else ''} {', '.join(commons)}"
    houses: dict[tuple[int, ...], dict[str, None]] = defaultdict(dict)
    for fact in facts:
        houses[fact.digits][str(fact)] = None
    where = "in" if role is HouseRole.BASE else "within"
    return ", ".join(f"{_digits(digits)} {where} {' and '.join(names)}" for digits, names in houses.items())


def _refuted(step: Step) -> str:
    """Why a trial holds: the digits of its cell that were tried in vain."""
    tried = sorted({digit for fact in step.cells for digit in fact.digits} - {d for _, d in step.placements})
    if len(tried) == 1:
        return f"where {tried[0]} ends in a contradiction"
    return f"where each of {_digits(tried)} ends in a contradiction"


def _chains(step: Step) -> str:
    """The links, ' | ' between the branches: 'r1c1=2 -> r1c4<>2 -> r1c4=5 | r1c1<>2 -> r1c3=2'."""
    branches: list[tuple[int, list[Inference]]] = []
    for (target, cause), links in groupby(step.links, key=lambda link: (link.target, link.cause)):
        if cause == ASSUMED:
            branches.append((target, []))
        else:
            branches[-1][1].append((tuple(link.source for link in links), target, cause))
    return " | ".join(_branch(step, *branch) for branch in branches)


def _branch(step: Step, assumption: int, inferences: list[Inference]) -> str:
    """An assumption and all that follows, in long chains; what comes from elsewhere begins a clause."""
    text = _literal(assumption)
    last = assumption
    for sources, target, cause in _as_chains(assumption, inferences):
        if sources != (last,):
            text += "; " + " and ".join(map(_literal, sources))
        text += f" -> {_reason(step, cause)}{_literal(target)}"
        last = target
    found = {assumption, *(target for _, target, _ in inferences)}
    for literal in found:
        if literal & 1 and literal ^ 1 in found:
            return f"{text}, a contradiction: {_literal(literal)} and {_literal(literal ^ 1)}"
    return text


def _as_chains(assumption: int, inferences: list[Inference]) -> Iterator[Inference]:
    """The inferences with each that goes on from the last one moved up; none before what it comes from."""
    waiting = list(inferences)
    last = assumption
    while waiting:
        following = next((each for each in waiting if each[0] == (last,)), waiting[0])
        waiting.remove(following)
        yield following
        last = following[1]


def _reason(step: Step, cause: int) -> str:
    """What an inference rests on besides a cell or house, which its literals show: '[set A] '."""
    if cause >= BY_ALS:
        return f"[set {chr(ord('A') + cause - BY_ALS)}] "
    if cause >= BY_LEMMA:
        return f"[{_proof(step.lemmas[cause - BY_LEMMA])}] "
    return ""


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
