"""Dailies that an earlier release started on a transformed board: they replay and verify as they are."""

from __future__ import annotations

import sqlalchemy as sa
from flask import Flask

from tests.webapp.competition.test_races import moves_to_solve
from tests.webapp.solves import DAY, add_daily
from tests.webapp.visitors import SetClock, Visitor, givens_on
from webapp.bank.breakdown import random_transform
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
