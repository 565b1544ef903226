"""Prove a step from its own facts and the position, independent of how it was found.

A pattern is proved by exhaustion. The facts name cells (each takes one of its candidates), base houses (each
named digit has a place there) and, for uniqueness techniques, corners of a deadly pattern (they must not be
left with digits that can be exchanged). The checker assumes the opposite of one effect and tries every way to
fill those cells and houses; the effect is proved if none is left. Nothing else of the position is used, so a
pattern that does not prove its effect by itself fails even if the effect is true. Links are decoded here once
more, not by `Step.branches`, so that a fault there cannot hide one of a search.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from itertools import groupby

from engine.geometry import HOUSES, HOUSES_OF, PEERS, cell_name
from engine.kernels.steps import BY_ALS, BY_LEMMA
from engine.position import Position
from engine.steps.step import Step
from engine.techniques import TECHNIQUES, HouseRole, Role
from engine.techniques.graph import CANDIDATE_NODES, SEGMENTS
from engine.techniques.implications import ASSUMED, BY_CELL

Literal = tuple[int, int]  # cell, digit: "the cell takes the digit"


def faults(position: Position, step: Step) -> list[str]:
    """Return the errors of `step` on `position`; empty if it is proved."""
    found = []
    if not step.placements and not step.eliminations:
        found.append("changes nothing")
    for cell, digit in sorted(step.placements | step.eliminations):
        if digit not in position.candidates(cell):
            found.append(f"{digit} is no candidate of cell {cell}")
    for fact in step.cells:
        if not position.grid[fact.cell] and not set(fact.digits) <= set(position.candidates(fact.cell)):
            found.append(f"the proof names absent candidates: {fact}")
    if found:
        return found
    if step.technique in ("trial", "brute_force"):
        return _prove_trial(position, step)
    prove = _prove_links if step.links else _prove_pattern
    return prove(position, step)


def _prove_trial(position: Position, step: Step) -> list[str]:
    """Prove a placement by trying all other candidates of the cell with the slow reference search."""
    ((cell, digit),) = step.placements
    marks = {other: set(position.candidates(other)) for other in range(81) if not position.grid[other]}
    found = []
    for other in marks[cell] - {digit}:
        if _completion(dict(enumerate(position.grid.digits)), {**marks, cell: {other}}):
            found.append(f"{other} in cell {cell} can be completed")
    return found


def _completion(digits: dict[int, int], marks: dict[int, set[int]]) -> bool:
    """Tell whether the empty cells can be filled from their marks, fewest first."""
    left = {cell: marks[cell] - {digits[peer] for peer in PEERS[cell]} for cell in marks if not digits[cell]}
    if not left:
        return True
    cell = min(left, key=lambda cell: len(left[cell]))
    return any(_completion({**digits, cell: digit}, marks) for digit in left[cell])


def _prove_pattern(position: Position, step: Step) -> list[str]:
    found: list[str] = []
    clauses = _clauses(position, step)
    corners: list[int] = []
    if TECHNIQUES[step.technique].needs_unique:
        corners = list(step.cells_of(Role.CORNER))
        if corners:
            found += _corner_faults(position, corners)
        else:
            guardians = [(fact.cell, d) for fact in step.cells if fact.role == Role.FIN for d in fact.digits]
            found += _bug_faults(position, guardians)
            clauses.append(guardians)
    if found:
        return found
    for cell, digit in sorted(step.eliminations):
        if _fill(position, clauses, [(cell, digit)], corners, sets=_sets(step)):
            found.append(f"the pattern allows {digit} in cell {cell}")
    for cell, digit in sorted(step.placements):
        own = [(cell, candidate) for candidate in position.candidates(cell)]
        if _fill(position, [*clauses, own], [], corners, banned={(cell, digit)}):
            found.append(f"the pattern allows cell {cell} without {digit}")
    return found


def _clauses(position: Position, step: Step) -> list[list[Literal]]:
    """Return clauses of which at least one literal each is true, by the rules and the candidates left."""
    clauses = [
        [(fact.cell, digit) for digit in position.candidates(fact.cell)]
        for fact in step.cells
        if not position.grid[fact.cell]
    ]
    for fact in step.houses:
        if fact.role is HouseRole.BASE:
            cells = HOUSES[fact.house]
            for digit in fact.digits:
                if all(position.grid[cell] != digit for cell in cells):
                    clauses.append([(cell, digit) for cell in cells if digit in position.candidates(cell)])
    return clauses


def _corner_faults(position: Position, corners: list[int]) -> list[str]:
    """Return why the corners could not be swapped: a given among them, or a house met once."""
    found = []
    for corner in corners:
        if position.givens[corner]:
            found.append(f"corner {corner} is a given")
        for house in HOUSES_OF[corner]:
            if sum(house in HOUSES_OF[other] for other in corners) < 2:
                found.append(f"the corners meet house {house} once")
    return found


def _bug_faults(position: Position, guardians: list[Literal]) -> list[str]:
    """Return why the position without the guardians would be no BUG (bivalue universal grave)."""
    left = {
        cell: set(position.candidates(cell)) - {digit for other, digit in guardians if other == cell}
        for cell in range(81)
        if not position.grid[cell]
    }
    found = [f"cell {cell} keeps {digits}" for cell, digits in left.items() if len(digits) != 2]
    for house, cells in enumerate(HOUSES):
        for digit in range(1, 10):
            if sum(digit in left.get(cell, ()) for cell in cells) not in (0, 2):
                found.append(f"{digit} does not stay twice in house {house}")
    return found


def _fill(
    position: Position,
    clauses: list[list[Literal]],
    true: list[Literal],
    corners: list[int],
    banned: Iterable[Literal] = (),
    sets: Iterable[tuple[int, ...]] = (),
) -> bool:
    """Tell whether the clauses can all be met with `true` set and without the banned literals.

    The cells of `sets` are filled set by set first: a chain of almost locked sets has too many fillings.
    """
    chosen = dict(true)
    excluded = set(banned) | {(peer, digit) for cell, digit in true for peer in PEERS[cell]}
    if not _narrow(position, [cells for cells in sets if not set(cells) & set(chosen)], excluded):
        return False

    def allowed(cell: int, digit: int) -> bool:
        if (cell, digit) in excluded or chosen.get(cell, digit) != digit:
            return False
        return all(chosen.get(peer) != digit for peer in PEERS[cell])

    def search() -> bool:
        open_clauses = []
        for clause in clauses:
            if any(chosen.get(cell) == digit for cell, digit in clause):
                continue
            options = [(cell, digit) for cell, digit in clause if allowed(cell, digit)]
            if not options:
                return False
            open_clauses.append(options)
        if not open_clauses:
            return not corners or not _is_deadly(position, corners, chosen)
        for cell, digit in min(open_clauses, key=len):
            chosen[cell] = digit
            if search():
                return True
            del chosen[cell]
        return False

    return search()


def _sets(step: Step) -> list[tuple[int, ...]]:
    """Return the cells of each almost locked set of the step."""
    return [step.cells_of(role) for role in sorted({fact.role for fact in step.cells}) if role >= Role.ALS]


def _narrow(position: Position, sets: list[tuple[int, ...]], excluded: set[Literal]) -> bool:
    """Exclude candidates that no filling of a set has or that every filling sees; False if a set has no
    filling.
    """
    known = -1
    while known < len(excluded):
        known = len(excluded)
        for cells in sets:
            fillings = list(_fillings(position, cells, excluded, {}))
            if not fillings:
                return False
            found = {literal for filling in fillings for literal in filling.items()}
            excluded |= {(cell, digit) for cell in cells for digit in position.candidates(cell)} - found
            for digit in range(1, 10):
                if all(digit in filling.values() for filling in fillings):
                    homes = [cell for cell, other in found if other == digit]
                    peers = set.intersection(*(set(PEERS[cell]) for cell in homes))
                    excluded |= {(peer, digit) for peer in peers}
    return True


def _fillings(
    position: Position, cells: tuple[int, ...], excluded: set[Literal], filled: dict[int, int]
) -> Iterator[dict[int, int]]:
    """Yield every way to give the cells, which all see each other, candidates that are not excluded."""
    if len(filled) == len(cells):
        yield dict(filled)
        return
    cell = cells[len(filled)]
    for digit in position.candidates(cell):
        if (cell, digit) not in excluded and digit not in filled.values():
            filled[cell] = digit
            yield from _fillings(position, cells, excluded, filled)
            del filled[cell]


def _is_deadly(position: Position, corners: list[int], chosen: dict[int, int]) -> bool:
    """Tell whether the corners can be filled in another way with the same digits in each house."""
    digits = {corner: chosen.get(corner) or position.grid[corner] for corner in corners}
    if not all(digits.values()):
        return False
    left: dict[tuple[int, int], int] = defaultdict(int)  # how often a house needs a digit
    for corner, digit in digits.items():
        for house in HOUSES_OF[corner]:
            left[house, digit] += 1
    return _swapped(corners, digits, left, changed=False)


def _swapped(
    corners: list[int], digits: dict[int, int], left: dict[tuple[int, int], int], *, changed: bool
) -> bool:
    """Tell whether the corners, one after another, can take the digits their houses need, one of them
    changed.
    """
    if not corners:
        return changed
    corner, *others = corners
    for digit in {*digits.values()}:
        needs = [(house, digit) for house in HOUSES_OF[corner]]
        if all(left[need] for need in needs):
            for need in needs:
                left[need] -= 1
            if _swapped(others, digits, left, changed=changed or digit != digits[corner]):
                return True
            for need in needs:
                left[need] += 1
    return False


def _prove_links(position: Position, step: Step) -> list[str]:
    """Prove a step by its chains: links hold, the branches are exhaustive, each leads to the effect."""
    found: list[str] = []
    branches: list[list[int]] = []  # the literals of each branch, its assumption first
    for (target, cause), links in groupby(step.links, key=lambda link: (link.target, link.cause)):
        sources = [link.source for link in links]
        if cause == ASSUMED:
            branches.append([target])
            continue
        for source in sources:
            if source not in branches[-1]:
                found.append(f"{_name(source)} is used before it is derived")
        if not _follows(position, step, sources, target, cause):
            found.append(f"{[_name(source) for source in sources]} do not imply {_name(target)}")
        branches[-1].append(target)
    open_branches = [branch for branch in branches if not any(literal ^ 1 in branch for literal in branch)]
    if step.cells_of(Role.FIN):
        return found + _fish_faults(position, step, branches)
    if not _exhaustive(position, [branch[0] for branch in branches]):
        # A single assumption that contradicts itself is refuted; its opposite is what remains.
        refuted = [branch[0] ^ 1 for branch in branches if branch not in open_branches]
        if len(branches) != 1 or not refuted:
            return [*found, "the branches leave a way out"]
        open_branches = [refuted]
    for cell, digit in sorted(step.eliminations):
        if not all(_excludes(position, branch, cell, digit) for branch in open_branches):
            found.append(f"a branch allows {digit} in cell {cell}")
    for cell, digit in sorted(step.placements):
        if not all(_literal(cell, digit) in branch for branch in open_branches):
            found.append(f"a branch does not place {digit} in cell {cell}")
    return found


def _fish_faults(position: Position, step: Step, branches: list[list[int]]) -> list[str]:
    """Return why the base houses could be filled beside an effect, without the fins that rule it out."""
    clauses = _clauses(position, step)
    found = [f"a chain places {digit} in cell {cell}" for cell, digit in sorted(step.placements)]
    for cell, digit in sorted(step.eliminations):
        starts = [branch[0] for branch in branches if _excludes(position, branch, cell, digit)]
        fins = {literal for start in starts if start & 1 for literal in _members(position, start)[0]}
        if _fill(position, clauses, [(cell, digit)], [], banned=fins):
            found.append(f"the fish allows {digit} in cell {cell}")
    return found


def _literal(cell: int, digit: int, on: bool = True) -> int:
    return 2 * (9 * cell + digit - 1) + on


def _members(position: Position, literal: int) -> tuple[frozenset[Literal], bool]:
    """Return the candidates of a literal, several for a group, and whether one of them is true or all are
    false.
    """
    node, on = literal // 2, bool(literal & 1)
    if node < CANDIDATE_NODES:
        return frozenset({(node // 9, node % 9 + 1)}), on
    digit, segment = (node - CANDIDATE_NODES) // 54 + 1, (node - CANDIDATE_NODES) % 54
    cells = [cell for cell in SEGMENTS[segment].tolist() if digit in position.candidates(cell)]
    return frozenset((cell, digit) for cell in cells), on


def _name(literal: int) -> str:
    node = literal // 2
    if node >= CANDIDATE_NODES:
        return f"group {node - CANDIDATE_NODES}{'=' if literal & 1 else '≠'}"
    return f"{cell_name(node // 9)}{'=' if literal & 1 else '≠'}{node % 9 + 1}"


def _follows(position: Position, step: Step, sources: list[int], target: int, cause: int) -> bool:
    """Tell whether the sources together imply the target for the cause stated."""
    members, on = _members(position, target)
    parts = [_members(position, source) for source in sources]
    if cause >= BY_ALS:
        return _by_set(position, step.cells_of(Role.ALS + cause - BY_ALS), parts, members, on=on)
    if cause >= BY_LEMMA:
        return not on and _lemma_holds(position, step.lemmas[cause - BY_LEMMA], parts, members)
    ((cell, digit), *_) = members
    if on:
        gone = {candidate for candidates, source_on in parts if not source_on for candidate in candidates}
        if cause == BY_CELL:
            clause = {(cell, other) for other in position.candidates(cell)}
        else:
            clause = {(other, digit) for other in HOUSES[cause] if digit in position.candidates(other)}
        return bool(members & clause) and clause - gone <= members
    return any(source_on and _clash(source, members, cause) for source, source_on in parts)


def _by_set(
    position: Position,
    cells: tuple[int, ...],
    sources: list[tuple[frozenset[Literal], bool]],
    target: frozenset[Literal],
    *,
    on: bool,
) -> bool:
    """Tell whether the cells of an almost locked set cannot be filled without the sources and the target.

    Or, if the target is to be off, with one of each true.
    """
    clauses = [[(cell, digit) for digit in position.candidates(cell)] for cell in cells]
    if on:
        gone = {candidate for source, source_on in sources if not source_on for candidate in source}
        return bool(cells) and not _fill(position, clauses, [], [], banned=gone | target)
    return bool(cells) and all(
        source_on and (one[0] == other[0] or not _fill(position, clauses, [one, other], []))
        for source, source_on in sources
        for one in source
        for other in target
    )


def _clash(source: frozenset[Literal], target: frozenset[Literal], cause: int) -> bool:
    """Tell whether, in one cell or house, no candidate of the target can be true beside one of the source."""
    for cell, digit in source:
        for other, other_digit in target:
            if cause == BY_CELL and (cell != other or digit == other_digit):
                return False
            if cause != BY_CELL and (
                digit != other_digit or cell == other or not {cell, other} <= set(HOUSES[cause])
            ):
                return False
    return True


def _lemma_holds(
    position: Position,
    lemma: Step,
    sources: list[tuple[frozenset[Literal], bool]],
    effect: frozenset[Literal],
) -> bool:
    """Tell whether the lemma is proved, and has the effect, once the sources' candidates are removed."""
    gone = [candidate for candidates, on in sources for candidate in candidates if not on]
    placed = {(cell, other) for cell, digit in lemma.placements for other in range(1, 10) if other != digit}
    return effect <= lemma.eliminations | placed and not faults(position.changed([], gone), lemma)


def _exhaustive(position: Position, assumptions: list[int]) -> bool:
    """Tell whether one of the assumptions must be true."""
    literals = set(assumptions)
    if any(literal ^ 1 in literals for literal in literals):
        return True
    true = {(literal // 18, literal // 2 % 9 + 1) for literal in literals if literal & 1}
    cells = [{(cell, digit) for digit in position.candidates(cell)} for cell in range(81)]
    houses = [
        {(cell, digit) for cell in house if digit in position.candidates(cell)}
        for house in HOUSES
        for digit in range(1, 10)
    ]
    return any(clause and clause <= true for clause in cells + houses)


def _excludes(position: Position, branch: list[int], cell: int, digit: int) -> bool:
    """Tell whether a literal of the branch rules the candidate out."""
    for literal in branch:
        members, on = _members(position, literal)
        if on and all(
            other == cell if other_digit != digit else other in PEERS[cell] for other, other_digit in members
        ):
            return True
        if not on and (cell, digit) in members:
            return True
    return False
