"""A bound in seconds: long searches end in time, with what they have found."""

from __future__ import annotations

import pytest

import engine
from engine import GaveUp, OutOfTime, Recipe
from engine.rating.rating import EFFORT_OF_SECOND

GOLDEN_NUGGET = ".......39.....1..5..3.5.8....8.9...6.7...2...1..4.......9.8..5..2....6..4..7....."


@pytest.mark.parametrize("seconds", [0, 1])
def test_an_order_ends_with_the_nearest_puzzle_and_the_reason(seconds: int) -> None:
    with pytest.raises(OutOfTime, match=rf"within {seconds} s") as stopped:
        engine.generate(Recipe(er=(11.9, 12.0)), 1, seconds=seconds)
    assert engine.solution_count(stopped.value.nearest.puzzle) == 1


def test_an_order_that_is_met_in_time_is_the_same_as_without() -> None:
    assert engine.generate(seed=5, level=2, seconds=600) == engine.generate(seed=5, level=2)


def test_no_time_asks_no_technique_and_says_which_were_left() -> None:
    with pytest.raises(GaveUp, match="the time ended") as stopped:
        engine.all_steps(GOLDEN_NUGGET, seconds=0)
    assert stopped.value.steps == ()
    assert "x_wing" in stopped.value.keys


def test_all_steps_in_time_are_those_without_a_bound() -> None:
    line = "...7..12.........4.8316...5..2..6.37..9...8..36.8..4..1...4956.5.........34..8..."
    assert engine.all_steps(line, up_to="x_wing", seconds=600) == engine.all_steps(line, up_to="x_wing")


@pytest.mark.slow
def test_a_rating_within_seconds_is_the_one_of_so_much_effort() -> None:
    bounded = engine.rate(GOLDEN_NUGGET, seconds=0.2)
    assert bounded == engine.rate(GOLDEN_NUGGET, effort=int(0.2 * EFFORT_OF_SECOND))
    assert "explainer" in bounded.gave_up


@pytest.mark.parametrize("seconds", [-1, "5", None.__class__, float("nan"), True])
def test_what_is_no_number_of_seconds_is_refused(seconds: object) -> None:
    for call in (engine.generate, lambda **more: engine.rate(GOLDEN_NUGGET, **more)):
        with pytest.raises(engine.ArgumentError, match="seconds"):
            call(seconds=seconds)
