"""Ranked dailies on transformed boards: one puzzle for the leaderboard, another board for each player."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
import sqlalchemy as sa
from flask import Flask
from hypothesis import given, settings
from hypothesis import strategies as st

import engine
from tests.webapp.competition.test_races import moves_to_solve, solve
from tests.webapp.solves import DAY, add_daily
from tests.webapp.visitors import SetClock, Visitor, givens_on
from webapp.curation.moderation.pictures import pictures
from webapp.game.board import Board
from webapp.game.moves import Kind, Move
from webapp.game.transforming import transformed
from webapp.models import Attempt, Puzzle
from webapp.process.clock import now
from webapp.process.database import db
from webapp.site.storage import verify


@pytest.fixture
def daily(app: Flask, monkeypatch: pytest.MonkeyPatch) -> str:
    """The givens of the day's daily, as they are stored; each player gets a transformed one."""
    monkeypatch.setitem(app.extensions, "settings", replace(app.extensions["settings"], own_turns=True))
    with app.app_context():
        add_daily()
        return db.session.scalars(sa.select(Puzzle.givens).where(Puzzle.status == "daily")).one()


@pytest.fixture
def bob(app: Flask) -> Visitor:
    visitor = Visitor(app, address="127.0.0.2")
    assert visitor.register("Bob").status_code == 303
    return visitor


def ranked(visitor: Visitor) -> str:
    return visitor.start(daily=DAY.isoformat(), level=2, ranked=1)


def seen(visitor: Visitor, address: str) -> str:
    visitor.get(address)
    return givens_on(visitor.page)


def canonical(givens: str) -> engine.Grid:
    return engine.canonical_form(engine.parse(givens))


def test_it_works(daily: str, clock: SetClock, ada: Visitor, bob: Visitor) -> None:
    boards = [ranked(ada), ranked(bob)]
    givens = [seen(ada, boards[0]), seen(bob, boards[1])]
    assert len({daily, *givens}) == 3
    assert {canonical(daily)} == set(map(canonical, givens))
    solve(ada, boards[0], clock)
    solve(bob, boards[1], clock)
    ada.get(f"/leaderboard?date={DAY.isoformat()}&level=2")
    names = [link.get_text(strip=True) for link in ada.page.select("#leaderboard tbody a")]
    assert sorted(name for name in names if name in ("Ada", "Bob")) == ["Ada", "Bob"]


def test_the_transformation_stays(daily: str, ada: Visitor) -> None:
    board = ranked(ada)
    first = seen(ada, board)
    assert ranked(ada) == board
    assert seen(ada, board) == first != daily


def test_practice_is_as_stored(daily: str, guest: Visitor) -> None:
    assert seen(guest, guest.start(daily=DAY.isoformat(), level=2)) == daily


def test_as_shipped_everyone_has_the_same(day: Flask, ada: Visitor) -> None:
    with day.app_context():
        stored = db.session.scalars(
            sa.select(Puzzle.givens).where(Puzzle.status == "daily", Puzzle.level == 2)
        )
        givens = stored.all()
    assert seen(ada, ranked(ada)) in givens


@pytest.mark.usefixtures("daily")
def test_hints_review_and_verification_are_in_ones_own_turn(
    app: Flask, clock: SetClock, ada: Visitor
) -> None:
    board = ranked(ada)
    moves = moves_to_solve(ada, board)
    assert ada.post(f"{board}/hints", {"depth": "3"}).status_code == 303
    clock.advance(minutes=10)
    assert ada.move(board, 2, *moves).status_code == 200
    assert seen(ada, f"{board}/review") == seen(ada, board)
    with app.app_context():
        assert db.session.scalars(sa.select(Attempt.finished_at)).one() is not None
        assert verify.verify(now()).different == 0


@pytest.mark.usefixtures("daily")
def test_a_moderator_sees_games_in_different_turns_side_by_side(
    app: Flask, clock: SetClock, ada: Visitor, bob: Visitor
) -> None:
    for visitor in (ada, bob):
        board = ranked(visitor)
        moves = moves_to_solve(visitor, board)
        clock.advance(minutes=10)
        with app.app_context():
            turn = db.session.get_one(Attempt, board.rpartition("/")[2]).turn
            assert turn is not None
            back = turn.inverse()
        # All fill the puzzle in the order of its stored cells.
        moves.sort(key=lambda move: back.target(int(move[1])))
        assert visitor.move(board, 1, *moves).status_code == 200
    with app.app_context():
        one, other = db.session.scalars(sa.select(Attempt).order_by(Attempt.started_at))
        drawn = pictures(one, other)
    assert drawn.beside is not None
    assert [place.number for place in drawn.order] == [place.number for place in drawn.beside]
    assert all(place.near for place in drawn.order if place.number is not None)


@pytest.mark.usefixtures("daily")
def test_a_part_of_ones_own_board_is_kept_as_well(ada: Visitor) -> None:
    givens = seen(ada, ranked(ada))
    part = givens[:45] + "." * 36  # has more solutions than are compared
    assert ada.get(f"/analysis?grid={part}").status_code == 409
    assert ada.get(f"/lab?grid={part}").status_code == 422


@settings(max_examples=10)
@given(seed=st.randoms(use_true_random=False), cell=st.integers(0, 80), digit=st.integers(1, 9))
def test_a_move_transformed_and_transformed_back_is_the_same(seed: Random, cell: int, digit: int) -> None:
    turn = engine.Transformation.random(seed.randrange)
    move = Move(1, Kind.COLOUR, (cell,), ((cell, digit),), 3)
    there = transformed(move, turn)
    assert there.digit == 3
    assert transformed(there, turn.inverse()) == move


def test_a_transformed_log_makes_the_transformed_board() -> None:
    grid = engine.parse("...7..12.........4.8316...5..2..6.37..9...8..36.8..4..1...4956.5.........34..8...")
    turn = engine.Transformation(transposed=True, digits=(2, 3, 4, 5, 6, 7, 8, 9, 1))
    move = Move(1, Kind.DIGIT, (0,), digit=5)
    at = SetClock.time
    image = Board.of(turn.apply(grid)).after(transformed(move, turn), at)
    kept = Board.of(grid).after(move, at)
    assert bytes(image.digits) == turn.apply(engine.Grid(bytes(kept.digits))).digits
