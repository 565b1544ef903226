"""Exercises: positions of real puzzles where a technique is the least next step, and near misses of it.

A puzzle with one solution is solved by logic until the technique is there and nothing of a lower tier is.
Where others of its own tier go before it, those of their steps are made first that leave it there. What is
met once in hundreds of puzzles is kept in `met_rarely.txt`, and turned and renamed so that no two positions
look alike.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engine.formats import parse
from engine.generation.generate import generate
from engine.generation.recipe import Recipe
from engine.generation.symmetry import ANY
from engine.generation.to_order import OutOfTime, logic_up_to
from engine.generation.transform import random_transformation
from engine.grid import Grid
from engine.kernels.rng import below, seeded, shuffle
from engine.logic import GaveUp, easiest_steps, find, next_step
from engine.position import Position
from engine.rating.walk import LOG_KEY
from engine.step import Step
from engine.techniques import TECHNIQUES, Trait
from engine.techniques.entry import HARDEST_TIER
from engine.techniques.keys import KEYS, NUMBER
from engine.transformation import Transformation

State = NDArray[np.uint64]

MET_RARELY: Final = Path(__file__).with_name("met_rarely.txt")
DETOURS: Final = 12  # steps of other techniques made on a path so that the one wanted becomes the least
EASY_TO_MAKE: Final = 2  # levels whose puzzles nothing else comes near
TRIED: Final = 4  # steps tried for each of them
# What others of its tier nearly always go before: an exercise need not be the least step.
SELDOM_LEAST: Final = frozenset(
    {
        "direct_claiming",
        "locked_triple",
        "direct_hidden_triple",
        "naked_quad",
        "hidden_quad",
        "dual_two_string_kite",
        "dual_empty_rectangle",
        "remote_pair",
        "simple_colouring_wrap",
        "finned_x_wing",
        "sashimi_x_wing",
        "jellyfish",
        "finned_jellyfish",
        "sashimi_jellyfish",
        "bug_plus_n",
        "multi_colouring_1",
        "multi_colouring_2",
        "strong_links_4",
        "vwxyz_wing",
        "broken_wing",
        *KEYS[NUMBER["discontinuous_nice_loop"] :],
    }
    - {"grouped_aic", "als_xy_chain", "death_blossom"}
)
# What those of lower tiers always go before.
OUTDONE_FROM: Final = 3
OUTDONE: Final = frozenset({"franken_x_wing", "finned_franken_x_wing", "finned_mutant_x_wing", "reverse_bug"})


def never() -> bool:
    """The stop of those who can wait."""
    return False


@dataclass(frozen=True, slots=True)
class Exercise:
    """A position to find a technique in: reached by logic, no technique of a lower tier has a step there."""

    technique: str
    position: Position
    steps: tuple[Step, ...]  # all of the technique, as `find` gives them
    least: bool  # it is what `next_step` gives: nothing goes before it in the order of TECHNIQUES
    others: int  # how many other techniques of its tier a path would look at there
    puzzle: Grid
    seed: int


def exercises(technique: str, *, seed: int, stop: Callable[[], bool] = never) -> Iterator[Exercise]:
    """An endless stream of exercises, each of another puzzle; one seed gives the same one on every machine.

    stop: asked before each puzzle and each step of its path; once it says yes, OutOfTime is raised.
    KeyError for an unknown technique.
    """
    state = seeded(seed)
    for met in puzzles_with(technique, seed, stop):
        best = [each for each in met if each.least == met[0].least and each.others == met[0].others]
        yield best[below(state, len(best))]


def puzzles_with(
    technique: str, seed: int, stop: Callable[[], bool] = never, *, least: bool = True
) -> Iterator[list[Exercise]]:
    """The exercises of puzzle after puzzle, none of them empty, the best in front; seed, stop: as above.

    least: leave out puzzles where others always go before it, unless that holds for nearly all.
    """
    tier, rare = TECHNIQUES[technique].tier, met_rarely().get(technique, ())
    state = seeded(seed)
    first = least and technique not in SELDOM_LEAST
    while rare:
        for number in order_of(len(rare), state):
            turned = [_turned(each, seed, state) for each in on_path(technique, rare[number], seed, stop)]
            met = _best_first(each for each in turned if each is not None)
            if met and (met[0].least or not first):
                yield met
    for puzzle in plain_puzzles(tier, state, stop, most=first):
        if first and not _on_plain_path(technique, puzzle):
            continue
        met = on_path(technique, puzzle, seed, stop)
        if met and (met[0].least or not first):
            yield met


def plain_puzzles(
    level: int, state: State, stop: Callable[[], bool] = never, *, most: bool = False
) -> Iterator[Grid]:
    """Puzzles of a level without end, drawn with the random `state`, which is mutated.

    most: where puzzles of most levels may do, any minimal ones: they are made ten times as fast.
    """
    quick = most and level > EASY_TO_MAKE
    recipe = Recipe(minimal=True) if quick else Recipe(level=level, symmetry=ANY)
    while True:
        if stop():
            raise OutOfTime
        yield generate(recipe, below(state, 1 << 30), stop).grid


def path_of(puzzle: Grid, stop: Callable[[], bool] = never) -> Iterator[tuple[Position, int]]:
    """The positions on the path of logic through a puzzle, each with the tier of its next step."""
    position = Position.from_grid(puzzle)
    while not position.solved:
        if stop():
            raise OutOfTime
        step = _next(position)
        if step is None:
            return
        yield position, TECHNIQUES[step.technique].tier_of(step.variant)
        position = position.after(step)


def on_path(technique: str, puzzle: Grid, seed: int = 0, stop: Callable[[], bool] = never) -> list[Exercise]:
    """The exercises along one path through a puzzle with one solution, the best in front.

    Of the highest tier, where searches take long, the path ends where the technique is the least step, or
    comes first at all where it seldom is the least.
    """
    entry = TECHNIQUES[technique]
    lowest = OUTDONE_FROM if technique in OUTDONE else entry.tier_in_box or entry.tier
    found: list[Exercise] = []
    position = Position.from_grid(puzzle)
    detours = 0
    while not position.solved:
        if stop():
            raise OutOfTime
        step = _next(position)
        if step is None:
            break
        tier = TECHNIQUES[step.technique].tier_of(step.variant)
        if lowest <= tier <= entry.tier:
            met = _exercise(technique, position, puzzle, seed)
            if met is not None:
                found.append(met)
                if entry.tier == HARDEST_TIER and (met.least or technique in SELDOM_LEAST):
                    break
                if not met.least and detours < DETOURS:
                    step = _detour(position, technique) or step
                    detours += 1
        position = position.after(step)
    return _best_first(found)


def _on_plain_path(technique: str, puzzle: Grid) -> bool:
    """Whether the path of logic uses the technique, looked up in compiled code."""
    number = NUMBER[technique]
    walk = logic_up_to(number).walk(Position.from_grid(puzzle))
    return bool((walk.log[:, LOG_KEY] == number).any())


def _exercise(technique: str, position: Position, puzzle: Grid, seed: int) -> Exercise | None:
    """The exercise that a position is, where the technique has a step."""
    try:
        steps, easiest = tuple(find(position, technique)), easiest_steps(position)
    except GaveUp:
        return None
    if not steps:
        return None
    others = {step.technique for step in easiest} - {technique}
    least = bool(easiest) and easiest[0].technique == technique
    return Exercise(technique, position, steps, least, len(others), puzzle, seed)


def _best_first(found: Iterable[Exercise]) -> list[Exercise]:
    return sorted(found, key=lambda each: (not each.least, each.others))


def _next(position: Position) -> Step | None:
    try:
        return next_step(position)
    except GaveUp:
        return None


def _detour(position: Position, technique: str) -> Step | None:
    """Of the easiest steps of other techniques the first that leaves `technique` there."""
    for step in easiest_steps(position)[:TRIED]:
        if step.technique != technique:
            with suppress(GaveUp):
                if find(position.after(step), technique):
                    return step
    return None


def _turned(met: Exercise, seed: int, state: State) -> Exercise | None:
    """The exercise in an equivalent puzzle; None where a search that is not complete misses it there."""
    turn = random_transformation(state)
    if Trait.OF_THE_BOARD in TECHNIQUES[met.technique].traits:
        turn = Transformation(turn.transposed, digits=turn.digits)
    return _exercise(met.technique, met.position.transformed(turn), turn.apply(met.puzzle), seed)


def order_of(count: int, state: State) -> list[int]:
    """The numbers 0..count-1 in random order."""
    order = np.arange(count)
    shuffle(state, order)
    numbers: list[int] = order.tolist()
    return numbers


@cache
def met_rarely() -> Mapping[str, tuple[Grid, ...]]:
    """The puzzles kept for the techniques that are met rarely."""
    kept: dict[str, tuple[Grid, ...]] = {}
    for line in MET_RARELY.read_text().splitlines():
        if line and not line.startswith("#"):
            technique, digits = line.split()
            kept[technique] = (*kept.get(technique, ()), parse(digits))
    return kept
