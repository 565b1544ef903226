"""A puzzle's rating is independent of process, seed and batch; equivalent puzzles share the level."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from collections.abc import Callable

import pytest

import engine
from engine import Grid, Position, Recipe
from engine.rating import SCHEMES, hodoku, level_of
from engine.rating.steady import STEADY_RATING
from engine.transformation import Transformation

PUZZLES = 100
SAME = 0.98  # of them: it hardly matters which instance of a technique comes first


def _puzzles(count: int) -> list[Grid]:
    return [engine.generate(Recipe(minimal=True), seed).grid for seed in range(count)]


def _hodoku(grid: Grid) -> int:
    found = hodoku.rating_of(hodoku.order().walk(Position.from_grid(grid)))
    return found.level


@pytest.mark.parametrize(
    ("level", "same"), [(lambda grid: level_of(Position.from_grid(grid)), 1.0), (_hodoku, SAME)]
)
def test_images_of_a_puzzle_have_its_level(level: Callable[[Grid], int], same: float) -> None:
    draw = random.Random(7)
    puzzles = _puzzles(PUZZLES)
    levels = [level(puzzle) for puzzle in puzzles]
    images = [level(Transformation.random(draw.randrange).apply(puzzle)) for puzzle in puzzles]
    assert sum(map(int.__eq__, levels, images)) >= same * PUZZLES
    assert len(set(levels)) >= 4  # few random puzzles are of the lowest


def test_images_of_a_puzzle_have_its_expected_time_and_its_openings() -> None:
    draw = random.Random(8)
    for puzzle in _puzzles(30):
        here, there = (
            engine.rate(each) for each in (puzzle, Transformation.random(draw.randrange).apply(puzzle))
        )
        assert (here.level, here.expected_seconds) == (there.level, there.expected_seconds)
        assert here.openings == there.openings


def test_where_order_does_not_matter_images_of_a_puzzle_have_its_er() -> None:
    draw = random.Random(9)
    for puzzle in _puzzles(30):
        rating = SCHEMES["explainer"](puzzle)
        if rating is not None and rating < STEADY_RATING:
            assert SCHEMES["explainer"](Transformation.random(draw.randrange).apply(puzzle)) == rating


def test_renaming_the_digits_leaves_the_explainers_rating_as_it_was() -> None:
    digits = (4, 7, 1, 9, 2, 8, 3, 6, 5)
    puzzles = _puzzles(40)
    same = 0
    for puzzle in puzzles:
        image = Transformation(digits=digits).apply(puzzle)
        same += SCHEMES["explainer"](image) == SCHEMES["explainer"](puzzle)
    assert same >= SAME * len(puzzles)


@pytest.mark.slow
def test_another_process_another_seed_and_another_order_rate_the_same() -> None:
    puzzles = _puzzles(6)
    here = [engine.rate(puzzle) for puzzle in puzzles]
    done = subprocess.run(
        [sys.executable, "-m", "engine", "rate", "--json", "--jobs", "2"],
        input="\n".join(map(str, reversed(puzzles))),
        capture_output=True,
        text=True,
        check=True,
        env=os.environ | {"PYTHONHASHSEED": "1"},
    )
    there = [json.loads(line) for line in done.stdout.splitlines()][::-1]
    assert [answer["scores"] for answer in there] == [dict(rating.scores) for rating in here]
    assert [answer["counts"] for answer in there] == [dict(rating.counts) for rating in here]
    assert [answer["expected_seconds"] for answer in there] == [rating.expected_seconds for rating in here]
