"""A rating belongs to its puzzle, whatever process, seed or batch it comes from; images share the level."""

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
from engine.transformation import Transformation

PUZZLES = 100
SAME = 0.98  # of them: which instance of a technique comes first hardly matters


def _puzzles(count: int) -> list[Grid]:
    return [engine.generate(Recipe(minimal=True), seed).grid for seed in range(count)]


def _ours(grid: Grid) -> int:
    return level_of(Position.from_grid(grid))


def _hodoku(grid: Grid) -> int:
    found = hodoku.rating_of(hodoku.order().walk(Position.from_grid(grid)))
    assert found is not None
    return found.level


@pytest.mark.parametrize("level", [_ours, _hodoku])
def test_images_of_a_puzzle_have_its_level(level: Callable[[Grid], int]) -> None:
    draw = random.Random(7)
    puzzles = _puzzles(PUZZLES)
    levels = [level(puzzle) for puzzle in puzzles]
    images = [level(Transformation.random(draw.randrange).apply(puzzle)) for puzzle in puzzles]
    assert sum(map(int.__eq__, levels, images)) >= SAME * PUZZLES
    assert len(set(levels)) == 5


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
    puzzles = [str(puzzle) for puzzle in _puzzles(6)]
    told = []
    for seed, lines, jobs in (("1", puzzles, "1"), ("2", puzzles[::-1], "2")):
        done = subprocess.run(
            [sys.executable, "-m", "engine", "rate", "--json", "--jobs", jobs],
            input="\n".join(lines),
            capture_output=True,
            text=True,
            check=True,
            env={**os.environ, "PYTHONHASHSEED": seed},
        )
        told.append([json.loads(line) for line in done.stdout.splitlines()])
    assert told[0] == told[1][::-1]
    here = [engine.rate(engine.parse(puzzle)) for puzzle in puzzles]
    assert [answer["scores"] for answer in told[0]] == [dict(rating.scores) for rating in here]
    assert [answer["counts"] for answer in told[0]] == [dict(rating.counts) for rating in here]
    assert [answer["expected_seconds"] for answer in told[0]] == [rating.expected_seconds for rating in here]
