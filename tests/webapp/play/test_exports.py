"""Copying a position and opening it elsewhere: access, content, and never of an open daily."""

from __future__ import annotations

import pytest
import sqlalchemy as sa
from flask import Flask

from tests.webapp.conftest import EASY, solution_of
from tests.webapp.solves import add_daily, at
from tests.webapp.statements import change, one
from tests.webapp.visitors import SetClock, Visitor, solving_moves
from webapp.models import Puzzle, Status
from webapp.process.database import db, write_tx


def offered(visitor: Visitor) -> dict[str, str]:
    """Return the page's texts to copy, by key."""
    return {
        str(field["id"]).removeprefix("copy-"): field.text for field in visitor.page.select(".copy textarea")
    }


def test_it_works(guest: Visitor) -> None:
    address = guest.start(level=2)
    guest.get(address)
    givens = guest.givens
    assert guest.page.select_one("#elsewhere")["action"] == f"{address}/exports"
    move = solving_moves(givens, solution_of(givens))[0]
    guest.move(address, 1, move)
    assert guest.get(f"{address}/exports").status_code == 200
    texts = offered(guest)
    assert texts["givens"] == givens
    assert texts["digits"].count(".") == givens.count(".") - 1
    links = guest.page.select("a[target=_blank]")
    assert [link["rel"] for link in links] == [["noopener", "noreferrer"]] * 3


def test_a_solved_game_is_shown_after_any_of_its_moves(guest: Visitor) -> None:
    address = guest.start(level=2)
    guest.get(address)
    givens = guest.givens
    guest.finish(address)
    guest.get(f"{address}/exports?move=2")
    assert offered(guest)["digits"].count(".") == givens.count(".") - 2
    guest.get(f"{address}/exports?move=2&step=1")
    assert "digits" not in offered(guest), "before the first step of the path nothing is placed"


@pytest.mark.parametrize("ranked", ["1", ""])
def test_an_open_daily_is_offered_nowhere_until_its_leaderboard_closes(
    app: Flask, guest: Visitor, clock: SetClock, ranked: str
) -> None:
    with app.app_context():
        add_daily()
        number = db.session.scalars(sa.select(Puzzle.id).where(Puzzle.status == Status.DAILY)).one()
        with write_tx():
            db.session.execute(sa.update(Puzzle).values(canonical="1" + "." * 80))
    address = guest.start(daily=clock.time.date().isoformat(), level=2, ranked=ranked)
    pages = (address, f"{address}/exports", f"{address}/exports?move=0", f"/puzzles/{number}")
    for page in pages:
        guest.get(page)
        assert offered(guest) == {}
        assert guest.page.select("#elsewhere, .exports, #copy-canonical") == []
    clock.time = at(hours=48)
    guest.get(pages[1])
    assert "givens" in offered(guest)
    guest.get(pages[-1])
    assert offered(guest).keys() == {"givens", "candidates", "canonical"}


def test_a_puzzles_page_has_its_canonical_form_once_that_is_known(app: Flask, guest: Visitor) -> None:
    number = one(app, sa.select(Puzzle.id).where(Puzzle.level == 2))
    guest.get(f"/puzzles/{number}")
    assert "canonical" not in offered(guest)
    change(app, sa.update(Puzzle).where(Puzzle.id == number).values(canonical=EASY))
    guest.get(f"/puzzles/{number}")
    assert offered(guest)["canonical"] == EASY


def test_an_entered_puzzle_is_offered_as_soon_as_it_can_be_played(guest: Visitor) -> None:
    guest.post("/enter", {"grid": EASY})
    assert offered(guest)["givens"] == EASY
    guest.post("/enter", {"grid": "77" + EASY[2:]})
    assert offered(guest) == {}
