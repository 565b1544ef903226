"""Near misses: positions where a technique seems to be there and is not.

Either an exercise is taken, and something is given back that was found out before: a candidate in a cell or
house that the pattern rests on, or a digit of such a house. Or a position without the technique is taken, as
met on a path, where a single candidate less would make it. What is given back, or one too many, is what
spoils the pattern.

Of nets and trials nearly every position has some. Theirs are positions where the technique is there, but
does not prove what it would prove with a candidate less.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import count
from typing import Final

from engine.branches import Cause
from engine.generation.exercises import Exercise, never, order_of, path_of, plain_puzzles, puzzles_with
from engine.geometry import HOUSES, HOUSES_OF, PEERS
from engine.grid import Grid
from engine.kernels.rng import seeded
from engine.logic import GaveUp, find
from engine.position import Position
from engine.step import Candidate, Step
from engine.techniques import TECHNIQUES, HouseRole, Role

MOST_SPOILERS: Final = 6  # candidates or digits given back until the technique is gone everywhere
MOST_STEPS: Final = 12  # of the technique in an exercise that is worth trying
STRUCK: Final = 12  # candidates tried in a position
LEAST_LEVEL: Final = 3  # of puzzles where singles are missing
# The techniques that rest on digits found, which striking candidates does not bring back.
NEEDS_DIGIT: Final = frozenset({"full_house", "avoidable_rectangle_1"})
TRIED: Final = 12  # candidates, and digits, tried for a step

# What nearly every open position has, so that a near miss lacks one proof and not all of them.
ALWAYS_THERE: Final = frozenset(
    {
        "forcing_net_contradiction",
        "forcing_net_verity",
        "double_forcing_chain",
        "dynamic_forcing_chain",
        "dynamic_forcing_chain_plus",
        "nested_forcing_chain",
        "trial",
    }
)
# It proves the digit of every cell, whatever else may stand there: nothing is nearly so.
# The others rest on digits placed and on givens, or are met too rarely for a near miss of theirs to be found.
WITHOUT: Final = frozenset({"brute_force", "reverse_bug", "sk_loop", "symmetrical_placement"})

Change = tuple[Position, frozenset[Candidate]]


@dataclass(frozen=True, slots=True)
class NearMiss:
    """A position without a step of the technique; it has one as soon as the spoilers are ruled out.

    Of what is ALWAYS_THERE: a position where no step proves what one does as soon as they are.
    """

    technique: str
    position: Position
    spoilers: frozenset[Candidate]
    puzzle: Grid
    seed: int
    steps: tuple[Step, ...]  # of the technique all the same; none but of what is ALWAYS_THERE


def near_misses(technique: str, *, seed: int, stop: Callable[[], bool] = never) -> Iterator[NearMiss]:
    """An endless stream of near misses, each of another exercise; one seed gives the same one everywhere.

    stop, KeyError: as for `exercises`. Of the techniques WITHOUT any it is empty.
    """
    if technique in WITHOUT:
        return
    state = seeded(~seed)  # not that of the exercises, whose puzzles it would draw again

    def order(count: int) -> list[int]:
        return order_of(count, state)

    met = puzzles_with(technique, seed, stop, least=False)
    plain = plain_puzzles(max(TECHNIQUES[technique].tier, LEAST_LEVEL), state, stop)
    for number in count():
        # By turns, since each way finds what the other does not.
        found: Change | None = None
        puzzle = next(plain)
        if number % 2 and technique not in ALWAYS_THERE:
            few = (each for each in next(met) if len(each.steps) <= MOST_STEPS)
            for each in sorted(few, key=lambda one: len(one.steps)):
                found, puzzle = _spoilt(each, order), each.puzzle
                if found is not None:
                    break
        else:
            found = _lacking_one(technique, puzzle, order, stop)
        if found is not None:
            yield NearMiss(technique, *found, puzzle, seed, tuple(_found(found[0], technique) or ()))


def _spoilt(exercise: Exercise, order: Callable[[int], list[int]]) -> Change | None:
    """The exercise with so much given back that the technique is nowhere; None where that takes too much."""
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
    """A position on the path through a puzzle where one candidate less would make the technique.

    No technique of a lower tier has a step there.
    """
    entry, solution = TECHNIQUES[technique], Position.from_grid(puzzle).solution
    assert solution is not None, "a puzzle has one solution"
    for position, tier in path_of(puzzle, stop):
        there = None if tier < (entry.tier_in_box or entry.tier) else _found(position, technique)
        if there is None or (there and technique not in ALWAYS_THERE):
            continue
        proved = frozenset[Candidate]().union(*(step.placements | step.eliminations for step in there))
        left = [
            (cell, digit)
            for cell in range(81)
            for digit in position.candidates(cell)
            if digit != solution[cell] and (cell, digit) not in proved
        ]
        for number in order(len(left))[:STRUCK]:
            more = _found(position.changed((), {left[number]}), technique) or []
            if any(not step.placements | step.eliminations <= proved for step in more):
                return position, frozenset({left[number]})
    return None


def _found(position: Position, technique: str) -> list[Step] | None:
    try:
        return find(position, technique)
    except GaveUp:
        return None


def _changes(position: Position, step: Step, order: Callable[[int], list[int]]) -> Iterator[Change]:
    """What can be given back to spoil a step: candidates, then digits."""
    ruled_out, placed = sorted(_ruled_out(position, step)), sorted(_placed(position, step))
    candidates = [ruled_out[number] for number in order(len(ruled_out))[:TRIED]]
    cells = [placed[number] for number in order(len(placed))[:TRIED]]
    for each in candidates:
        yield _given_back(position, {each}), frozenset({each})
    for cell in cells:
        yield _without(position, cell)


def _ruled_out(position: Position, step: Step) -> set[Candidate]:
    """Candidates that the digits leave and that are gone, in the cells and base houses of a step."""
    cells, places = {fact.cell for fact in step.cells}, _places(position, step)
    if TECHNIQUES[step.technique].needs_unique and not step.cells_of(Role.CORNER):
        cells = set(range(81))  # a BUG rests on every cell
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
    """The houses 0..26 that a step rests on, each with its digits there."""
    found = {(fact.house, fact.digits) for fact in step.houses if fact.role is HouseRole.BASE}
    for branch in step.branches(position):
        for inference in branch.inferences:
            if inference.cause is Cause.HOUSE and inference.strong and inference.house is not None:
                found.add((inference.house, (inference.result.digit,)))
    return found


def _placed(position: Position, step: Step) -> set[int]:
    """Cells whose digit was found, not given, in the pattern or the base houses of a step."""
    houses = {house for house, _ in _places(position, step)}
    houses = houses or {house for cell, _ in step.placements for house in HOUSES_OF[cell]}
    cells = {cell for house in houses for cell in HOUSES[house]} | {fact.cell for fact in step.cells}
    return {cell for cell in cells if position.grid[cell] and not position.givens[cell]}


def _given_back(position: Position, candidates: Iterable[Candidate], without: int | None = None) -> Position:
    """The position with candidates that no digit sees, and without the digit of a cell."""
    marks = [sum(1 << digit - 1 for digit in position.candidates(cell)) for cell in range(81)]
    for cell, digit in candidates:
        marks[cell] |= 1 << digit - 1
    placed = [0 if cell == without else digit for cell, digit in enumerate(position.grid.digits)]
    return Position.from_marks(marks, Grid.from_digits(placed), position.givens)


def _without(position: Position, cell: int) -> Change:
    """The position without the digit of a cell, all candidates that it ruled out given back.

    All these but the digit itself spoil the pattern.
    """
    digit = position.grid[cell]
    back = {(cell, other) for other in range(1, 10)} | {(peer, digit) for peer in PEERS[cell]}
    changed = _given_back(position, back, cell)
    back.remove((cell, digit))
    return changed, frozenset((at, each) for at, each in back if each in changed.candidates(at))
