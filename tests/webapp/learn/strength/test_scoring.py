"""The score of a game, the initial rating of a puzzle, and which games move one."""

from __future__ import annotations

import pytest

from webapp.learn.strength import scoring
from webapp.learn.strength.glicko import Rating


@pytest.mark.parametrize(
    ("seconds", "cost", "score"),
    [
        (600, 0, 1),
        (1200, 0, 1),
        (1201, 0, 0.5),
        (9999, 0, 0.5),
        (600, 0.25, 0.75),
        (1201, 0.5, 0),
        (600, 7, 0),
    ],
)
def test_a_solve_is_full_within_twice_the_expected_time(seconds: float, cost: float, score: float) -> None:
    assert scoring.score(seconds, 600, cost) == score


@pytest.mark.parametrize(
    ("asked", "cost"),
    [
        ([], 0),
        ([(5, "check", None)], 0.5),
        ([(5, "hint", 1)], 0),
        ([(5, "hint", 1), (6, "hint", 2), (7, "hint", 3), (8, "hint", 4)], 0.5),  # one hint, to its end
        ([(5, "hint", 2), (9, "hint", 2)], 0.5),  # two hints, moves in between
        ([(5, "hint", 2), (6, "hint", None)], 0.5),  # another step, shown as far
        ([(5, "hint", 2), (6, "hint", None), (7, "hint", 3)], 0.625),
        ([(5, "hint", 2), (6, "check", None), (7, "hint", 2)], 1.0),
        ([(5, "hint", 3), (6, "hint", 1)], 0.375),
    ],
)
def test_help_costs_by_what_it_gives_away(asked: list[tuple[int, str, int | None]], cost: float) -> None:
    assert scoring.cost_of_help(asked) == cost


def test_a_puzzle_of_er_4_and_12_minutes_is_an_average_players() -> None:
    assert scoring.start(720, 4.0) == Rating(1500, scoring.START_DEVIATION)


def test_a_puzzle_starts_higher_the_longer_and_harder_it_is() -> None:
    assert scoring.start(1440, 4.0).rating == 1700
    assert scoring.start(720, 8.0).rating == 1650
    assert scoring.start(720, None).rating > scoring.start(720, 11.0).rating


@pytest.mark.parametrize(("assisted", "deviation"), [(True, 80), (False, 111)])
def test_help_and_provisional_players_move_no_puzzle(assisted: bool, deviation: float) -> None:
    puzzle = Rating(1500, 60)
    assert scoring.puzzle_after(puzzle, Rating(1500, deviation), 1, assisted=assisted) is puzzle
