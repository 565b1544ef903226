"""The card at the end of a game: time, two chips, three figures, its place, and one thing to do next."""

from __future__ import annotations

import pytest
from flask import Flask

from tests.webapp.conftest import EASY, solution_of
from tests.webapp.solves import add_player, add_solve
from tests.webapp.visitors import SetClock, Visitor, solving_moves
from webapp.competition.daily import dailies
from webapp.process.database import write_tx

TODAY = SetClock.time.date()


def finish(
    visitor: Visitor, clock: SetClock, *, minutes: float = 8, hint: bool = False, **choice: object
) -> str:
    """Play a puzzle to its end; its address, with its page read."""
    address = visitor.start(**choice)
    visitor.get(address)
    givens = visitor.page.find(id="board")["data-givens"]
    if hint:
        visitor.post(f"{address}/hints", {"depth": "1"})
    clock.advance(minutes=minutes)
    visitor.move(address, 1 + hint, *solving_moves(givens, solution_of(givens)))
    visitor.get(address)
    return address


def chips(visitor: Visitor) -> list[str]:
    return [chip.text for chip in visitor.page.select(".finish__chip")]


def primary(visitor: Visitor) -> list[str]:
    return [button.text for button in visitor.page.select("#finish-panel > form .button--primary")]


def test_it_works(guest: Visitor, clock: SetClock) -> None:
    finish(guest, clock, grid=EASY)
    assert guest.page.select_one(".finish__time").text.strip() == "8:00"
    assert len(guest.page.select(".finish__figures > div")) <= 3
    assert primary(guest) == ["New puzzle"]
    assert guest.page.find(id="finish-title")["tabindex"] == "-1"


def test_a_first_solve_of_a_level_is_told(guest: Visitor, clock: SetClock) -> None:
    finish(guest, clock, level=1)
    assert chips(guest) == ["no hints", "first Beginner solve"]


@pytest.mark.parametrize(
    ("minutes", "words"),
    [(6.5, "personal best by 1:30"), (9, "1:00 off your best"), (8, "0:00 off your best")],
)
def test_a_time_is_held_against_the_best_at_its_level(
    guest: Visitor, clock: SetClock, minutes: float, words: str
) -> None:
    finish(guest, clock, grid=EASY)
    finish(guest, clock, minutes=minutes, grid=EASY[::-1])
    assert chips(guest)[1] == words


def test_help_is_said_first(guest: Visitor, clock: SetClock) -> None:
    finish(guest, clock, hint=True, level=3)
    assert chips(guest) == ["help used", "Medium"]


@pytest.mark.usefixtures("day")
def test_after_a_daily_the_next_one_is_the_thing_to_do(ada: Visitor, clock: SetClock) -> None:
    finish(ada, clock, daily=TODAY.isoformat(), level=3, ranked=1)
    assert primary(ada) == ["Play today’s Easy"]
    form = ada.page.select_one("#finish-panel > .finish__next")
    fields = {field["name"]: field["value"] for field in form.select("[name]")}
    assert {"daily": TODAY.isoformat(), "level": "2", "ranked": "1"}.items() <= fields.items()
    finish(ada, clock, daily=TODAY.isoformat(), level=2, ranked=1)
    finish(ada, clock, daily=TODAY.isoformat(), level=4, ranked=1)
    assert primary(ada) == ["New puzzle"]


@pytest.mark.usefixtures("day")
def test_a_daily_tells_the_streak(guest: Visitor, clock: SetClock) -> None:
    finish(guest, clock, daily=TODAY.isoformat(), level=2)
    assert guest.page.select_one(".finish__figures dd").text == "1 day"
    assert guest.page.select_one("#finish-panel .week__words").text == "1-day streak · See you tomorrow."
    assert chips(guest) == ["no hints", "practice"]


@pytest.mark.usefixtures("day")
@pytest.mark.parametrize(
    ("choice", "chip"),
    [
        ({"ranked": 1, "minutes": 0.05}, "under review"),
        ({"minutes": 0.05}, "under review"),
        ({"ranked": 1, "minutes": 8, "hint": True}, "unranked"),
        ({"ranked": 1, "minutes": 60 * 40}, "practice"),  # the leaderboard has closed
    ],
)
def test_what_became_of_a_daily_is_said_here(
    ada: Visitor, clock: SetClock, choice: dict[str, object], chip: str
) -> None:
    finish(ada, clock, daily=TODAY.isoformat(), level=2, **choice)
    assert chips(ada)[1] == chip
    assert ada.page.find(id="my-rank") is not None


def test_it_shows_where_the_time_lies_among_the_others(day: Flask, ada: Visitor, clock: SetClock) -> None:
    with day.app_context(), write_tx():
        daily = dailies.of_today(None, SetClock.time).entries[0].daily.id
        for number in range(5):
            add_solve(add_player(f"Rival {number}"), daily, 300 + 60 * number)
    finish(ada, clock, daily=TODAY.isoformat(), level=2, ranked=1)
    assert len(ada.page.select(".finish__spread .spread__bar--mine")) == 1
    finish(ada, clock, daily=TODAY.isoformat(), level=3, ranked=1)
    assert ada.page.select(".finish__spread") == []


def test_who_wants_no_time_sees_none_compared(guest: Visitor, clock: SetClock) -> None:
    guest.client.set_cookie("ui", "timer-off")
    finish(guest, clock, level=4)
    assert chips(guest) == ["no hints", "Hard"]
