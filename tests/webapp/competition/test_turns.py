"""Dailies that an earlier release started on a transformed board: they replay and verify as they are."""

from __future__ import annotations

from random import Random

import sqlalchemy as sa
from flask import Flask
from hypothesis import given, settings
from hypothesis import strategies as st

import engine
from tests.webapp.competition.test_races import moves_to_solve
from tests.webapp.solves import DAY, add_daily
from tests.webapp.visitors import SetClock, Visitor, givens_on
from webapp.bank.breakdown import random_transform
from webapp.game.board import Board
from webapp.game.moves import Kind, Move
from webapp.game.transforming import transformed
from webapp.models import Attempt
from webapp.process.clock import now
from webapp.process.database import db, write_tx
from webapp.site.storage import verify


def test_hints_review_and_verification_are_in_ones_own_turn(
    app: Flask, clock: SetClock, ada: Visitor
) -> None:
    with app.app_context():
        add_daily()
    board = ada.start(daily=DAY.isoformat(), level=2, ranked=1)
    with app.app_context(), write_tx():
        attempt = db.session.scalars(sa.select(Attempt)).one()
        attempt.turn = random_transform(attempt.puzzle.givens).transformation
    moves = moves_to_solve(ada, board)
    assert ada.post(f"{board}/hints", {"depth": "3"}).status_code == 303
    clock.advance(minutes=10)
    assert ada.move(board, 2, *moves).status_code == 200
    seen = []
    for page in (board, f"{board}/review"):
        ada.get(page)
        seen.append(givens_on(ada.page))
    assert seen[0] == seen[1]
    with app.app_context():
        assert db.session.scalars(sa.select(Attempt.finished_at)).one() is not None
        assert verify.verify(now()).different == 0


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
