"""A process's cache of games: it saves reads, and never decides what is stored."""

from __future__ import annotations

import psycopg
import pytest
import sqlalchemy as sa
from flask import Flask

import engine
from tests.webapp.conftest import EASY
from tests.webapp.statements import change, noted
from tests.webapp.visitors import Visitor
from webapp.models import Attempt, Move, Player
from webapp.play import play
from webapp.play.batches import A_GAME, Recent
from webapp.process.database import db, write_tx

FIRST, SECOND = ("digit", 0, 9), ("corner", 1, 2)


def kinds(app: Flask) -> list[str]:
    """Return the kinds of all stored moves, in order."""
    with app.app_context():
        return list(db.session.scalars(sa.select(Move.kind).order_by(Move.seq)))


@pytest.mark.both_databases
def test_a_batch_after_the_last_move_seen_reads_only_who_plays(app: Flask, guest: Visitor) -> None:
    address = guest.start(grid=EASY)
    guest.move(address, 1, FIRST)
    with app.app_context():
        database = db.engine
    with noted(database) as sent:
        assert guest.move(address, 2, SECOND).status_code == 200
    statements = [statement for statement, _values in sent if statement.split()[0] != "BEGIN"]
    assert [statement.split()[0] for statement in statements] == ["SELECT", "UPDATE", "INSERT"]
    assert "FROM player" in statements[0]


@pytest.mark.both_databases
def test_a_batch_of_several_moves_is_stored_as_it_was_sent(app: Flask, guest: Visitor, address: str) -> None:
    guest.move(address, 1, FIRST, SECOND, ("colour", "3,4:5", 1), ("undo", "", ""))
    with app.app_context():
        rows = db.session.execute(sa.select(Move.seq, Move.kind, Move.cell, Move.digit).order_by(Move.seq))
        assert [tuple(row) for row in rows] == [
            (1, "digit", "0", 9),
            (2, "corner", "1", 2),
            (3, "colour", "3,4:5", 1),
            (4, "undo", "", None),
        ]
        attempt = db.session.scalars(sa.select(Attempt)).one()
        assert (attempt.last_seq, attempt.log_length, attempt.filled) == (4, 5, 81 - EASY.count(".") + 1)


@pytest.mark.both_databases
@pytest.mark.parametrize(
    ("here", "status", "stored"),
    [
        ((3, FIRST), 200, ["digit", "corner", "digit"]),  # after the other process's move
        ((2, SECOND), 200, ["digit", "corner"]),  # the very same move, sent again
        ((2, FIRST), 409, ["digit", "corner"]),  # another at its number
    ],
)
def test_a_game_gone_on_in_another_process_is_read_again(
    app: Flask,
    guest: Visitor,
    monkeypatch: pytest.MonkeyPatch,
    here: tuple[int, tuple[str, int, int]],
    status: int,
    stored: list[str],
) -> None:
    address = guest.start(grid=EASY)
    guest.move(address, 1, FIRST)
    with monkeypatch.context() as elsewhere:
        elsewhere.setattr(play, "_recent", Recent())
        guest.move(address, 2, SECOND)
    seq, move = here
    assert guest.move(address, seq, move).status_code == status
    assert kinds(app) == stored


@pytest.mark.both_databases
def test_a_game_that_has_become_another_players_is_no_longer_its_old_ones(app: Flask, guest: Visitor) -> None:
    address = guest.start(grid=EASY)
    guest.move(address, 1, FIRST)
    with app.app_context(), write_tx():
        attempt = db.session.scalars(sa.select(Attempt)).one()
        other = Player(created_at=attempt.started_at)
        db.session.add(other)
        db.session.flush()
        attempt.player_id = other.id
    assert guest.move(address, 2, SECOND).status_code == 404
    assert kinds(app) == ["digit"]


def test_a_game_that_no_longer_counts_may_be_paused_after_its_next_move(app: Flask, guest: Visitor) -> None:
    address = guest.start(grid=EASY)
    change(app, sa.update(Attempt).values(ranked=True))
    guest.move(address, 1, FIRST)
    guest.get(address)
    change(app, sa.update(Attempt).values(ranked=False))
    assert "Ranked" not in guest.move(address, 2, SECOND).text
    assert guest.move(address, 3, ("pause", "", "")).status_code == 200


@pytest.mark.both_databases
def test_a_last_move_that_was_stored_but_not_acknowledged_can_be_sent_again(
    app: Flask, guest: Visitor, monkeypatch: pytest.MonkeyPatch, address: str
) -> None:
    """The database is lost after the commit, before the board is cached."""
    solution = str(engine.solution(engine.parse(EASY)))
    *moves, last = [("digit", cell, int(solution[cell])) for cell in range(81) if EASY[cell] == "."]
    guest.move(address, 1, *moves)
    with monkeypatch.context() as cut:
        cut.setattr(play, "Seen", lost)
        assert guest.move(address, len(moves) + 1, last).status_code == 503
    again = guest.move(address, len(moves) + 1, last)
    assert again.status_code == 200
    assert 'data-state="solved"' in again.text
    assert len(kinds(app)) == len(moves) + 1


def lost(*_arguments: object) -> None:
    raise sa.exc.OperationalError("SELECT", None, psycopg.OperationalError("the connection is lost"))


@pytest.mark.both_databases
def test_a_deleted_game_is_not_found(app: Flask, guest: Visitor, address: str) -> None:
    guest.move(address, 1, FIRST)
    change(app, sa.delete(Attempt))
    assert guest.move(address, 2, SECOND).status_code == 404


def test_the_games_seen_least_lately_are_forgotten(app: Flask, guest: Visitor) -> None:
    addresses = [guest.start(grid=EASY), guest.start(level=1)]
    recent = Recent(most_moves=A_GAME + 1)
    with app.app_context():
        attempts = db.session.scalars(sa.select(Attempt).order_by(Attempt.started_at, Attempt.id)).all()
        for attempt in attempts:
            recent.of(attempt)
        known = [recent.before(1, attempt.id, attempt.player_id) is not None for attempt in attempts]
    assert len(addresses) == len(known) == 2
    assert known == [False, True]
