"""The home page: today's dailies with one button each, the streak, a game to continue, a first puzzle."""

from __future__ import annotations

from datetime import timedelta

import pytest
import sqlalchemy as sa
from bs4 import Tag
from flask import Flask

from tests.webapp.conftest import solution_of
from tests.webapp.solves import add_daily, add_player, add_solve
from tests.webapp.visitors import SetClock, Visitor, solving_moves
from webapp.competition.daily import dailies
from webapp.competition.groups import groups
from webapp.models import Attempt, Player, Puzzle
from webapp.process.database import db, write_tx

TODAY = SetClock.time.date()


def card(visitor: Visitor, level: int) -> Tag:
    found = visitor.page.find(id=f"daily-card-{level}")
    assert isinstance(found, Tag)
    return found


def doors(visitor: Visitor, level: int) -> list[str]:
    """What can be pressed on a card, without the words for screen readers."""
    for words in card(visitor, level).select(".visually-hidden"):
        words.extract()
    return [door.text for door in card(visitor, level).select(".button")]


def solve(visitor: Visitor, address: str) -> None:
    visitor.get(address)
    givens = visitor.page.find(id="board")["data-givens"]
    visitor.move(address, 1, *solving_moves(givens, solution_of(givens)))


@pytest.mark.usefixtures("day")
def test_it_works(guest: Visitor) -> None:
    assert guest.get("/").status_code == 200
    assert guest.page.h1.text == "Today’s puzzles"
    assert guest.page.select_one(".home__date").text.strip() == "Sunday, March 1"
    assert [button["value"] for button in guest.page.select("#new-game button[name=level]")] == list("12345")
    assert [doors(guest, level) for level in (2, 3, 4)] == [["Play"]] * 3


@pytest.mark.usefixtures("day")
@pytest.mark.parametrize(("wait", "words"), [(15 * 60, "15 h 0 min"), (16, "16:00")])
def test_the_wait_is_written_as_the_script_will_so_that_nothing_shifts(
    guest: Visitor, clock: SetClock, wait: int, words: str
) -> None:
    clock.advance(hours=15, minutes=-wait)
    guest.get("/")
    assert guest.page.find(id="countdown").text == words


@pytest.mark.usefixtures("day")
def test_a_daily_has_one_button_that_says_what_comes_next(guest: Visitor) -> None:
    form = {"daily": TODAY.isoformat(), "level": "2", "ranked": "1"}
    guest.get("/")
    fields = {field["name"]: field.get("value") for field in card(guest, 2).select("form [name]")}
    assert form.items() <= fields.items()
    address = guest.start(**form)
    guest.get("/")
    assert doors(guest, 2) == ["Resume"]
    assert card(guest, 2).select_one("a.button")["href"] == address
    solve(guest, address)
    guest.get("/")
    assert doors(guest, 2) == ["Review"]
    assert doors(guest, 3) == ["Play"]


def test_a_daily_that_cannot_be_ranked_any_more_is_played_as_practice(day: Flask, cora: Visitor) -> None:
    with day.app_context():
        puzzle = dailies.of_today(None, SetClock.time).entries[0].daily.puzzle_id
    cora.get(f"/admin/puzzles/{puzzle}")
    cora.get("/")
    assert doors(cora, 2) == ["Play"]
    assert card(cora, 2).find(attrs={"name": "ranked"}) is None


def test_the_digits_of_a_daily_are_drawn_once_it_has_been_started(day: Flask, guest: Visitor) -> None:
    guest.get("/")
    assert not guest.page.select(".dailies text")
    guest.start(daily=TODAY.isoformat(), level=3)
    guest.get("/")
    assert not card(guest, 2).select("text")
    with day.app_context():
        givens = dailies.of_today(None, SetClock.time).entries[1].daily.puzzle.givens
    assert [text.text for text in card(guest, 3).select("text")] == list(givens.replace(".", ""))


def test_without_dailies_it_says_when(guest: Visitor) -> None:
    guest.get("/")
    assert guest.page.select(".dailies") == []
    assert "They’ll be ready in a minute." in guest.page.select_one(".home__sub").text


# A newcomer


def test_a_newcomer_finds_a_board_to_play_on(guest: Visitor) -> None:
    guest.get("/")
    board = guest.page.find(id="first-board")
    assert len(board.select("[role=gridcell]")) == 81
    assert guest.page.select_one(".first__keys [name=puzzle]")["value"]
    assert board.select("a[href='?cell=0#first-title']")


def test_the_first_digit_starts_the_game_without_javascript(app: Flask, guest: Visitor) -> None:
    guest.get("/?cell=0")
    assert guest.page.find(id="first-0").has_attr("data-selected")
    form = guest.page.select_one(".first__keys")
    fields = {field["name"]: field["value"] for field in form.select("input")}
    assert fields["cell"] == "0"
    givens = "".join(cell.get_text()[-1] for cell in guest.page.select("#first-board [data-given]"))
    digit = next(digit for digit in "123456789" if digit not in givens[:3])
    answer = guest.post("/attempts", fields | {"digit": digit})
    assert (answer.status_code, answer.location.partition("?")[2]) == (303, "cell=0")
    guest.get(answer.location)
    assert guest.page.find(id="c0")["data-digit"] == digit
    with app.app_context():
        assert db.session.scalars(sa.select(Attempt.last_seq)).all() == [1]


def test_a_digit_goes_into_no_game_that_is_under_way(guest: Visitor) -> None:
    guest.get("/")
    puzzle = guest.page.select_one(".first__keys [name=puzzle]")["value"]
    address = guest.start(puzzle=puzzle)
    guest.move(address, 1, ("digit", 0, "5"))
    guest.post("/attempts", {"puzzle": puzzle, "cell": "0", "digit": "6"})
    guest.get(address)
    assert guest.page.find(id="c0")["data-digit"] == "5"


@pytest.mark.parametrize(("cell", "digit"), [("81", "1"), ("x", "1"), ("0", "0"), ("0", "12"), ("0,1", "x")])
def test_a_bad_first_move_starts_nothing(app: Flask, guest: Visitor, cell: str, digit: str) -> None:
    guest.get("/")
    puzzle = guest.page.select_one(".first__keys [name=puzzle]")["value"]
    answer = guest.post("/attempts", {"puzzle": puzzle, "cell": cell, "digit": digit})
    assert answer.status_code == 422
    with app.app_context():
        assert db.session.scalar(sa.select(sa.func.count()).select_from(Player)) == 0


@pytest.mark.parametrize("cell", ["-1", "81", "x", ""])
def test_a_cell_that_is_none_is_not_selected(guest: Visitor, cell: str) -> None:
    assert guest.get(f"/?cell={cell}").status_code == 200
    assert guest.page.select("#first-board [data-selected]") == []


def test_the_first_puzzle_is_always_the_same(app: Flask, guest: Visitor) -> None:
    guest.get("/")
    first = guest.page.select_one(".first__keys [name=puzzle]")["value"]
    Visitor(app).get("/")
    guest.get("/")
    assert guest.page.select_one(".first__keys [name=puzzle]")["value"] == first


def test_the_first_puzzle_is_one_that_is_offered(app: Flask, guest: Visitor) -> None:
    guest.get("/")
    assert guest.page.find(id="first-board")
    with app.app_context(), write_tx():
        db.session.execute(sa.update(Puzzle).values(offered=False))
    guest.get("/")
    assert guest.page.find(id="first-board") is None


def test_whoever_has_played_gets_a_game_to_continue_instead(guest: Visitor) -> None:
    address = guest.start(level=4)
    guest.start(level=3)
    guest.move(address, 1, ("digit", 0, "5"))
    guest.get("/")
    assert guest.page.find(id="first-board") is None
    assert guest.page.select_one(".home__continue a.button")["href"] == address
    assert guest.page.select_one(".home__others").text == "1 more game"
    for level in (1, 2):
        guest.start(level=level)
    guest.get("/")
    assert guest.page.select_one(".home__others").text == "3 more games"


# Who has been here before


@pytest.mark.usefixtures("day")
def test_the_streak_is_told_in_a_line_and_seven_circles(ada: Visitor, clock: SetClock) -> None:
    solve(ada, ada.start(daily=TODAY.isoformat(), level=2))
    ada.get("/")
    assert ada.page.select_one(".week__words").text == "1-day streak · See you tomorrow."
    assert [day["data-state"] for day in ada.page.select(".week li")] == ["missed"] * 6 + ["solved"]
    clock.advance(days=1)
    ada.get("/")
    assert ada.page.select_one(".week__words").text == "1-day streak · Play one today to keep it."
    assert [day["data-state"] for day in ada.page.select(".week li")] == ["open"] + ["ahead"] * 6


def test_a_share_is_told_once_enough_have_solved_a_daily(app: Flask, ada: Visitor) -> None:
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
    ada.get("/")
    assert ada.page.select_one(".home__group").text.startswith("Office")
    assert "Solve a daily" in ada.page.select_one(".home__group").text


@pytest.mark.usefixtures("day")
def test_whoever_has_played_finds_the_lesson_of_the_day(guest: Visitor) -> None:
    guest.start()
    guest.get("/")
    button = guest.page.select_one(".home__practice .button")
    assert (button["href"], button["aria-label"]) == ("/learn/hidden_single", "Start lesson: Hidden Single")
