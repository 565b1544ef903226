"""The expected time: deterministic, rising with the ER above 4, with an interval that states its
uncertainty there.
"""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import engine
from benchmarks.expected_time import described
from engine.position import Position
from engine.rating import time_model
from engine.rating.expected_time import ENOUGH, MODEL_SOLVES, blend, expected_time, interval
from engine.rating.openings import COLUMNS, EFFORT, OPEN, REACHED, STEPS, openings

EASY = "...7..12.........4.8316...5..2..6.37..9...8..36.8..4..1...4956.5.........34..8..."
SEEN = np.ones((STEPS, COLUMNS))


@given(st.integers(10, 120), st.integers(10, 120), st.floats(0.01, 4))
def test_expected_time_never_falls_as_the_er_rises(one: int, other: int, much: float) -> None:
    low, high = sorted((one / 10, other / 10))
    assert expected_time(low, much * SEEN).seconds <= expected_time(high, much * SEEN).seconds


@given(st.integers(10, 120), st.floats(0.01, 4), st.floats(0.01, 4))
def test_expected_time_rises_with_the_effort_and_has_no_cap(rating: int, one: float, other: float) -> None:
    low, high = sorted((one, other))
    less, more = (expected_time(rating / 10, much * SEEN).seconds for much in (low, high))
    assert less <= more
    assert less < more or high - low < 0.01


def test_the_hardest_puzzles_take_half_an_hour_and_more() -> None:
    medium, evil, hardest = (expected_time(rating, SEEN / 3).seconds / 60 for rating in (4.1, 7.2, 10.5))
    assert 10 < medium < 16
    assert evil > 1.5 * medium
    assert hardest > 35


def test_without_solves_the_model_alone_is_believed() -> None:
    assert blend(600, 60, 0) == pytest.approx(600)


def test_the_model_counts_as_much_as_its_number_of_solves() -> None:
    assert blend(400, 900, MODEL_SOLVES) == pytest.approx(600)  # the geometric mean


@given(st.floats(10, 9000), st.floats(10, 9000), st.integers(0, 500))
def test_more_solves_bring_the_expectation_nearer_to_their_median(
    model: float, median: float, n: int
) -> None:
    before, after = (abs(np.log(blend(model, median, solves) / median)) for solves in (n, n + 1))
    assert after <= before + 1e-12


def test_measured_times_narrow_the_interval() -> None:
    (low, high), (lower, higher) = interval(600, 7.0, solves=12), interval(600, 7.0)
    assert lower < low < 600 < high < higher
    assert np.log(high / low) == pytest.approx(np.log(higher / lower) / 2, abs=0.001)


@pytest.mark.parametrize("rating", [2.6, 3.4, 5.0, 6.0, 8.0])
def test_the_interval_is_wider_where_fewer_than_30_training_puzzles_stand(rating: float) -> None:
    count = next(puzzles for highest, puzzles in time_model.PUZZLES_UP_TO if rating <= highest)
    known, unknown = expected_time(1.5, SEEN), expected_time(rating, SEEN)
    assert count < ENOUGH
    assert unknown.high / unknown.low > known.high / known.low


@pytest.mark.kernel
def test_openings_count_what_a_single_fills_at_each_step() -> None:
    grid = engine.parse(EASY)
    solution = engine.solution(grid)
    position = Position.from_grid(grid)
    seen = openings(position.array, solution.array())
    assert seen[0, OPEN] == len(_filled_by_singles(position))
    empty = 81 - grid.givens
    assert (seen[:empty, REACHED] == 1).all()
    assert not seen[empty:].any()
    assert (seen[:empty, EFFORT] > 0).all()


def test_a_rating_has_the_expected_time_within_its_interval() -> None:
    rating = engine.rate(engine.parse(EASY))
    assert rating.expected_interval[0] < rating.expected_seconds < rating.expected_interval[1]
    assert len(rating.openings) == 81 - 28


def test_the_measured_puzzles_are_grouped_by_the_level_players_see() -> None:
    hard = str(engine.generate(engine.Recipe(level=4), seed=2024).grid)
    *_, levels = described([EASY, hard])
    assert levels.tolist() == [engine.rate(engine.parse(EASY)).level, 4]


def _filled_by_singles(position: Position) -> set[int]:
    singles = ("full_house", "naked_single", "hidden_single")
    return {cell for key in singles for step in engine.find(position, key) for cell, _ in step.placements}


def test_a_single_opens_what_the_position_after_it_has() -> None:
    checked = 0
    for seed in range(1, 4):
        position = Position.from_grid(engine.generate(level=4, seed=seed).grid)
        solution = engine.solution(position.grid)
        for step in engine.solve_path(position).steps:
            after = position.after(step)
            if step.placements and len(_filled_by_singles(position)) == 1 and not after.solved:
                log = openings(position.array, solution.array(), 1)
                assert (log[0, OPEN], log[1, OPEN]) == (1, len(_filled_by_singles(after)))
                checked += 1
            position = after
    assert checked > 3
