"""Which games count, once, for which player, and what withdraws them."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
import sqlalchemy as sa
from flask import Flask

from tests.webapp.learn.strength.played import NOW, add_game, add_puzzles, games, rating_of, ratings
from tests.webapp.solves import DAY, add_daily, add_player, stored
from webapp.learn.strength import scoring, strength
from webapp.learn.strength.glicko import Rating, updated
from webapp.models import (
    Attempt,
    Daily,
    Player,
    PlayerRating,
    Puzzle,
    PuzzleRating,
    RatedGame,
    Standing,
    Status,
)
from webapp.models.learning.strength import ALONE, OVERALL
from webapp.process.database import db, write_tx

pytestmark = pytest.mark.usefixtures("inside")


def known_player(*, alone: float = 1500, **columns: Any) -> int:
    """Return a player whose ratings are not provisional. alone: that of games without help."""
    known = {"deviation": 80, "volatility": 0.06, "games": 20, "rated_at": NOW - timedelta(days=1)}
    with stored():
        player = add_player(**columns)
        for family, rating in ((OVERALL, 1500), (ALONE, alone)):
            db.session.add(PlayerRating(player_id=player, family=family, rating=rating, **known))
    return player


def test_it_works() -> None:
    player, (puzzle,) = known_player(), add_puzzles(1)
    attempt = add_game(player, puzzle)
    assert strength.settle(player, NOW) == 1
    (game,) = games(player)
    assert (game.attempt_id, game.score, game.family) == (attempt, 1, "fish")
    assert (game.puzzle_rating, game.puzzle_deviation) == (1500, scoring.START_DEVIATION)
    own = ratings(player)
    assert own[""].rating == game.rating > 1500
    assert own[""].games == 21
    assert own["fish"].games == 1
    moved, count = rating_of(puzzle) or (0, 0)
    assert (moved, count) == (pytest.approx(1500 + game.puzzle_moved), 1)
    assert moved < 1500


def test_a_finish_recorded_twice_counts_once() -> None:
    player, (puzzle,) = known_player(), add_puzzles(1)
    add_game(player, puzzle)
    strength.settle(player, NOW)
    before = ratings(player)[""].rating
    assert strength.settle(player, NOW + timedelta(minutes=1)) == 0
    assert (len(games(player)), ratings(player)[""].rating) == (1, before)


def test_of_two_transactions_with_the_same_game_the_second_counts_nothing() -> None:
    player, (puzzle,) = known_player(), add_puzzles(1)
    add_game(player, puzzle)
    (row,) = db.session.execute(strength._UNCOUNTED.where(Attempt.player_id == player)).all()
    found = [strength._played(row)]
    assert [strength._count(player, found, NOW) for _time in range(2)] == [1, 0]


def test_only_the_first_game_of_a_puzzle_counts() -> None:
    player, (puzzle,) = known_player(), add_puzzles(1)
    add_game(player, puzzle, minutes=60, ended=NOW - timedelta(hours=2))
    add_game(player, puzzle)
    assert strength.settle(player, NOW) == 1
    assert [game.score for game in games(player)] == [0.5]


def test_a_daily_counts_once() -> None:
    player, daily = known_player(), add_daily(DAY)
    puzzle = db.session.get_one(Daily, daily).puzzle_id
    verified = {"daily_id": daily, "standing": Standing.VERIFIED}
    add_game(player, puzzle, ended=NOW - timedelta(hours=1), ranked=True, **verified)
    strength.settle(player, NOW)
    add_game(player, puzzle, **verified)
    assert strength.settle(player, NOW) == 0
    assert len(games(player)) == 1


@pytest.mark.parametrize(
    ("columns", "counted"),
    [
        ({}, True),
        ({"doubts": '["floor"]'}, False),
        ({"standing": Standing.REVIEW}, False),
        ({"standing": Standing.REMOVED}, False),
        ({"standing": Standing.VERIFIED, "doubts": '["floor"]'}, True),
        ({"standing": Standing.ASSISTED, "assisted": True}, True),
        ({"standing": Standing.ASSISTED, "assisted": True, "doubts": '["floor"]'}, False),
    ],
)
def test_a_doubted_solve_counts_only_once_cleared(columns: dict[str, Any], counted: bool) -> None:
    player, (puzzle,) = known_player(), add_puzzles(1)
    add_game(player, puzzle, **columns)
    assert bool(strength.settle(player, NOW)) is counted
    assert (rating_of(puzzle) is not None) is counted


@pytest.mark.parametrize("columns", [{"status": Status.ENTERED}, {"expected_seconds": None}])
def test_entered_and_unrated_puzzles_do_not_count(columns: dict[str, Any]) -> None:
    player, (puzzle,) = known_player(), add_puzzles(1, **columns)
    add_game(player, puzzle)
    assert strength.settle(player, NOW) == 0


def test_help_costs_and_moves_no_puzzle() -> None:
    player, (puzzle,) = known_player(), add_puzzles(1)
    add_game(player, puzzle, help=[(3, "hint", 2), (9, "check", None)])
    strength.settle(player, NOW)
    (game,) = games(player)
    assert (game.score, game.puzzle_moved) == (0.25, 0)
    assert rating_of(puzzle) == (1500, 0)


def test_a_puzzle_is_measured_by_the_players_games_without_help() -> None:
    player, (puzzle, helped) = known_player(alone=1700), add_puzzles(2)
    add_game(player, puzzle)
    strength.settle(player, NOW)
    (game,) = games(player)
    measure, start = Rating(1700, 80), Rating(1500, scoring.START_DEVIATION)
    assert game.puzzle_moved == pytest.approx(updated(start, [(measure, 0.0)], 0).rating - 1500)
    alone = ratings(player)[ALONE]
    assert (alone.rating > 1700, alone.games) == (True, 21)
    add_game(player, helped, help=[(3, "hint", 2)])
    strength.settle(player, NOW)
    assert (ratings(player)[ALONE].rating, ratings(player)[ALONE].games) == (alone.rating, 21)


def test_a_newcomer_moves_no_puzzle() -> None:
    player, (puzzle,) = add_player(), add_puzzles(1)
    add_game(player, puzzle)
    strength.settle(player, NOW)
    assert rating_of(puzzle) == (1500, 0)
    assert ratings(player)[""].rating > 1600


def test_the_time_others_took_says_what_is_in_time() -> None:
    player, (puzzle,) = known_player(), add_puzzles(1)
    for _other in range(12):  # much quicker than expected, as their record shows
        add_game(add_player(), puzzle, minutes=2, ended=NOW - timedelta(days=1))
    add_game(player, puzzle, minutes=10)
    strength.settle(player, NOW)
    assert [game.score for game in games(player)] == [0.5]


@pytest.mark.both_databases
def test_one_who_wants_no_rating_has_none() -> None:
    player, puzzles = known_player(), add_puzzles(3)
    strength.set_rated(player, NOW, rated=False)
    add_game(player, puzzles[0])
    assert strength.settle(player, NOW) == 0
    later = NOW + timedelta(hours=1)
    strength.set_rated(player, later, rated=True)
    assert strength.settle(player, later) == 0  # games played meanwhile never count
    add_game(player, puzzles[1], ended=later + timedelta(hours=1))
    assert strength.settle(player, later + timedelta(hours=1)) == 1


def test_turning_it_on_again_changes_nothing() -> None:
    player = add_player()
    before = db.session.get_one(Player, player).rated_since
    strength.set_rated(player, NOW + timedelta(days=3), rated=True)
    assert db.session.get_one(Player, player).rated_since == before


def test_a_game_that_could_not_be_counted_is_counted_with_the_next() -> None:
    player, puzzles = known_player(), add_puzzles(2)
    add_game(player, puzzles[0], ended=NOW - timedelta(hours=5))
    add_game(player, puzzles[1])
    assert strength.settle(player, NOW) == 2
    assert [game.puzzle_id for game in games(player)] == puzzles


@pytest.mark.both_databases
def test_a_player_deleted_meanwhile_is_no_trouble() -> None:
    player, (puzzle,) = known_player(), add_puzzles(1)
    add_game(player, puzzle)
    (row,) = db.session.execute(strength._UNCOUNTED.where(Attempt.player_id == player)).all()
    found = [strength._played(row)]
    with write_tx():
        db.session.execute(sa.delete(Player).where(Player.id == player))
    assert strength._count(player, found, NOW) == 0


def test_ratings_go_with_the_player() -> None:
    player, (puzzle,) = known_player(), add_puzzles(1)
    add_game(player, puzzle)
    strength.settle(player, NOW)
    with write_tx():
        db.session.execute(sa.delete(Player).where(Player.id == player))
    assert games(player) == []
    assert ratings(player) == {}


# Games given up


@pytest.mark.parametrize(
    ("days", "untouched", "moves", "counted"),
    [(15, 8, 10, 1), (13, 8, 10, 0), (15, 6, 10, 0), (15, 8, 9, 0), (22, 20, 10, 0)],
)
def test_a_game_left_for_two_weeks_is_lost(days: float, untouched: float, moves: int, counted: int) -> None:
    player, (puzzle,) = known_player(created_at=NOW - timedelta(days=60)), add_puzzles(1)
    started, touched = NOW - timedelta(days=days), NOW - timedelta(days=untouched)
    add_game(player, puzzle, None, started_at=started, updated_at=touched, last_seq=moves)
    assert strength.count_given_up(NOW) == counted
    assert [game.score for game in games(player)] == [0] * counted


@pytest.mark.both_databases
def test_a_lost_game_that_is_solved_later_stays_lost() -> None:
    player, (puzzle,) = known_player(created_at=NOW - timedelta(days=60)), add_puzzles(1)
    long_ago = NOW - timedelta(days=15)
    attempt = add_game(player, puzzle, None, ended=long_ago)
    strength.count_given_up(NOW)
    with write_tx():
        db.session.execute(
            sa.update(Attempt).where(Attempt.id == attempt).values(finished_at=NOW, elapsed_ms=600_000)
        )
    assert strength.settle(player, NOW) == 0
    assert strength.count_given_up(NOW) == 0
    assert [game.score for game in games(player)] == [0]


# Withdrawing a game


def figures(player: int) -> dict[str, tuple[Any, ...]]:
    """Return a player's ratings in comparable form."""
    return {
        family: (pytest.approx(row.rating), pytest.approx(row.deviation), row.games, row.rated_at)
        for family, row in ratings(player).items()
    }


def season(player: int, puzzles: list[int]) -> list[str]:
    """Play a game of each puzzle, a day apart, with every kind of result."""
    return [
        add_game(
            player,
            puzzle,
            minutes=(10, 60, 10)[day % 3],
            ended=NOW + timedelta(days=day),
            help=[(5, "hint", 2)] if day % 3 == 2 else (),
        )
        for day, puzzle in enumerate(puzzles)
    ]


def test_folding_a_players_games_anew_changes_nothing() -> None:
    player, puzzles = add_player(), [*add_puzzles(4), *add_puzzles(3, hardest="xy_wing", explainer=6.0)]
    season(player, puzzles)
    for day in range(len(puzzles)):
        strength.settle(player, NOW + timedelta(days=day))
    before, after_each = figures(player), [(game.rating, game.deviation) for game in games(player)]
    assert set(before) == {OVERALL, ALONE, "fish", "wings"}
    with write_tx():
        strength.refold(player)
    assert figures(player) == before
    assert [(game.rating, game.deviation) for game in games(player)] == [
        (pytest.approx(rating), pytest.approx(deviation)) for rating, deviation in after_each
    ]


@pytest.mark.both_databases
def test_a_game_stays_rated_as_what_it_was() -> None:
    """A hint opened after giving up doesn't change the counted part, which was played without."""
    player, puzzles = add_player(), add_puzzles(3)
    season(player, puzzles)
    strength.settle(player, NOW + timedelta(days=2))
    before = figures(player)
    with write_tx():
        db.session.execute(sa.update(Attempt).values(assisted=True))
    with write_tx():
        strength.refold(player)
    assert figures(player) == before


def from_before_alone(player: int) -> dict[str, tuple[Any, ...]]:
    """Remove the player's rating without help, as if all their games were older. Returns it."""
    before = figures(player)
    with write_tx():
        db.session.execute(sa.delete(PlayerRating).where(PlayerRating.family == ALONE))
    return before


@pytest.mark.both_databases
def test_players_of_older_games_are_folded_anew_once() -> None:
    player, helped, puzzles = add_player(), add_player(), add_puzzles(3)
    season(player, puzzles)
    add_game(helped, puzzles[0], help=[(5, "hint", 2)])
    for each in (player, helped):
        strength.settle(each, NOW + timedelta(days=2))
    before = from_before_alone(player)
    assert [strength.refold_older(), strength.refold_older()] == [1, 0]
    assert figures(player) == before


def test_a_next_game_takes_the_older_ones_along() -> None:
    player, puzzles = add_player(), add_puzzles(3)
    season(player, puzzles[:2])
    strength.settle(player, NOW + timedelta(days=1))
    from_before_alone(player)
    add_game(player, puzzles[2], ended=NOW + timedelta(days=2))
    strength.settle(player, NOW + timedelta(days=2))
    assert ratings(player)[ALONE].games == 3


def test_a_removed_solve_is_as_if_it_had_never_counted() -> None:
    player, other, puzzles = add_player(), add_player(), add_puzzles(5)
    attempts = season(player, puzzles)
    season(other, puzzles[:2] + puzzles[3:])
    for day in range(5):
        for each in (player, other):
            strength.settle(each, NOW + timedelta(days=day))
    with write_tx():
        strength.withdraw(attempts[2])
        strength.withdraw(attempts[2])  # twice counts once
    assert [game.attempt_id for game in games(player)] == attempts[:2] + attempts[3:]
    assert ratings(player)[""].games == 4


@pytest.mark.both_databases
def test_a_puzzle_gives_back_what_a_removed_solve_has_moved() -> None:
    player, (puzzle,) = known_player(), add_puzzles(1)
    attempt = add_game(player, puzzle)
    strength.settle(player, NOW)
    with write_tx():
        strength.withdraw(attempt)
    assert rating_of(puzzle) == (pytest.approx(1500), 0)


def test_a_cleared_solve_counts_again() -> None:
    player, (puzzle,) = add_player(), add_puzzles(1)
    attempt = add_game(player, puzzle)
    strength.settle(player, NOW)
    before = figures(player)
    with write_tx():
        strength.withdraw(attempt)
    assert figures(player) == {}
    assert strength.settle(player, NOW) == 1
    assert figures(player) == before


def test_a_guests_games_come_along_but_for_those_of_the_account() -> None:
    guest, account, puzzles = add_player(), add_player("Ada"), add_puzzles(3)
    kept = [add_game(guest, puzzles[0]), add_game(account, puzzles[1]), add_game(account, puzzles[2])]
    add_game(guest, puzzles[1])
    for each in (guest, account):
        strength.settle(each, NOW)
    with write_tx():
        strength.merge(guest, account)
        db.session.execute(sa.delete(PlayerRating).where(PlayerRating.player_id == guest))
    assert {game.attempt_id for game in games(account)} == set(kept)
    assert ratings(account)[""].games == 3


# Puzzles


def test_puzzles_that_players_can_get_begin_with_the_engines_word() -> None:
    approved = add_puzzles(2, expected_seconds=1440.0)
    add_puzzles(1, status=Status.CANDIDATE)
    add_puzzles(1, expected_seconds=None)
    assert strength.begin_ratings() == 2
    assert strength.begin_ratings() == 0
    assert [rating_of(puzzle) for puzzle in approved] == [(1700, 0)] * 2
    assert db.session.scalar(sa.select(sa.func.count()).select_from(PuzzleRating)) == 2


def test_all_of_them_begin_whatever_their_number(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(strength, "STEP", 2)
    add_puzzles(5)
    assert strength.begin_ratings() == 5


@pytest.mark.both_databases
def test_a_rating_that_players_have_moved_is_kept() -> None:
    player, (puzzle,) = known_player(), add_puzzles(1)
    add_game(player, puzzle)
    strength.settle(player, NOW)
    moved = rating_of(puzzle)
    with write_tx():
        db.session.execute(sa.update(Puzzle).values(expected_seconds=60.0))
    strength.begin_ratings()
    assert rating_of(puzzle) == moved


def test_a_score_lies_between_lost_and_won(inside: Flask) -> None:
    del inside
    player, (puzzle,) = add_player(), add_puzzles(1)
    attempt = add_game(player, puzzle)
    values = {"rated_at": NOW, "family": "", "rating": 1.0, "deviation": 1.0}
    of_puzzle = {"puzzle_rating": 1.0, "puzzle_deviation": 1.0, "puzzle_moved": 0.0}
    with pytest.raises(sa.exc.IntegrityError), write_tx():
        db.session.add(
            RatedGame(
                attempt_id=attempt, player_id=player, puzzle_id=puzzle, score=1.1, **values, **of_puzzle
            )
        )
