"""Exercises and near misses are valid, as shown by `all_steps` and `next_step`, independent of their maker.

The campaign `drills` checks 1,000 exercises and 200 near misses of all techniques; here are a few of each.
"""

from __future__ import annotations

from itertools import islice

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import engine
from engine.errors import OutOfTime
from engine.generation.exercises import OUTDONE, SELDOM_LEAST, Exercise, exercises, met_rarely, on_path
from engine.generation.near_misses import NEEDS_DIGIT, WITHOUT, near_misses
from engine.geometry import PEERS
from tests.thorough import amount, one_in

EXERCISES = amount("DRILLS", 6, 100)
NEAR_MISSES = amount("NEAR_MISSES", 3, 20)
QUICK = (
    "hidden_single",
    "pointing",
    "naked_pair",
    "hidden_pair",
    "skyscraper",
    "xy_wing",
    "unique_rectangle_2",
)
MANY = EXERCISES >= 1000
DRILLED = tuple(engine.TECHNIQUES) if MANY else QUICK
MISSED = tuple(key for key in engine.TECHNIQUES if key not in WITHOUT) if MANY else QUICK[1:3]


def all_steps(position: engine.Position) -> list[engine.Step]:
    """Return all steps of all techniques, without those of a search past its bound."""
    try:
        return engine.all_steps(position, techniques=engine.TECHNIQUES, distinct=False)
    except engine.GaveUp as error:
        return list(error.steps)


def tiers(steps: list[engine.Step]) -> dict[str, int]:
    """Return the lowest tier of each technique that has a step."""
    found: dict[str, int] = {}
    for step in steps:
        tier = engine.TECHNIQUES[step.technique].tier_of(step.variant)
        found[step.technique] = min(tier, found.get(step.technique, tier))
    return found


def assert_least(exercise: Exercise) -> None:
    """Assert that the technique has a step, nothing of a lower tier does, and `least` says whether it
    comes first.
    """
    steps = all_steps(exercise.position)
    there = tiers(steps)
    assert exercise.technique in there
    assert {step for step in steps if step.technique == exercise.technique} == set(exercise.steps)
    if exercise.technique not in OUTDONE:
        assert there[exercise.technique] == min(there.values())
    if exercise.technique not in SELDOM_LEAST:
        assert exercise.least
    if exercise.least:
        following = engine.next_step(exercise.position)
        assert following is not None
        assert following.technique == exercise.technique


@pytest.mark.slow
@pytest.mark.parametrize("technique", one_in(3, DRILLED))
def test_the_technique_is_there_and_the_least(technique: str) -> None:
    each = -(-EXERCISES // len(DRILLED))
    for exercise in islice(exercises(technique, seed=DRILLED.index(technique)), each):
        assert_least(exercise)


@pytest.mark.slow
@pytest.mark.parametrize("technique", one_in(3, MISSED))
def test_of_a_near_miss_it_is_not_there(technique: str) -> None:
    each = -(-NEAR_MISSES // len(MISSED))
    for near in islice(near_misses(technique, seed=MISSED.index(technique)), each):
        assert technique not in {step.technique for step in all_steps(near.position)}
        nearly = engine.find(near.position.changed((), near.spoilers), technique)
        assert nearly or technique in NEEDS_DIGIT


@pytest.mark.parametrize("technique", sorted(WITHOUT))
def test_what_nearly_every_position_has_has_no_near_miss(technique: str) -> None:
    assert list(near_misses(technique, seed=1)) == []


@settings(max_examples=5, deadline=None)
@given(st.sampled_from(QUICK), st.integers(0, 1 << 62))
def test_an_exercise_is_a_position_of_its_puzzle_with_the_solution_kept(technique: str, seed: int) -> None:
    exercise = next(exercises(technique, seed=seed))
    assert exercise.position.givens == exercise.puzzle
    assert exercise.position.unique
    assert not exercise.position.wrong()
    for step in exercise.steps:
        assert step.technique == technique
        assert not exercise.position.after(step).wrong()


@settings(max_examples=5, deadline=None)
@given(st.sampled_from(QUICK), st.integers(0, 1 << 62))
def test_a_near_miss_has_the_technique_once_its_spoilers_are_gone(technique: str, seed: int) -> None:
    near = next(near_misses(technique, seed=seed))
    position, solution = near.position, near.position.solution
    assert not position.wrong()
    assert near.spoilers
    for cell, digit in near.spoilers:
        assert digit in position.candidates(cell)
        assert solution is not None and solution[cell] != digit
        assert all(position.grid[peer] != digit for peer in PEERS[cell])
    assert engine.find(position, technique) == []
    assert engine.find(position.changed((), near.spoilers), technique) != []


def test_one_seed_gives_one_stream() -> None:
    for stream in (exercises, near_misses):
        first, second = (list(islice(stream("skyscraper", seed=5), 3)) for _ in range(2))
        assert [each.position for each in first] == [each.position for each in second]
        assert len({each.puzzle for each in first}) == 3


def test_it_stops_when_asked() -> None:
    for stream in (exercises, near_misses):
        with pytest.raises(OutOfTime):
            next(stream("jellyfish", seed=1, stop=lambda: True))


def test_an_unknown_technique_is_an_error() -> None:
    with pytest.raises(KeyError):
        next(exercises("unheard_of", seed=1))


@pytest.mark.slow
@pytest.mark.parametrize("technique", one_in(3, met_rarely()))
def test_the_puzzles_of_rare_techniques_have_them(technique: str) -> None:
    puzzles = met_rarely()[technique]
    assert len(puzzles) == len({engine.canonical_form(puzzle) for puzzle in puzzles}) >= 5
    for puzzle in puzzles if MANY else puzzles[:1]:
        met = on_path(technique, puzzle)
        assert met
        assert met[0].least or technique in SELDOM_LEAST


def test_turning_a_position_turns_its_steps() -> None:
    exercise = next(exercises("naked_pair", seed=3))
    turn = engine.Transformation(transposed=True, digits=(2, 3, 4, 5, 6, 7, 8, 9, 1))
    image = exercise.position.transformed(turn)
    assert image.givens == turn.apply(exercise.puzzle)
    assert image.transformed(turn.inverse()) == exercise.position
    effects = {
        (turn.target(cell), turn.digits[digit - 1])
        for step in exercise.steps
        for cell, digit in step.eliminations
    }
    found = engine.find(image, "naked_pair")
    assert effects == {mark for step in found for mark in step.eliminations}


def test_what_seldom_is_least_are_techniques() -> None:
    assert set(engine.TECHNIQUES) >= SELDOM_LEAST | OUTDONE
