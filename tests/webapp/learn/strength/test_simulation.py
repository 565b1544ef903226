"""A short season of the campaign `strength`: ratings find true strengths, and cheats move puzzles little."""

from __future__ import annotations

import pytest

from benchmarks.strength import Season, shifted, simulate
from tests.thorough import amount

PLAYERS = amount("PLAYERS", 60, 2000)
PUZZLES = amount("PUZZLES", 300, 5000)


@pytest.fixture(scope="module")
def season() -> Season:
    return simulate(PLAYERS, PUZZLES, seed=1)[0]


def test_players_stand_in_the_order_of_their_true_strengths(season: Season) -> None:
    # The correlation of few players is itself uncertain: 0.01 at 60 of them.
    assert season.players >= (0.95 if PLAYERS >= 1000 else 0.92)


def test_puzzles_stand_in_the_order_of_their_true_difficulties(season: Season) -> None:
    assert season.puzzles >= 0.9


def test_games_know_more_than_the_engine_alone(season: Season) -> None:
    assert season.puzzle_error < season.engine_error


def test_two_in_three_puzzles_are_solved_from_the_tenth_game_on(season: Season) -> None:
    assert 0.60 <= season.solved <= 0.75


def test_puzzles_do_not_sink_together(season: Season) -> None:
    assert abs(season.drift) <= 1


def test_cheats_shift_no_puzzle_by_more_than_30_points() -> None:
    _season, log, begin = simulate(PLAYERS, PUZZLES, cheating=0.05, seed=2)
    cheated = shifted(log, begin)
    assert cheated.undetected > 0
    assert cheated.most <= 30
