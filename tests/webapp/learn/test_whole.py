"""Whole puzzles as practice: the effect of a solved game on the card of its hardest technique."""

from __future__ import annotations

import pytest
import sqlalchemy as sa
from flask import Flask

from tests.webapp.conftest import solution_of
from tests.webapp.learn.strength.played import add_puzzles
from tests.webapp.visitors import Visitor, solving_moves
from webapp.models import Attempt, PracticeCard
from webapp.process.database import db, write_tx

WHOLE = {"must": "x_wing", "hardest": "x_wing"}


@pytest.fixture(autouse=True)
def x_wing(app: Flask) -> int:
    """The bank's only puzzle that needs an X-Wing, and nothing harder."""
    with app.app_context():
        [number] = add_puzzles(1, breakdown='{"x_wing":1}')
    return number


def cards_after(app: Flask, visitor: Visitor, *, check: bool = False, **choice: object) -> list[PracticeCard]:
    """Return the cards after a game is solved."""
    address = visitor.start(**choice)
    visitor.get(address)
    givens = visitor.page.find(id="board")["data-givens"]
    if check:
        visitor.move(address, 1, ("check", "", ""))
    visitor.move(address, 1 + check, *solving_moves(givens, solution_of(givens)))
    with app.app_context():
        assert db.session.scalar(sa.select(Attempt.finished_at)) is not None
        return list(db.session.scalars(sa.select(PracticeCard)))


@pytest.mark.both_databases
def test_solved_alone_it_is_as_good_as_found(app: Flask, guest: Visitor) -> None:
    [card] = cards_after(app, guest, **WHOLE)
    assert card.technique == "x_wing"
    assert card.stability > 2


def test_solved_with_help_it_comes_back_earlier(app: Flask, guest: Visitor) -> None:
    [card] = cards_after(app, guest, check=True, **WHOLE)
    assert card.stability < 2


def test_a_puzzle_met_anywhere_is_practice_for_those_who_have_opened_the_lesson(
    app: Flask, guest: Visitor, x_wing: int
) -> None:
    guest.start()  # visitors who only read leave no trace, so the readers have played
    guest.get("/learn/x_wing")
    with app.app_context(), write_tx():
        db.session.execute(sa.delete(Attempt))
    assert [card.technique for card in cards_after(app, guest, puzzle=x_wing)] == ["x_wing"]


def test_others_get_no_card(app: Flask, guest: Visitor, x_wing: int) -> None:
    assert cards_after(app, guest, puzzle=x_wing) == []
