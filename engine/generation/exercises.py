"""Exercises: positions of real puzzles where a technique is the easiest next step, and near misses of it.

A puzzle with one solution is solved until the technique applies and none of a lower tier does. If others of
its own tier come before it, those of their steps are made first that leave it in place. Patterns that occur
once in hundreds of puzzles come from `met_rarely.txt`, transformed so that no two positions look alike.
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

from ..errors import OutOfTime
from ..given import parse
from ..grid import Grid
from ..kernels.rng import below, seeded, shuffle
from ..position import Position
from ..rating.compiled_walk import LOG_KEY
from ..steps.logic import GaveUp, easiest_steps, find, next_step
from ..steps.step import Step
from ..techniques import TECHNIQUES, Trait
from ..techniques.entry import HARDEST_TIER
from ..techniques.keys import KEYS, NUMBER
from ..transformation import Transformation
from .generate import generate
from .recipe import Recipe
from .symmetry import ANY
from .to_order import logic_up_to
from .transform import random_transformation

State = NDArray[np.uint64]

MET_RARELY: Final = Path(__file__).with_name("met_rarely.txt")
DETOURS: Final = 12  # steps of other techniques made on a path so that the requested one becomes the easiest
EASY_TO_MAKE: Final = 2  # levels that need no search by technique
TRIED: Final = 4  # steps tried for each of them
# Techniques that nearly always come after others of their tier: an exercise may have easier steps.
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
# Tiers from which techniques always come after lower ones.
OUTDONE_FROM: Final = 3
OUTDONE: Final = frozenset({"franken_x_wing", "finned_franken_x_wing", "finned_mutant_x_wing"})


def never() -> bool:
    """Return False, for callers without a time limit."""
    return False


@dataclass(frozen=True, slots=True)
class Exercise:
    """A position to find a technique in: reached by logic, without steps of a lower tier."""

    technique: str
    position: Position
    steps: tuple[Step, ...]  # all of the technique, as `find` gives them
    least: bool  # whether `next_step` returns it: nothing precedes it in the order of TECHNIQUES
    others: int  # how many other techniques of its tier apply there
    puzzle: Grid
    seed: int


def exercises(technique: str, *, seed: int, stop: Callable[[], bool] = never) -> Iterator[Exercise]:
    """Yield endless exercises, each of another puzzle; a seed gives the same ones on every machine.

    stop: called before each puzzle and each step of its path; OutOfTime is raised when it returns True.
    KeyError for an unknown technique.
    """
    state = seeded(seed)
    for met in puzzles_with(technique, seed, stop):
        best = [each for each in met if each.least == met[0].least and each.others == met[0].others]
        yield best[below(state, len(best))]


def puzzles_with(
    technique: str, seed: int, stop: Callable[[], bool] = never, *, least: bool = True
) -> Iterator[list[Exercise]]:
    """Yield the exercises of one puzzle after another, none of them empty, the best first; seed, stop: as
    above.

    least: skip puzzles where others always come before it, unless that holds for nearly all.
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
    """Yield endless puzzles of a level, generated with the random `state`, which is mutated.

    most: if puzzles of most levels will do, use any minimal ones, which is ten times as fast.
    """
    quick = most and level > EASY_TO_MAKE
    recipe = Recipe(minimal=True) if quick else Recipe(level=level, symmetry=ANY)
    while True:
        if stop():
            raise OutOfTime
        yield generate(recipe, below(state, 1 << 30), stop).grid


def path_of(puzzle: Grid, stop: Callable[[], bool] = never) -> Iterator[tuple[Position, int]]:
    """Yield the positions on a puzzle's solution path, each with the tier of its next step."""
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
    """Return the exercises along one path of a puzzle with one solution, the best first.

    In the highest tier, where searches are slow, the path ends where the technique is the easiest step, or
    where it first applies if it seldom is the easiest.
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
    """Whether the solution path uses the technique, determined in compiled code."""
    number = NUMBER[technique]
    walk = logic_up_to(number).walk(Position.from_grid(puzzle))
    return bool((walk.log[:, LOG_KEY] == number).any())


def _exercise(technique: str, position: Position, puzzle: Grid, seed: int) -> Exercise | None:
    """Return a position's exercise, if the technique has a step there."""
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
    """Return the first of the easiest steps of other techniques that leaves `technique` in place."""
    for step in easiest_steps(position)[:TRIED]:
        if step.technique != technique:
            with suppress(GaveUp):
                if find(position.after(step), technique):
                    return step
    return None


def _turned(met: Exercise, seed: int, state: State) -> Exercise | None:
    """Return the exercise in an equivalent puzzle; None if an incomplete search misses it there."""
    turn = random_transformation(state)
    if Trait.OF_THE_BOARD in TECHNIQUES[met.technique].traits:
        turn = Transformation(turn.transposed, digits=turn.digits)
    return _exercise(met.technique, met.position.transformed(turn), turn.apply(met.puzzle), seed)


def order_of(count: int, state: State) -> list[int]:
    """Return the numbers 0..count-1 in random order."""
    order = np.arange(count)
    shuffle(state, order)
    numbers: list[int] = order.tolist()
    return numbers


@cache
def met_rarely() -> Mapping[str, tuple[Grid, ...]]:
    """Return the stored puzzles for rare techniques."""
    kept: dict[str, tuple[Grid, ...]] = {}
    for line in MET_RARELY.read_text().splitlines():
        if line and not line.startswith("#"):
            technique, digits = line.split()
            kept[technique] = (*kept.get(technique, ()), parse(digits))
    return kept
