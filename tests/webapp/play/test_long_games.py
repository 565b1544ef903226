"""Games with thousands of moves: the cost of lists, the limit of a log, and the actions left at it."""

from __future__ import annotations

from datetime import timedelta

import pytest
import sqlalchemy as sa
from flask import Flask

from tests.webapp.conftest import EASY
from tests.webapp.statements import change, noted, one
from tests.webapp.visitors import SetClock, Visitor
from webapp.game.moves import MOST_CELLS, MOST_TO_FINISH
from webapp.models import Attempt, Move
from webapp.play import play
from webapp.play.batches import Recent
from webapp.process.database import db, write_tx


def set_length(app: Flask, length: int) -> None:
    change(app, sa.update(Attempt).values(log_length=length))


def length(app: Flask) -> int:
    return one(app, sa.select(Attempt.log_length))


@pytest.mark.both_databases
def test_a_list_of_games_reads_no_moves(app: Flask, guest: Visitor, monkeypatch: pytest.MonkeyPatch) -> None:
    address = guest.start(grid=EASY)
    guest.move(address, 1, ("digit", 0, 9), ("corner", 1, 2))
    with app.app_context():
        monkeypatch.setattr(play, "_recent", Recent())
        with noted(db.engine) as statements:
            guest.get("/attempts")
    assert statements
    assert not [statement for statement, _values in statements if "FROM move" in statement]


def test_a_game_in_the_list_has_its_digits_and_its_time(guest: Visitor, clock: SetClock) -> None:
    address = guest.start(grid=EASY)
    clock.advance(minutes=1)
    guest.move(address, 1, ("digit", 0, 9), ("digit", "1,2", 8), ("undo", "", ""), ("pause", "", ""))
    clock.advance(minutes=5)
    guest.move(address, 5, ("resume", "", ""))
    clock.advance(seconds=5)
    guest.move(address, 6, ("pause", "", ""))
    clock.advance(hours=1)
    guest.get("/attempts")
    row = guest.page.select_one(".rows__row .quiet")
    assert row.text == f"{EASY.count('.') - 1} to go · 1:05"


@pytest.mark.both_databases
def test_a_log_counts_the_cells_its_moves_name(app: Flask, guest: Visitor, address: str) -> None:
    guest.move(address, 1, ("digit", 0, 9), ("colour", "1,2,3,4:5", 1), ("undo", "", ""), ("check", "", ""))
    assert length(app) == 1 + 4 + 1 + 1


@pytest.mark.both_databases
@pytest.mark.parametrize("move", [("corner", "0,1", 3), ("colour", "5:1,5:2", 2), ("hint", "", 1)])
def test_a_long_game_takes_no_more_marks_and_says_what_it_takes(
    app: Flask, guest: Visitor, move: tuple[str, str, int], address: str
) -> None:
    set_length(app, MOST_CELLS)
    response = guest.move(address, 1, move)
    assert response.status_code == 413
    assert "You can still place digits and undo." in response.text
    assert one(app, sa.select(sa.func.count()).select_from(Move)) == 0


def test_a_batch_with_one_mark_too_many_is_refused_as_a_whole(app: Flask, guest: Visitor) -> None:
    address = guest.start(grid=EASY)
    set_length(app, MOST_CELLS - 2)
    mixed = (("digit", 0, 9), ("corner", 1, 3), ("corner", 1, 4))
    assert guest.move(address, 1, *mixed).status_code == 413
    assert one(app, sa.select(sa.func.count()).select_from(Move)) == 0
    assert guest.move(address, 1, *mixed[:2]).status_code == 200


def test_a_hint_too_many_leaves_a_board_that_takes_digits(app: Flask, guest: Visitor, address: str) -> None:
    set_length(app, MOST_CELLS)
    assert guest.post(f"{address}/hints", {"depth": "4"}, htmx=True).status_code == 413
    assert guest.get(address).status_code == 200
    assert guest.move(address, 1, ("digit", 0, 9), ("undo", "", "")).status_code == 200


def test_a_game_as_long_as_can_be_is_started_again(app: Flask, guest: Visitor, address: str) -> None:
    set_length(app, MOST_TO_FINISH)
    response = guest.move(address, 1, ("digit", 0, 9))
    assert response.status_code == 413
    assert "Start the puzzle again" in response.text
    assert guest.start(grid=EASY) != address


@pytest.mark.both_databases
def test_the_page_of_the_longest_game_is_bounded(app: Flask, guest: Visitor, clock: SetClock) -> None:
    """The costliest log: each move colors one candidate."""
    address = guest.start(grid=EASY)
    with app.app_context(), write_tx():
        attempt = db.session.scalars(sa.select(Attempt)).one()
        rows = [
            {
                "attempt_id": attempt.id,
                "seq": seq,
                "kind": "colour",
                "cell": f"80:{1 + seq % 9}",
                "digit": 1 + seq % 7,
                "received_at": clock.time + timedelta(milliseconds=seq),
            }
            for seq in range(1, MOST_CELLS + 1)
        ]
        db.session.execute(sa.insert(Move), rows)
        attempt.last_seq = attempt.log_length = MOST_CELLS
    assert len(guest.get(address).data) < 500_000
