"""Replays: shared by choice alone, watched once the daily has closed, and seen puzzles no longer count."""

from __future__ import annotations

import pytest
import sqlalchemy as sa
from flask import Flask

from tests.webapp.competition.test_leaderboard import BOARD
from tests.webapp.solves import add_daily, add_player, add_solve, play
from tests.webapp.statements import change
from tests.webapp.visitors import SetClock, Visitor
from webapp.models import Attempt, Daily, Leaderboard, Peek, Standing
from webapp.process.database import db


@pytest.fixture
def solved(app: Flask, ada: Visitor, clock: SetClock) -> str:
    """The id of a solve of Ada's that is on the leaderboard."""
    with app.app_context():
        add_daily()
    return play(ada, clock).rpartition("/")[2]


@pytest.fixture
def shown(ada: Visitor, clock: SetClock, solved: str) -> str:
    """The same, shared with others, after the daily has closed."""
    assert ada.post(f"/attempts/{solved}/replay", {"shown": "yes"}).status_code == 303
    clock.advance(hours=49)
    return solved


@pytest.mark.both_databases
def test_it_works(guest: Visitor, shown: str) -> None:
    assert guest.get(f"/replays/{shown}?move=5").status_code == 200
    assert "Ada" in guest.page.select_one(".review__facts").text
    own = [cell for cell in guest.page.select("#board [data-digit]") if not cell.has_attr("data-given")]
    assert len(own) == 5
    assert guest.page.select(".review__step")
    assert all(f"/replays/{shown}" in link["href"] for link in guest.page.select(".review__ways a"))


@pytest.mark.both_databases
def test_the_winners_replay_is_offered_first_and_each_beside_its_row(
    app: Flask, guest: Visitor, shown: str
) -> None:
    guest.get(BOARD)
    assert guest.page.find(id="first-replay")["href"] == f"/replays/{shown}"
    assert "winner" in guest.page.find(id="first-replay").text
    assert [link["href"] for link in guest.page.select(".ranking__replay")] == [f"/replays/{shown}"]
    with app.app_context():
        daily = db.session.scalars(sa.select(Daily.id).where(Daily.level == 2)).one()
        add_solve(add_player("Bob"), daily, 60)
    guest.get(BOARD)
    assert "rank 2" in guest.page.find(id="first-replay").text


def test_a_replay_is_private_until_its_player_shows_it_and_again_after(
    ada: Visitor, guest: Visitor, clock: SetClock, solved: str
) -> None:
    clock.advance(hours=49)
    guest.get(BOARD)
    assert guest.page.find(id="first-replay") is None
    assert guest.get(f"/replays/{solved}").status_code == 404
    for wanted, status in (("yes", 200), ("no", 404)):
        assert ada.post(f"/attempts/{solved}/replay", {"shown": wanted}).status_code == 303
        assert guest.get(f"/replays/{solved}").status_code == status


def test_nobody_watches_a_solve_of_an_open_daily(
    ada: Visitor, guest: Visitor, clock: SetClock, solved: str
) -> None:
    ada.post(f"/attempts/{solved}/replay", {"shown": "yes"})
    clock.advance(hours=38, minutes=50)  # two minutes before it closes
    for visitor in (guest, ada):
        assert visitor.get(f"/replays/{solved}").status_code == 404
        visitor.get(BOARD)
        assert visitor.page.select("#first-replay, .ranking__replay") == []
    assert guest.post(f"/replays/{solved}/views").status_code == 404


def test_only_its_player_shows_a_solve(ada: Visitor, other: Visitor, guest: Visitor, solved: str) -> None:
    for visitor in (other, guest):
        assert visitor.post(f"/attempts/{solved}/replay", {"shown": "yes"}).status_code == 404
    ada.get(BOARD)
    assert "private" in ada.page.find(id="my-replay").text


@pytest.mark.parametrize("standing", [Standing.REVIEW, Standing.REMOVED])
def test_what_leaves_the_leaderboard_is_not_to_be_watched(
    app: Flask, guest: Visitor, shown: str, standing: Standing
) -> None:
    change(app, sa.update(Attempt).values(standing=standing, board=None))
    assert guest.get(f"/replays/{shown}").status_code == 404


def test_a_solve_listed_without_a_rank_can_be_watched(app: Flask, guest: Visitor, shown: str) -> None:
    change(app, sa.update(Attempt).values(board=Leaderboard.UNRANKED))
    assert guest.get(f"/replays/{shown}").status_code == 200


@pytest.mark.parametrize("fields", [{}, {"shown": ""}, {"shown": "maybe"}])
def test_a_bad_choice_is_refused(ada: Visitor, solved: str, fields: dict[str, str]) -> None:
    answer = ada.post(f"/attempts/{solved}/replay", fields)
    assert answer.status_code == 422
    assert "shown" in answer.text


def test_an_address_of_nothing_is_not_found(guest: Visitor) -> None:
    assert guest.get(f"/replays/{'x' * 22}").status_code == 404


@pytest.mark.both_databases
def test_who_has_not_solved_the_puzzle_is_asked_and_knows_it_afterwards(
    app: Flask, other: Visitor, shown: str
) -> None:
    other.start(level=2)  # so that a solve of theirs could count
    assert other.get(f"/replays/{shown}").status_code == 200
    assert other.page.find(id="board") is None
    with app.app_context():
        assert db.session.scalars(sa.select(Peek)).all() == []
    assert other.post(f"/replays/{shown}/views").location == f"/replays/{shown}"
    other.get(f"/replays/{shown}")
    assert other.page.find(id="board") is not None
    with app.app_context():
        assert len(db.session.scalars(sa.select(Peek)).all()) == 1


def test_an_anonymous_players_replay_does_not_say_who_it_is(ada: Visitor, guest: Visitor, shown: str) -> None:
    ada.post("/account/listing", {"listing": "anonymous"})
    guest.get(f"/replays/{shown}")
    assert "Ada" not in guest.page.find(id="main").text


def test_a_closed_replay_says_when_it_can_be_watched(ada: Visitor, clock: SetClock, solved: str) -> None:
    ada.post(f"/attempts/{solved}/replay", {"shown": "yes"})
    ada.get(BOARD)
    assert "once this leaderboard has closed" in ada.page.find(id="my-replay").text
    clock.advance(hours=49)
    ada.get(BOARD)
    assert "Others can watch your replay." in ada.page.find(id="my-replay").text
