"""Near misses: positions where a technique seems to apply but doesn't.

Either an exercise gets something back that was found out before: a candidate in a cell or house of the
pattern, or a digit of such a house. Or a position without the technique, from a solution path, would have it
with one candidate less. The restored or extra candidate is the spoiler.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import count
from typing import Final

from ..geometry import HOUSES, HOUSES_OF, PEERS, Candidate
from ..grid import Grid
from ..kernels.rng import seeded
from ..position import Position
from ..steps.branches import Cause
from ..steps.logic import GaveUp, find
from ..steps.step import Step
from ..techniques import TECHNIQUES, HouseRole, Role
from .exercises import Exercise, never, order_of, path_of, plain_puzzles, puzzles_with

MOST_SPOILERS: Final = 6  # candidates or digits restored until the technique applies nowhere
MOST_STEPS: Final = 12  # of the technique in an exercise that is worth trying
STRUCK: Final = 12  # candidates tried in a position
LEAST_LEVEL: Final = 3  # of puzzles without missing singles
# Techniques based on placed digits, which striking candidates can't restore.
NEEDS_DIGIT: Final = frozenset({"full_house", "avoidable_rectangle_1"})
TRIED: Final = 12  # candidates, and digits, tried for a step

# Techniques that nearly every unsolved position has.
ALWAYS_THERE: Final = frozenset(
    {
        "forcing_net_contradiction",
        "forcing_net_verity",
        "double_forcing_chain",
        "dynamic_forcing_chain",
        "dynamic_forcing_chain_plus",
        "nested_forcing_chain",
        "trial",
        "brute_force",
    }
)
WITHOUT: Final = ALWAYS_THERE  # techniques without near misses

Change = tuple[Position, frozenset[Candidate]]


@dataclass(frozen=True, slots=True)
class NearMiss:
    """A position without a step of the technique; it has one as soon as the spoilers are ruled out."""

    technique: str
    position: Position
    spoilers: frozenset[Candidate]
    puzzle: Grid
    seed: int


def near_misses(technique: str, *, seed: int, stop: Callable[[], bool] = never) -> Iterator[NearMiss]:
    """Yield endless near misses, each of another exercise; a seed gives the same ones everywhere.

    stop, KeyError: as for `exercises`. Empty for the techniques WITHOUT any.
    """
    if technique in WITHOUT:
        return
    state = seeded(~seed)  # differs from the exercises' seed, which would give the same puzzles

    def order(count: int) -> list[int]:
        return order_of(count, state)

    met = puzzles_with(technique, seed, stop, least=False)
    plain = plain_puzzles(max(TECHNIQUES[technique].tier, LEAST_LEVEL), state, stop)
    for number in count():
        # Alternate, since each way finds what the other doesn't.
        found: Change | None = None
        puzzle = next(plain)
        if number % 2:
            few = (each for each in next(met) if len(each.steps) <= MOST_STEPS)
            for each in sorted(few, key=lambda one: len(one.steps)):
                found, puzzle = _spoilt(each, order), each.puzzle
                if found is not None:
                    break
        else:
            found = _lacking_one(technique, puzzle, order, stop)
        if found is not None:
            yield NearMiss(technique, *found, puzzle, seed)


def _spoilt(exercise: Exercise, order: Callable[[int], list[int]]) -> Change | None:
    """Return the exercise with enough restored that the technique applies nowhere; None if that takes too
    much.
    """
    position, spoilers = exercise.position, frozenset[Candidate]()
    steps = list(exercise.steps)
    for _ in range(MOST_SPOILERS):
        best: tuple[int, Change, list[Step]] | None = None
        for change, given_back in _changes(position, steps[0], order):
            left = _found(change, exercise.technique)
            if left is not None and (best is None or len(left) < best[0]):
                best = len(left), (change, given_back), left
                if len(left) < len(steps):
                    break
        if best is None or best[0] > len(steps):
            return None
        (position, given_back), steps = best[1], best[2]
        spoilers |= given_back
        if not steps:
            if exercise.technique not in NEEDS_DIGIT and not _found(
                position.changed((), spoilers), exercise.technique
            ):
                return None
            return position, spoilers
    return None


def _lacking_one(
    technique: str, puzzle: Grid, order: Callable[[int], list[int]], stop: Callable[[], bool]
) -> Change | None:
    """Return a position on a puzzle's path where one candidate less would make the technique apply.

    No technique of a lower tier applies there.
    """
    entry, solution = TECHNIQUES[technique], Position.from_grid(puzzle).solution
    assert solution is not None, "a puzzle has one solution"
    for position, tier in path_of(puzzle, stop):
        there = None if tier < (entry.tier_in_box or entry.tier) else _found(position, technique)
        if there is None or there:
            continue
        left = [
            (cell, digit)
            for cell in range(81)
            for digit in position.candidates(cell)
            if digit != solution[cell]
        ]
        for number in order(len(left))[:STRUCK]:
            if _found(position.changed((), {left[number]}), technique):
                return position, frozenset({left[number]})
    return None


def _found(position: Position, technique: str) -> list[Step] | None:
    try:
        return find(position, technique)
    except GaveUp:
        return None


def _changes(position: Position, step: Step, order: Callable[[int], list[int]]) -> Iterator[Change]:
    """Yield what can be restored to spoil a step: candidates, then digits."""
    ruled_out, placed = sorted(_ruled_out(position, step)), sorted(_placed(position, step))
    candidates = [ruled_out[number] for number in order(len(ruled_out))[:TRIED]]
    cells = [placed[number] for number in order(len(placed))[:TRIED]]
    for each in candidates:
        yield _given_back(position, {each}), frozenset({each})
    for cell in cells:
        yield _without(position, cell)


def _ruled_out(position: Position, step: Step) -> set[Candidate]:
    """Return candidates that the digits allow but that were ruled out, in the cells and base houses of a
    step.
    """
    cells, places = {fact.cell for fact in step.cells}, _places(position, step)
    if TECHNIQUES[step.technique].needs_unique and not step.cells_of(Role.CORNER):
        cells = set(range(81))  # a BUG depends on every cell
    spots = {(cell, digit) for cell in cells for digit in range(1, 10)}
    spots |= {(cell, digit) for house, digits in places for cell in HOUSES[house] for digit in digits}
    return {
        (cell, digit)
        for cell, digit in spots - step.eliminations
        if not position.grid[cell]
        and digit not in position.candidates(cell)
        and all(position.grid[peer] != digit for peer in PEERS[cell])
    }


def _places(position: Position, step: Step) -> set[tuple[int, tuple[int, ...]]]:
    """Return the houses 0..26 that a step depends on, each with its digits there."""
    found = {(fact.house, fact.digits) for fact in step.houses if fact.role is HouseRole.BASE}
    for branch in step.branches(position):
        for inference in branch.inferences:
            if inference.cause is Cause.HOUSE and inference.strong and inference.house is not None:
                found.add((inference.house, (inference.result.digit,)))
    return found


def _placed(position: Position, step: Step) -> set[int]:
    """Return cells in the pattern or base houses of a step whose digit was found, not given."""
    houses = {house for house, _ in _places(position, step)}
    houses = houses or {house for cell, _ in step.placements for house in HOUSES_OF[cell]}
    cells = {cell for house in houses for cell in HOUSES[house]} | {fact.cell for fact in step.cells}
    return {cell for cell in cells if position.grid[cell] and not position.givens[cell]}


def _given_back(position: Position, candidates: Iterable[Candidate], without: int | None = None) -> Position:
    """Return the position with candidates restored that no digit sees, and without the digit of a cell."""
    marks = [sum(1 << digit - 1 for digit in position.candidates(cell)) for cell in range(81)]
    for cell, digit in candidates:
        marks[cell] |= 1 << digit - 1
    placed = [0 if cell == without else digit for cell, digit in enumerate(position.grid.digits)]
    return Position.from_marks(marks, Grid.from_digits(placed), position.givens)


def _without(position: Position, cell: int) -> Change:
    """Return the position without the digit of a cell, restoring all candidates that it ruled out.

    All of these except the digit itself are spoilers.
    """
    digit = position.grid[cell]
    back = {(cell, other) for other in range(1, 10)} | {(peer, digit) for peer in PEERS[cell]}
    changed = _given_back(position, back, cell)
    back.remove((cell, digit))
    return changed, frozenset((at, each) for at, each in back if each in changed.candidates(at))
