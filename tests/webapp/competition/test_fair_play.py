"""Fair play with a database: copies among other games, solves from paper, retention."""

from __future__ import annotations

import json
import random
from datetime import datetime, timedelta

import pytest
import sqlalchemy as sa

from benchmarks.logs import puzzles
from benchmarks.players import Game, copy_retimed
from tests.webapp.solves import DAY, add_daily, add_player, add_solve, at, board_of, close
from tests.webapp.visitors import Visitor
from webapp.competition import standing as standings
from webapp.competition.fair_play import outcomes, traces
from webapp.competition.leaderboard import places
from webapp.game.fair_play import likeness
from webapp.game.fair_play.rules import PAPER
from webapp.models import Attempt, Leaderboard, Player, Standing, Trace
from webapp.play import play, starts
from webapp.process.database import db, write_tx
from webapp.process.errors import NotFound

pytestmark = [pytest.mark.both_databases, pytest.mark.usefixtures("inside")]


def standing_of(attempt_id: str) -> tuple[str | None, list[str]]:
    db.session.rollback()
    attempt = db.session.get_one(Attempt, attempt_id)
    return attempt.standing, json.loads(attempt.doubts or "[]")


# Copies


def a_daily_of(log: Game) -> int:
    of_log = {"givens": log.puzzle.givens, "expected_seconds": log.puzzle.expected_seconds}
    return add_daily(DAY, log.puzzle.level, explainer=None, **of_log)


def start(player_id: int, log: Game, begins: datetime) -> str:
    return starts.at_daily(player_id, DAY, log.puzzle.level, begins, "1:test", ranked=True).id


def finish(player_id: int, attempt_id: str, log: Game, begins: datetime) -> str:
    """Play a log to its end, in one request a receipt."""
    by_receipt: dict[float, list[int]] = {}
    for number, received in enumerate(log.received):
        by_receipt.setdefault(received, []).append(number)
    for received, numbers in by_receipt.items():
        moves = [log.moves[number] for number in numbers]
        play.make_moves(player_id, attempt_id, moves, begins + timedelta(seconds=received))
    return attempt_id


@pytest.fixture(scope="module")
def story() -> tuple[Game, Game]:
    """A game and its copy."""
    copy = copy_retimed(random.Random(5), next(each for each in puzzles() if each.level == 2))
    return copy.before, copy


@pytest.mark.slow
def test_a_copy_of_a_guests_game_is_doubted_and_the_guest_is_not(story: tuple[Game, Game]) -> None:
    first, copy = story
    a_daily_of(first)
    guest, neo = add_player(), add_player("Neo")
    original = finish(guest, start(guest, first, at(hours=1)), first, at(hours=1))
    copied = finish(neo, start(neo, copy, at(hours=3)), copy, at(hours=3))
    assert standing_of(original) == (Standing.VERIFIED, [])
    standing, doubts = standing_of(copied)
    assert standing == Standing.REVIEW
    assert "alike" in doubts
    assert db.session.get_one(Attempt, copied).original_id == original
    assert board_of(copied) == Leaderboard.UNRANKED


@pytest.mark.slow
def test_a_copy_that_is_finished_first_is_the_one_that_is_doubted(story: tuple[Game, Game]) -> None:
    first, copy = story
    a_daily_of(first)
    ada, neo = add_player("Ada"), add_player("Neo")
    original = start(ada, first, at(hours=1))
    copied = finish(neo, start(neo, copy, at(hours=1, minutes=1)), copy, at(hours=1, minutes=1))
    assert board_of(copied) == Leaderboard.DAY
    finish(ada, original, first, at(hours=1) + timedelta(seconds=first.received[-1]))
    assert standing_of(original) == (Standing.VERIFIED, [])
    assert standing_of(copied) == (Standing.REVIEW, ["alike"])
    assert board_of(copied) == Leaderboard.UNRANKED


def test_a_players_history_is_their_own_verified_ranked_solves() -> None:
    daily = add_daily()
    ada, bob = add_player("Ada"), add_player("Bob")
    add_solve(ada, daily, 300)
    add_solve(bob, daily, 300, ranked=False)
    assert [outcomes.history(player) for player in (ada, bob)] == [1, 0]


def test_traces_go_after_three_days(story: tuple[Game, Game]) -> None:
    first, _copy = story
    solve = add_solve(add_player("Ada"), a_daily_of(first), 300)
    trace = likeness.Trace(bytes(range(81)), bytes(81), by_logic=False)
    with write_tx():
        attempt = db.session.get_one(Attempt, solve)
        traces.keep(db.session.connection(), attempt, attempt.finished_at, trace)
        puzzle_id, player_id = attempt.puzzle_id, attempt.player_id
    like = traces.nearest(puzzle_id, 0, trace)
    assert like is not None and like.attempt_id == solve
    assert traces.nearest(puzzle_id, player_id, trace) is None  # their own
    assert traces.nearest(puzzle_id + 1, 0, trace) is None
    assert traces.prune(at(hours=79)) == 0
    assert traces.prune(at(hours=81)) == 1
    assert db.session.scalar(sa.select(sa.func.count()).select_from(Trace)) == 0


# From paper

TYPED = json.dumps([PAPER])


def test_a_solve_typed_as_if_from_paper_has_no_rank_until_a_verdict() -> None:
    daily = add_daily()
    solve = add_solve(add_player("Ada"), daily, 300, doubts=TYPED)
    assert board_of(solve) == Leaderboard.UNRANKED
    assert places.place(db.session.get_one(Attempt, solve)).asked_about_paper
    assert [attempt.id for attempt in standings.typed(at(hours=12), 100)] == [solve]
    close(at(hours=48, minutes=2))
    assert board_of(solve) == Leaderboard.UNRANKED
    with write_tx():
        standings.verdict(solve, Standing.VERIFIED, "We looked at it.", at(hours=50))
    assert board_of(solve) == Leaderboard.DAY
    assert standings.typed(at(hours=51), 100) == []


def test_a_solve_from_paper_counts_unranked_once_the_player_says_so() -> None:
    daily = add_daily()
    ada, bob = add_player("Ada"), add_player("Bob")
    solve = add_solve(ada, daily, 300, doubts=TYPED)
    other = add_solve(bob, daily, 300, standing=Standing.REVIEW, doubts=json.dumps(["order"]))
    with pytest.raises(NotFound):
        standings.from_paper(other, at(hours=9))
    with pytest.raises(NotFound):
        standings.from_paper(play.game(bob, solve, at(hours=9)).attempt.id, at(hours=9))
    standings.from_paper(play.game(ada, solve, at(hours=9)).attempt.id, at(hours=9))
    assert standing_of(solve) == (Standing.PAPER, [PAPER])
    assert board_of(solve) is None
    with pytest.raises(NotFound):
        standings.from_paper(play.game(ada, solve, at(hours=9)).attempt.id, at(hours=9))


def test_the_button_of_a_solve_from_paper(guest: Visitor) -> None:
    guest.register("Ada")
    player = db.session.scalars(sa.select(Player.id)).one()
    solve = add_solve(player, add_daily(), 300, doubts=TYPED)
    guest.get(f"/leaderboard?date={DAY.isoformat()}&level=2")
    form = guest.page.select_one("#from-paper").find_parent("form")
    assert guest.post(form["action"]).status_code == 303
    assert standing_of(solve)[0] == Standing.PAPER
    assert guest.post(form["action"]).status_code == 404
