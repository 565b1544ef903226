"""A daily in progress is recognized in every form, also when derived from it, and nothing else is."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest
from flask import Flask

import engine
from engine.formats.marks import mask_of
from tests.webapp.conftest import EASY
from tests.webapp.solves import add_daily, at
from webapp.competition.daily import kept
from webapp.models import Daily
from webapp.process.database import db

pytestmark = pytest.mark.both_databases

OTHER = engine.parse("4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......")


@pytest.fixture
def daily(app: Flask) -> Iterator[engine.Grid]:
    with app.app_context():
        yield engine.parse(db.session.get_one(Daily, add_daily()).puzzle.givens)


def image(grid: engine.Grid, seed: int) -> engine.Grid:
    """Return an equivalent of the grid: its bands, lines and digits reordered."""
    chance = random.Random(seed)

    def lines() -> tuple[int, ...]:
        return tuple(
            3 * band + line for band in chance.sample(range(3), 3) for line in chance.sample(range(3), 3)
        )

    names = tuple(chance.sample(range(1, 10), 9))
    return engine.Transformation(bool(seed % 2), lines(), lines(), names).apply(grid)


def changed(grid: engine.Grid, **digits: int) -> engine.Grid:
    """The grid with digits written over it: `c7=5`."""
    written = {int(name[1:]): digit for name, digit in digits.items()}
    return engine.Grid.from_digits(written.get(cell, digit) for cell, digit in enumerate(grid.digits))


@pytest.mark.parametrize("seed", range(6))
def test_every_image_of_a_daily_is_one_whatever_is_added_to_it(daily: engine.Grid, seed: int) -> None:
    grid = image(daily, seed)
    solution = engine.solution(grid)
    assert solution is not None
    empty = grid.digits.index(0)
    assert kept.is_open_daily(grid, at(hours=1))
    for digit in range(1, 10):  # the response checks no digit
        assert kept.is_open_daily(changed(grid, **{f"c{empty}": digit}), at(hours=1))
    assert kept.is_open_daily(solution, at(hours=1))
    first = next(cell for cell, digit in enumerate(grid.digits) if digit)
    assert kept.is_open_daily(changed(grid, **{f"c{first}": 0}), at(hours=1))


@pytest.mark.parametrize("turn", [False, True])
def test_a_transformed_daily_is_recognized_however_many_digits_are_wrong(
    daily: engine.Grid, turn: bool
) -> None:
    rows = tuple(range(8, -1, -1))
    grid = engine.Transformation(turn, rows, tuple(range(9)), (2, 3, 4, 5, 6, 7, 8, 9, 1)).apply(daily)
    empty = [cell for cell, digit in enumerate(grid.digits) if not digit]
    spoiled = changed(grid, **{f"c{cell}": 1 for cell in empty[:9]})
    assert engine.solution_count(spoiled) == 0
    assert kept.is_open_daily(spoiled, at(hours=1))


def test_candidates_alone_that_come_to_a_daily_are_one(daily: engine.Grid) -> None:
    position = engine.Position.from_grid(image(daily, 3))
    marks = [mask_of(position.candidates(cell) or {position.grid[cell]}) for cell in range(81)]
    assert kept.is_open_daily(engine.Grid(bytes(81)), at(hours=1), marks)


def test_it_counts_from_when_it_is_scheduled_until_it_is_over(daily: engine.Grid) -> None:
    assert kept.is_open_daily(daily, at(days=-3))
    assert kept.is_open_daily(daily, at(hours=47))
    assert not kept.is_open_daily(daily, at(hours=48))


def test_another_puzzle_is_none(daily: engine.Grid) -> None:
    few = engine.parse(str(daily)[:18] + "." * 63)
    for grid in (OTHER, engine.solution(OTHER), engine.Grid(bytes(81)), few):
        assert grid is not None and not kept.is_open_daily(grid, at(hours=1))


@pytest.mark.usefixtures("inside")
def test_without_dailies_nothing_is_one() -> None:
    assert not kept.is_open_daily(engine.parse(EASY), at(hours=1))
