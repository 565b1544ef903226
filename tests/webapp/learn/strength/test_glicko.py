"""Glicko-2 against the paper's worked example, and its properties."""

from __future__ import annotations

from math import exp, pi, sqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webapp.learn.strength.glicko import SCALE, Rating, opponent_for, updated

THREE = [(Rating(1400, 30), 1.0), (Rating(1550, 100), 0.0), (Rating(1700, 300), 0.0)]
ratings = st.builds(Rating, st.floats(500, 2500), st.floats(35, 350), st.floats(0.04, 0.1))
scores = st.floats(0, 1)


def expected(own: Rating, opponent: Rating) -> float:
    """Return the score of `own` that the paper expects (step 3)."""
    difference, deviation = (own.rating - opponent.rating) / SCALE, opponent.deviation / SCALE
    g = 1 / sqrt(1 + 3 * deviation * deviation / (pi * pi))
    return 1 / (1 + exp(-g * difference))


def test_the_example_of_the_paper() -> None:
    """Glickman rounds on the way: 1464.06, 151.52 and 0.05999."""
    after = updated(Rating(1500, 200, 0.06), THREE)
    assert after.rating == pytest.approx(1464.06, abs=0.01)
    assert after.deviation == pytest.approx(151.52, abs=0.01)
    assert after.volatility == pytest.approx(0.05999, abs=0.00001)


def test_without_games_only_the_deviation_grows_as_in_step_6() -> None:
    after = updated(Rating(1500, 200, 0.06), [])
    assert after.rating == 1500
    assert after.deviation == pytest.approx(173.7178 * ((200 / 173.7178) ** 2 + 0.06**2) ** 0.5)
    assert after.volatility == 0.06


def test_nobody_is_known_less_than_a_newcomer() -> None:
    assert updated(Rating(1500, 300, 0.06), [], 100_000).deviation == 350


def test_a_surprise_makes_a_rating_more_volatile() -> None:
    steady = Rating(2000, 50, 0.06)
    assert updated(steady, [(Rating(1000, 50), 0.0)] * 5).volatility > 0.06
    assert updated(steady, [(Rating(1000, 50), 1.0)] * 5).volatility < 0.06


@given(ratings, ratings, scores)
def test_a_rating_moves_towards_the_score(own: Rating, opponent: Rating, score: float) -> None:
    change = updated(own, [(opponent, score)]).rating - own.rating
    surprise = score - expected(own, opponent)
    assert change * surprise >= 0


@given(ratings, ratings, scores)
def test_a_game_never_widens_the_deviation_where_no_time_passes(
    own: Rating, opponent: Rating, score: float
) -> None:
    after = updated(own, [(opponent, score)], 0)
    assert after.deviation < own.deviation
    assert after.volatility == own.volatility


@given(ratings, st.floats(0.05, 0.95), st.floats(30, 350))
def test_an_opponent_for_a_score_is_met_with_that_score(own: Rating, score: float, deviation: float) -> None:
    """As Glickman predicts: with both deviations in one."""
    both = (own.deviation**2 + deviation**2) ** 0.5
    found = Rating(opponent_for(own, score, deviation), both)
    assert expected(own, found) == pytest.approx(score)
