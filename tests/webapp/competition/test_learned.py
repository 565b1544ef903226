"""Learned difficulty: which times count, and how players differ from the engine's estimate."""

from __future__ import annotations

from datetime import timedelta

import pytest
import sqlalchemy as sa
from flask import Flask

import engine
from tests.webapp.solves import DAY, add_daily, add_player, add_solve, at
from tests.webapp.visitors import Visitor
from webapp.competition import statistics
from webapp.competition.statistics import Learned, learned
from webapp.models import Attempt, Daily, Standing
from webapp.process.database import db, write_tx

pytestmark = pytest.mark.usefixtures("inside")


@pytest.fixture
def daily(inside: Flask) -> int:
    del inside
    return add_daily()  # expected to take 400 s


def of(daily: int, player_id: int | None = None) -> Learned:
    db.session.rollback()
    puzzle_id = db.session.scalars(sa.select(Daily.puzzle_id).where(Daily.id == daily)).one()
    return learned(puzzle_id, player_id)


def usual(player_id: int, pace: float, days: range = range(1, 6)) -> None:
    """Add five other solves at a pace, in multiples of the expected time."""
    for number in days:
        day = DAY + timedelta(days=number)
        daily = db.session.scalar(sa.select(Daily.id).where(Daily.date == day)) or add_daily(day)
        add_solve(player_id, daily, 400 * pace)


def test_the_median_stands_beside_the_expected_time(daily: int) -> None:
    for seconds in (400, 500, 800):
        add_solve(add_player(), daily, seconds)
    found = of(daily)
    assert found.times.median == 500_000
    assert found.players == pytest.approx(0.25)
    for few in (True, False):  # thirty are enough
        assert of(daily).times.few is few
        for _number in range(27):
            add_solve(add_player(), daily, 400)


def test_measured_times_take_over_as_solves_come_in(daily: int) -> None:
    assert of(daily).seconds == 400
    for _number in range(4):
        add_solve(add_player(), daily, 900)
    four = of(daily)
    assert four.seconds == pytest.approx(600)
    assert four.interval[0] < 600 < four.interval[1]
    for _number in range(12):
        add_solve(add_player(), daily, 900)
    assert 700 < of(daily).seconds < 900


def test_doubtful_assisted_removed_and_repeated_solves_never_count(daily: int) -> None:
    ada = add_player("Ada")
    add_solve(ada, daily, 600)
    add_solve(ada, daily, 60, ranked=False, starts=at(hours=12))
    add_solve(add_player(), daily, 50, standing=Standing.REVIEW, doubts='["floor"]')
    add_solve(add_player(), daily, 50, standing=Standing.ASSISTED)
    add_solve(add_player(), daily, 50, standing=Standing.REMOVED)
    add_solve(add_player(), daily, 700, standing=Standing.VERIFIED, doubts='["cadence"]')  # cleared
    found = of(daily, ada)
    assert (found.times.solves, found.times.median, found.own_ms) == (2, 650_000, 600_000)


def test_the_clock_of_a_race_never_counts(daily: int) -> None:
    add_solve(add_player(), daily, 600)
    raced = add_solve(add_player(), daily, 3000)
    turn = engine.Transformation(transposed=True)
    with write_tx():
        of_race = sa.update(Attempt).where(Attempt.id == raced)
        db.session.execute(of_race.values(turn=turn, daily_id=None, board=None, ranked=False))
    assert (of(daily).times.solves, of(daily).times.median) == (1, 600_000)


def test_each_is_held_against_their_own_pace(daily: int) -> None:
    """Fast and slow players who all take a fifth longer than usual show that it is harder than expected."""
    ada = add_player("Ada")
    for player, pace in ((ada, 0.5), (add_player("Bob"), 2.0), (add_player("Charlie"), 0.5)):
        usual(player, pace)
        add_solve(player, daily, 400 * pace * 1.2)
    found = of(daily, ada)
    assert found.players == pytest.approx(0.6 - 1)
    assert found.at_their_pace == pytest.approx(0.2)
    assert found.own == pytest.approx(0.6 - 1)
    assert found.own_at_pace == pytest.approx(0.2)


@pytest.mark.both_databases
def test_without_enough_other_solves_nobody_has_a_pace(daily: int) -> None:
    ada = add_player("Ada")
    usual(ada, 0.5, range(1, statistics.FEWEST_FOR_PACE))
    add_solve(ada, daily, 300)
    found = of(daily, ada)
    assert (found.own_at_pace, found.at_their_pace) == (None, None)


def test_the_puzzles_page_says_it(daily: int, guest: Visitor) -> None:
    add_solve(add_player(), daily, 500)
    puzzle_id = db.session.scalars(sa.select(Daily.puzzle_id).where(Daily.id == daily)).one()
    text = " ".join(guest.get(f"/puzzles/{puzzle_id}").text.split())
    assert "about 7 min (" in text
    assert "25% slower than expected" in text
    assert "Fewer than 30 solves" in text
