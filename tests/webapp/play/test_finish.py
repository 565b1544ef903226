"""The card at the end of a game: time, one sentence, its place, and one thing to do next."""

from __future__ import annotations

from datetime import timedelta

import pytest
import sqlalchemy as sa
from flask import Flask

from tests.webapp.conftest import EASY
from tests.webapp.solves import add_daily, add_player, add_solve
from tests.webapp.visitors import SetClock, Visitor
from webapp.competition.daily import dailies
from webapp.models import Player
from webapp.process.database import db, write_tx

TODAY = SetClock.time.date()


def finish(
    visitor: Visitor, clock: SetClock, *, minutes: float = 8, hint: bool = False, **choice: object
) -> str:
    """Play a puzzle to its end. Returns its address, with its page loaded."""
    address = visitor.start(**choice)
    if hint:
        visitor.post(f"{address}/hints", {"depth": "2"})
    clock.advance(minutes=minutes)
    visitor.finish(address, 1 + hint)
    visitor.get(address)
    return address


def title(visitor: Visitor) -> str:
    return visitor.page.find(id="finish-title").text


def sentence(visitor: Visitor) -> str:
    return visitor.page.select_one(".finish__sentence").text


def place(visitor: Visitor) -> str:
    return visitor.page.select_one(".finish__place").text


def primary(visitor: Visitor) -> list[str]:
    return [button.text.strip() for button in visitor.page.select("#finish-panel > form .button--primary")]


def test_it_works(guest: Visitor, clock: SetClock) -> None:
    finish(guest, clock, grid=EASY)
    assert guest.page.select_one(".finish__time").text.strip() == "8:00"
    assert title(guest) == "Solved"
    assert guest.page.find(id="finish-title")["tabindex"] == "-1"
    assert len(guest.page.select("#finish-panel .button--primary")) == 1


def earlier(site: Flask, level: int, seconds: float) -> None:
    """Give Ada a solve of this month at a level, without help."""
    with site.app_context():
        own = db.session.scalars(sa.select(Player.id).where(Player.name == "Ada")).one()
        daily = add_daily(TODAY - timedelta(days=1), level)
        add_solve(own, daily, seconds, starts=SetClock.time - timedelta(hours=2))


def test_the_first_sentence_that_is_true_is_said(day: Flask, ada: Visitor, clock: SetClock) -> None:
    finish(ada, clock, daily=TODAY.isoformat(), level=3, ranked=1)
    assert sentence(ada) == "Your first Sudoku. Nicely done!"
    earlier(day, 4, seconds=900)
    finish(ada, clock, daily=TODAY.isoformat(), level=4, ranked=1)
    assert sentence(ada) == "Your fastest Hard this month."
    earlier(day, 2, seconds=60)
    finish(ada, clock, daily=TODAY.isoformat(), level=2, ranked=1)
    assert sentence(ada) == "Three for three today."


def test_a_first_level_without_help_is_shown(guest: Visitor, clock: SetClock) -> None:
    finish(guest, clock, grid=EASY)
    finish(guest, clock, level=1)
    assert sentence(guest) == "Your first Beginner without help."


def test_help_is_said_first_and_leads_to_its_lesson(guest: Visitor, clock: SetClock) -> None:
    finish(guest, clock, hint=True, level=3)
    assert title(guest) == "Solved, with 1 hint"
    assert primary(guest)[0].startswith("Learn ")


@pytest.mark.usefixtures("day")
def test_after_a_daily_the_next_one_is_the_thing_to_do(ada: Visitor, clock: SetClock) -> None:
    finish(ada, clock, daily=TODAY.isoformat(), level=3, ranked=1)
    assert primary(ada) == ["Play today’s Easy"]
    assert ada.page.select_one(".finish__next a")["href"] == f"/daily/{TODAY}/2"
    finish(ada, clock, daily=TODAY.isoformat(), level=2, ranked=1)
    finish(ada, clock, daily=TODAY.isoformat(), level=4, ranked=1)
    assert sentence(ada) == "Your first Hard without help."
    assert primary(ada) == ["Next lesson: The words we use"]


@pytest.mark.usefixtures("day")
def test_a_daily_shows_the_streak(guest: Visitor, clock: SetClock) -> None:
    finish(guest, clock, daily=TODAY.isoformat(), level=2)
    assert "1-day streak" in guest.page.select_one(".finish__streak").text
    assert place(guest) == "Practice"


@pytest.mark.usefixtures("day")
@pytest.mark.parametrize(
    ("choice", "words"),
    [
        ({"ranked": 1, "minutes": 0.05}, "Under review"),
        ({"minutes": 0.05}, "Under review"),
        ({"ranked": 1, "minutes": 8, "hint": True}, "Unranked"),
        ({"ranked": 1, "minutes": 60 * 40}, "Practice"),  # the leaderboard has closed
    ],
)
def test_what_became_of_a_daily_is_said_here(
    ada: Visitor, clock: SetClock, choice: dict[str, object], words: str
) -> None:
    finish(ada, clock, daily=TODAY.isoformat(), level=2, **choice)
    assert place(ada) == words
    assert ada.page.find(id="my-rank") is not None


@pytest.mark.parametrize(
    ("others", "bars", "words"),
    [(6, 0, "You’re one of the first 7 today."), (24, 1, "Half of 25 solvers took longer than 10:30.")],
)
def test_times_are_drawn_only_where_there_are_enough(
    day: Flask, ada: Visitor, clock: SetClock, others: int, bars: int, words: str
) -> None:
    with day.app_context(), write_tx():
        daily = dailies.today_entries(None, SetClock.time)[0].daily.id
        for number in range(others):
            add_solve(add_player(f"Rival {number}"), daily, 30 * number + 300)
    finish(ada, clock, daily=TODAY.isoformat(), level=2, ranked=1)
    assert len(ada.page.select(".finish__bar--mine")) == bars
    assert words in ada.page.select_one(".finish__said").text


def test_a_rank_in_the_lower_half_is_not_shown(day: Flask, ada: Visitor, clock: SetClock) -> None:
    with day.app_context(), write_tx():
        daily = dailies.today_entries(None, SetClock.time)[0].daily.id
        for number in range(4):
            add_solve(add_player(f"Rival {number}"), daily, 300 + number)
    finish(ada, clock, daily=TODAY.isoformat(), level=2, ranked=1)
    assert place(ada) == "On the leaderboard"
    finish(ada, clock, daily=TODAY.isoformat(), level=3, ranked=1)
    assert place(ada) == "Ranked 1st so far"


def test_who_wants_no_time_sees_none_compared(day: Flask, ada: Visitor, clock: SetClock) -> None:
    earlier(day, 3, seconds=900)
    ada.client.set_cookie("ui", "timer-off")
    finish(ada, clock, daily=TODAY.isoformat(), level=3, ranked=1)
    assert sentence(ada) == "Nice and steady."
