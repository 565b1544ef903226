"""The home page: a newcomer's guided board, or a game to continue, today's dailies and the streak."""

from __future__ import annotations

from datetime import timedelta

import pytest
import sqlalchemy as sa
from flask import Flask

from tests.webapp.competition.test_daily import card
from tests.webapp.conftest import solution_of
from tests.webapp.solves import add_daily, add_player, add_solve
from tests.webapp.statements import one
from tests.webapp.visitors import SetClock, Visitor, solving_moves
from webapp.competition.groups import groups
from webapp.game import tour
from webapp.models import Attempt, Player
from webapp.process.database import db, write_tx

TODAY = SetClock.time.date()


def way(visitor: Visitor, level: int) -> str:
    """Where a card leads."""
    return str(card(visitor, level).a["href"])


def played(visitor: Visitor) -> Visitor:
    """Somebody who has begun a game, and so is no newcomer."""
    visitor.start(level=1)
    visitor.get("/")
    return visitor


@pytest.mark.usefixtures("day")
def test_it_works(guest: Visitor) -> None:
    assert played(guest).page.h1.text == "Welcome back"
    assert guest.page.select_one(".home__date").text.strip() == "Sunday, March 1"
    assert [way(guest, level) for level in (2, 3, 4)] == [f"/daily/{TODAY}/{level}" for level in (2, 3, 4)]
    assert [item["id"] for item in guest.page.select(".daily-lead")] == ["daily-card-2"]


@pytest.mark.usefixtures("day")
@pytest.mark.parametrize(("wait", "words"), [(15 * 60, "15 h 0 min"), (16, "16:00")])
def test_the_wait_is_written_as_the_script_will_so_that_nothing_shifts(
    guest: Visitor, clock: SetClock, wait: int, words: str
) -> None:
    guest.start(level=1)
    clock.advance(hours=15, minutes=-wait)
    guest.get("/")
    assert guest.page.find(id="countdown").text == words


@pytest.mark.usefixtures("day")
def test_the_easiest_daily_to_play_is_the_large_card(guest: Visitor) -> None:
    address = guest.start(daily=TODAY.isoformat(), level=2, ranked=1)
    guest.get("/")
    assert way(guest, 2) == address
    guest.finish(address)
    guest.get("/")
    assert way(guest, 2) == f"{address}/review"
    assert [item["id"] for item in guest.page.select(".daily-lead")] == ["daily-card-3"]
    for level in (3, 4):
        guest.finish(guest.start(daily=TODAY.isoformat(), level=level))
    guest.get("/")
    assert "That’s all of them." in guest.page.select_one(".home__done").text
    assert not guest.page.select(".daily-lead")


@pytest.mark.usefixtures("day")
def test_a_daily_is_a_picture_without_a_digit(guest: Visitor) -> None:
    guest.start(daily=TODAY.isoformat(), level=3)
    guest.get("/")
    assert not guest.page.select(".dailies text")
    assert len(guest.page.select(".dailies svg.squares")) == 3


def test_without_dailies_it_says_when(guest: Visitor) -> None:
    assert played(guest).page.select(".dailies") == []
    assert "Today’s puzzles will be ready in a minute." in guest.page.select_one(".home__head").text


def test_a_new_puzzle_has_the_level_chosen_last(guest: Visitor) -> None:
    guest.start(level=4)
    guest.get("/")
    assert guest.page.select_one(".new__start")["value"] == "4"
    assert [button["value"] for button in guest.page.select(".new__menu [name=level]")] == list("12345")


# A new visitor


@pytest.mark.usefixtures("day")
def test_a_newcomers_home_is_a_board_with_a_guide(app: Flask, guest: Visitor) -> None:
    guest.get("/")
    assert guest.page.h1.text == "Your first Sudoku"
    assert len(guest.page.select("#board [role=gridcell]")) == 81
    assert guest.page.select_one("#board [data-selected]")["id"] == f"c{tour.STEPS[0].cell}"
    assert "middle box, in green" in guest.page.select_one(".tour__one:not([hidden])").text
    assert len(guest.page.select("#board [data-guide]")) == 9
    assert len(guest.page.select(".home__later .daily-tile")) == 3
    assert one(app, sa.select(sa.func.count()).select_from(Player)) == 0


def test_the_first_digit_begins_the_game_without_javascript(app: Flask, guest: Visitor) -> None:
    step = tour.STEPS[0]
    guest.get(f"/?cell={step.cell}")
    form = guest.page.select_one("form[data-command=key]")
    fields = {field["name"]: field["value"] for field in form.select("input")}
    answer = guest.post(form["action"], fields | {"digit": step.digit})
    assert answer.status_code == 303
    guest.get(answer.location)
    assert guest.page.find(id=f"c{step.cell}")["data-digit"] == str(step.digit)
    assert guest.page.h1.text == "Your first Sudoku"
    with app.app_context():
        assert db.session.scalars(sa.select(Attempt.last_seq)).all() == [1]


def test_the_guided_board_stays_until_another_game_begins(guest: Visitor) -> None:
    guest.get("/")
    for number, step in enumerate(tour.STEPS, 1):
        guest.move("/attempts/first", number, ("digit", step.cell, step.digit))
    guest.get("/")
    assert guest.page.find(id="board")["data-seq"] == "3"
    assert "the whole game" in guest.page.select_one(".tour__one:not([hidden])").text
    guest.finish(guest.start(level=1))
    guest.get("/")
    assert guest.page.find(id="board") is None
    assert guest.page.select_one(".home__continue h2").text == "Your first Sudoku"


def test_moves_sent_again_after_a_lost_answer_begin_no_second_game(app: Flask, guest: Visitor) -> None:
    guest.get("/")
    moves = solving_moves(tour.GIVENS, solution_of(tour.GIVENS))
    for _time in range(2):
        assert guest.move("/attempts/first", 1, *moves).status_code == 200
    with app.app_context():
        assert len(db.session.scalars(sa.select(Attempt.id)).all()) == 1


def test_looking_at_the_guided_game_begins_none(app: Flask, guest: Visitor) -> None:
    assert guest.get("/attempts/first").status_code == 404
    assert one(app, sa.select(sa.func.count()).select_from(Player)) == 0


@pytest.mark.parametrize("cell", ["-1", "81", "x", ""])
def test_a_cell_that_is_none_is_not_selected(guest: Visitor, cell: str) -> None:
    assert guest.get(f"/?cell={cell}").status_code == 200
    assert guest.page.select_one("#board [data-selected]")["id"] == f"c{tour.STEPS[0].cell}"


def test_a_returning_player_gets_a_game_to_continue_instead(guest: Visitor) -> None:
    address = guest.start(level=4)
    guest.start(level=3)
    guest.move(address, 1, ("digit", 0, "5"))
    guest.get("/")
    assert guest.page.select_one(".home__continue a.button")["href"] == address


# A returning visitor


@pytest.mark.usefixtures("day")
def test_a_streak_is_a_block_that_fills(ada: Visitor, clock: SetClock) -> None:
    ada.start(level=1)
    ada.get("/")
    assert not ada.page.select(".streak-block"), "nothing to show, and nothing to blame"
    ada.finish(ada.start(daily=TODAY.isoformat(), level=2))
    ada.get("/")
    assert (
        ada.page.select_one(".streak-block__words").text
        == "1-day streak That’s today done. See you tomorrow."
    )
    assert len(ada.page.select(".streak-block__today")) == 1
    clock.advance(days=1)
    ada.get("/")
    assert ada.page.select_one(".streak-block__words").text == "1-day streak Play one today to keep it."
    assert len(ada.page.select(".streak-block__day--done")) == 1


def test_a_share_is_shown_once_enough_have_solved_a_daily(app: Flask, ada: Visitor) -> None:
    with app.app_context(), write_tx():
        daily = add_daily(TODAY)
        add_solve(db.session.scalars(sa.select(Player.id)).one(), daily, 500)
        for number in range(8):
            add_solve(add_player(f"Rival {number}"), daily, 600 + 50 * number)
    ada.get("/")
    assert "top" not in card(ada, 2).text
    with app.app_context(), write_tx():
        add_solve(add_player("Rival 9"), daily, 400)
    ada.get("/")
    assert "top 12%" in card(ada, 2).text


def test_a_group_is_one_line(day: Flask, ada: Visitor) -> None:
    with day.app_context():
        player = db.session.scalars(sa.select(Player.id).where(Player.name == "Ada")).one()
        groups.create(player, "Office", SetClock.time - timedelta(days=1))
    played(ada)
    assert ada.page.select_one(".home__group").text.startswith("Office")
    assert "Solve a daily" in ada.page.select_one(".home__group").text


@pytest.mark.usefixtures("day")
def test_a_returning_player_finds_the_lesson_of_the_day(guest: Visitor) -> None:
    guest.start()
    guest.get("/")
    row = guest.page.select_one(".home__practice")
    assert (row["href"], row.text.strip()) == ("/learn/words", "Next lesson: The words we use")
