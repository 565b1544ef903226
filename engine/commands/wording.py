"""Steps in plain English, one line each, for the command line. The site has its own texts."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from enum import IntEnum
from typing import Any, Final

from ..arguments import flag, instance, step_as_found
from ..errors import PuzzleFormatError
from ..formats import Entry
from ..geometry import cell_name, house_name
from ..position import Position
from ..steps.branches import Claim, DisplayedBranch, Inference, displayed
from ..steps.step import PatternHouse, Step
from ..techniques import TECHNIQUES, HouseRole, Role, Trait
from ..verdicts import Verdict
from .command import Answer

LONGEST: Final = 900  # characters of a step, unless all of it is requested


class Much(IntEnum):
    """How much of a proof is written; each level includes less than the one before."""

    ALL = 0
    LEMMAS_NAMED = 1  # a lemma by its technique alone
    ENDS = 2  # a branch by its assumption and its conclusion
    CELLS = 3  # a pattern without its houses


COLOURS: Final[dict[int, str]] = {
    Role.COLOUR_A: "A",
    Role.COLOUR_B: "B",
    Role.COLOUR_C: "C",
    Role.COLOUR_D: "D",
}


def puzzle(entry: Entry, position: Position) -> str:
    """Return the givens; for a Sukaku, whose candidates are the puzzle, its 729 characters."""
    return position.pencilmarks() if is_sukaku(entry, position) else str(entry.givens)


def is_sukaku(entry: Entry, position: Position) -> bool:
    """Whether the givens leave several solutions, and the text has placed digits or struck candidates."""
    more = entry.candidates is not None or bool(entry.deleted) or entry.placed is not None
    return more and position.verdict is Verdict.MULTIPLE


def no_sukaku(entry: Entry, reason: str) -> PuzzleFormatError:
    """Return the error of an entry whose candidates would be lost."""
    found = "expected givens with one solution, found a Sukaku: %(reason)s"
    return PuzzleFormatError(found, line=entry.line, reason=reason)


def wrong(position: Position) -> Answer:
    """Return the member "wrong", with candidates as in `members`; empty if nothing is wrong."""
    found = sorted([cell, digit] for cell, digit in position.wrong())
    return {"wrong": found} if found else {}


def headline(answer: Answer, *remarks: str) -> str:
    """Return the puzzle, the remarks, and what is wrong with the position."""
    found = [f"{cell_name(cell)}({digit})" for cell, digit in answer.get("wrong", ())]
    words = [*remarks, *(["wrong: " + " ".join(found)] if found else [])]
    return f"{answer['puzzle']} # {', '.join(words)}" if words else str(answer["puzzle"])


def members(step: Step, *, whole: bool = False) -> Answer:
    """Return a step as JSON members: candidates are [cell 0..80, digit]."""
    return {
        "technique": step.technique,
        "placements": sorted([cell, digit] for cell, digit in step.placements),
        "eliminations": sorted([cell, digit] for cell, digit in step.eliminations),
        "text": sentence(step, whole=whole),
    }


def facts(step: Step, position: Position) -> Answer:
    """Return a step's proof as JSON: the members "cells", "houses" and "links".

    A cell has a role, from `engine.Role` or 'set A', and its relevant candidates. A link is one inference:
    each claim is [cells, digit, whether it is true]; "branch" is the assumption it depends on.
    """
    return {
        "cells": [
            {"cell": fact.cell, "role": _role_key(fact.role), "digits": list(fact.digits)}
            for fact in step.cells
        ],
        "houses": [
            {"house": str(fact), "role": fact.role.name.lower(), "digits": list(fact.digits)}
            for fact in step.houses
        ],
        "links": [
            {
                "branch": number,
                "from": [_told(claim) for claim in inference.premises],
                "to": _told(inference.result),
                "by": inference.cause.value,
            }
            for number, branch in enumerate(step.branches(position), 1)
            for inference in branch.inferences
        ],
    }


def _told(claim: Claim) -> list[Any]:
    return [list(claim.cells), claim.digit, claim.on]


def _role_key(role: int) -> str:
    return f"set {chr(ord('A') + role - Role.ALS)}" if role >= Role.ALS else Role(role).name.lower()


def sentence(step: Step, *, whole: bool = False) -> str:
    """Return one line: the technique, where it is, and what follows.

    A proof of more than some 900 characters only names its lemmas. If that isn't short enough, each branch is
    reduced to its assumption and its end, and a pattern to its cells. `whole` includes everything.

    >>> from engine import Position, next_step, parse, sentence
    >>> text = "...7..12.........4.8316...5..2..6.37..9...8..36.8..4..1...4956.5.........34..8..."
    >>> position = Position.from_grid(parse(text))
    >>> sentence(next_step(position))
    'Hidden Single: r4c1(8), 8 in box 4 => r4c1 = 8'
    """
    instance("step", step, Step)
    flag("whole", whole)
    with step_as_found():
        text = told_as(step, Much.ALL)
        for less in () if whole else Much:
            if len(text) > LONGEST:
                text = told_as(step, less)
        return text


def told_as(step: Step, much: Much) -> str:
    """Return a step's line with this much of its proof."""
    return f"{_proof(step, much)} => {_effects(step)}"


def _proof(step: Step, much: Much) -> str:
    clauses = [part for part in (_pattern(step, much), _chains(step, much)) if part]
    return f"{TECHNIQUES[step.technique].name}: {'; '.join(clauses)}"


def _effects(step: Step) -> str:
    parts = [f"{cell_name(cell)} = {digit}" for cell, digit in sorted(step.placements)]
    by_cell: dict[int, list[int]] = defaultdict(list)
    for cell, digit in sorted(step.eliminations):
        by_cell[cell].append(digit)
    parts += [f"{cell_name(cell)} <> {_digits(digits)}" for cell, digits in by_cell.items()]
    return ", ".join(parts)


def _digits(digits: Iterable[int]) -> str:
    return ",".join(map(str, digits))


def _pattern(step: Step, much: Much) -> str:
    """Format the cells and houses of the proof, each once per role."""
    roles: dict[int, dict[int, set[int]]] = defaultdict(lambda: defaultdict(set))
    for fact in step.cells:
        roles[fact.role][fact.cell].update(fact.digits)
    parts = [
        _role_name(role, len(cells))
        + " ".join(f"{cell_name(cell)}({_digits(sorted(digits))})" for cell, digits in cells.items())
        for role, cells in roles.items()
    ]
    for role in HouseRole if much < Much.CELLS else ():
        facts = [fact for fact in step.houses if fact.role is role]
        if facts:
            parts.append(_places(step, role, facts))
    if Trait.REFUTES in TECHNIQUES[step.technique].traits:
        parts.append(_refuted(step))
    return ", ".join(parts)


def _role_name(role: int, count: int) -> str:
    if role == Role.PATTERN:
        return ""
    if role >= Role.ALS:
        return f"set {chr(ord('A') + role - Role.ALS)} "
    if role in COLOURS:
        return f"color {COLOURS[role]} "
    name = Role(role).name.lower().replace("_", " ")
    return f"{name}{'s' if count > 1 else ''} "


def _places(step: Step, role: HouseRole, facts: list[PatternHouse]) -> str:
    """Format the houses of one role: '4 in row 2 and row 7', 'with column 1 and column 9'."""
    if role is HouseRole.COVER:
        return "with " + " and ".join(dict.fromkeys(map(str, facts)))
    # In the order of the sets they link.
    if role is HouseRole.SHOWN and Trait.SETS_IN_A_ROW in TECHNIQUES[step.technique].traits:
        commons = [f"{_digits(fact.digits)} in {fact}" for fact in facts]
        return f"restricted common{'s' if len(facts) > 1 else ''} {', '.join(commons)}"
    houses: dict[tuple[int, ...], dict[str, None]] = defaultdict(dict)
    for fact in facts:
        houses[fact.digits][str(fact)] = None
    where = "in" if role is HouseRole.BASE else "within"
    return ", ".join(f"{_digits(digits)} {where} {' and '.join(names)}" for digits, names in houses.items())


def _refuted(step: Step) -> str:
    """Format the refuted digits of a trial's cell."""
    tried = sorted({digit for fact in step.cells for digit in fact.digits} - {d for _, d in step.placements})
    if len(tried) == 1:
        return f"where {tried[0]} leads to a contradiction"
    return f"where each of {_digits(tried)} leads to a contradiction"


def _chains(step: Step, much: Much) -> str:
    """Format the branches with ' | ' between them: 'r1c1=2 -> r1c4<>2 -> r1c4=5 | r1c1<>2 -> r1c3=2'."""
    branches = displayed(step.branches())
    reasons = _Reasons(step, branches, much)
    texts = [
        (_ends(each) if much >= Much.ENDS else _links(each, reasons))
        + _clash(each)
        + (", then as before" if each.as_before else "")
        for each in branches
    ]
    named = dict.fromkeys(TECHNIQUES[lemma.technique].name for lemma in step.lemmas)
    return " | ".join(texts) + ("; needs " + ", ".join(named) if named and much >= Much.ENDS else "")


def _ends(branch: DisplayedBranch) -> str:
    """Format the assumption, the number of steps and the last consequence: 'r1c1=2 -> (31 more) ->
    r1c4=5'.
    """
    claims = [_claim(branch.assumption), *(_claim(each.result) for each in branch.inferences)]
    return " -> ".join(claims if len(claims) < 4 else [claims[0], f"({len(claims) - 2} more)", claims[-1]])


def _clash(branch: DisplayedBranch) -> str:
    if branch.clash is None:
        return ""
    on, off = sorted(branch.clash, key=lambda claim: not claim.on)
    return f", a contradiction: {_claim(on)} and {_claim(off)}"


def _links(branch: DisplayedBranch, reasons: _Reasons) -> str:
    """Format an assumption and its consequences as long chains; other premises start a new clause."""
    text = _claim(branch.assumption)
    last: tuple[Claim, ...] = (branch.assumption,)
    for together in _as_chains(branch.assumption, branch.inferences):
        first = together[0]
        if first.premises != last:
            text += "; " + " and ".join(map(_claim, first.premises))
        results = [_claim(each.result) for each in together]
        text += f" -> {reasons.of(first)}{' and '.join(results)}"
        if branch.net and first.result.on and first.house is not None:
            text += f" in {house_name(first.house)}"
        last = tuple(each.result for each in together)
    return text


def _as_chains(assumption: Claim, inferences: Iterable[Inference]) -> Iterator[list[Inference]]:
    """Reorder the inferences so that each continues the last one if possible; premises stay in front.

    Inferences from one lemma and the same premises stay together.
    """
    waiting = list(inferences)
    last: tuple[Claim, ...] = (assumption,)
    while waiting:
        first = next((each for each in waiting if each.premises == last), waiting[0])
        alike = (
            [each for each in waiting if _key(each) == _key(first)] if first.lemma is not None else [first]
        )
        waiting = [each for each in waiting if each not in alike]
        yield alike
        last = tuple(each.result for each in alike)


def _key(inference: Inference) -> tuple[int | None, frozenset[Claim]]:
    return inference.lemma, frozenset(inference.premises)


class _Reasons:
    """The lemmas and sets behind inferences; a lemma is proved once, then referenced by number."""

    def __init__(self, step: Step, branches: Iterable[DisplayedBranch], much: Much) -> None:
        self._step = step
        self._much = much
        keys = [key for branch in branches for key in set(map(_key, branch.inferences))]
        uses = Counter(lemma for lemma, _ in keys if lemma is not None)
        several = [lemma for lemma, count in sorted(uses.items()) if count > 1]
        self._numbers = {lemma: number for number, lemma in enumerate(several, 1)}
        self._told: set[int] = set()

    def of(self, inference: Inference) -> str:
        """Return the lemma or set, such as '[set A] ' or '[1: Naked Pair: ...] '; '' for a cell or a
        house.
        """
        if inference.als is not None:
            return f"[set {chr(ord('A') + inference.als)}] "
        if inference.lemma is None:
            return ""
        lemma = self._step.lemmas[inference.lemma]
        if self._much is not Much.ALL:
            return f"[{TECHNIQUES[lemma.technique].name}] "
        number = self._numbers.get(inference.lemma)
        if number is not None and inference.lemma in self._told:
            return f"[{number}] "
        self._told.add(inference.lemma)
        label = "" if number is None else f"{number}: "
        return f"[{label}{_proof(lemma, self._much)}] "


def _claim(claim: Claim) -> str:
    """Format a claim: 'r1c4=2', 'r1c4<>2'; for a group 'r1c4-6=2'."""
    sign = "=" if claim.on else "<>"
    first, last = claim.cells[0], claim.cells[-1]
    if first == last:
        return f"{cell_name(first)}{sign}{claim.digit}"
    rows, columns = (
        f"{low + 1}-{high + 1}" if low < high else f"{low + 1}"
        for low, high in ((first // 9, last // 9), (first % 9, last % 9))
    )
    return f"r{rows}c{columns}{sign}{claim.digit}"
