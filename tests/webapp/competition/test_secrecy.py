"""A daily in progress is recognized as it lies and in every equivalent form, and nothing else is."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest
from flask import Flask

import engine
from tests.webapp.solves import add_daily, at
from webapp.competition.daily import secrecy
from webapp.models import Daily
from webapp.process.database import db

pytestmark = pytest.mark.both_databases

OTHER = engine.parse("4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......")


@pytest.fixture
def daily(app: Flask) -> Iterator[engine.Grid]:
    with app.app_context():
        yield engine.parse(db.session.get_one(Daily, add_daily()).puzzle.givens)


@pytest.mark.parametrize("seed", range(6))
def test_every_image_of_a_daily_is_one(daily: engine.Grid, seed: int) -> None:
    turned = engine.Transformation.random(random.Random(seed).randrange).apply(daily)
    assert secrecy.is_open_daily(turned, at(hours=1))


def test_a_daily_stays_one_whatever_digits_are_added(daily: engine.Grid) -> None:
    empty = daily.digits.index(0)
    for digit in range(1, 10):  # the response checks no digit
        added = (digit if cell == empty else each for cell, each in enumerate(daily.digits))
        assert secrecy.is_open_daily(engine.Grid.from_digits(added), at(hours=1))
    solution = engine.solution(daily)
    assert secrecy.is_open_daily(solution, at(hours=1))


def test_it_counts_from_when_it_is_scheduled_until_it_is_over(daily: engine.Grid) -> None:
    assert secrecy.is_open_daily(daily, at(days=-3))
    assert secrecy.is_open_daily(daily, at(hours=47))
    assert not secrecy.is_open_daily(daily, at(hours=48))


def test_another_puzzle_is_none(daily: engine.Grid) -> None:
    of_its_size = engine.Grid.from_digits(
        [*range(1, 10), *[0] * 72][: daily.givens] + [0] * (81 - daily.givens)
    )
    for grid in (OTHER, engine.solution(OTHER), engine.Grid(bytes(81)), of_its_size):
        assert grid is not None and not secrecy.is_open_daily(grid, at(hours=1))
