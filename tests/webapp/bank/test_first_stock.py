"""The first stock: the puzzles of a fresh site before anything can be rated."""

from __future__ import annotations

import pytest
import sqlalchemy as sa
from flask import Flask

import engine
from engine.rating import level_of
from tests.webapp.visitors import SetClock
from webapp.bank import bank, first_stock
from webapp.competition.daily import schedule
from webapp.game import tour
from webapp.models import Daily, Puzzle
from webapp.process.database import db

NOW = SetClock.time


def level(grid: engine.Grid) -> int:
    return level_of(engine.Position.from_grid(grid))


@pytest.mark.parametrize("number", range(1, 6))
def test_every_puzzle_is_of_its_level_in_any_form(number: int) -> None:
    """If a change of techniques changes a level, RATED changes too, and the file is regenerated."""
    entries = [entry for entry in first_stock.entries() if entry.level == number]
    assert len(entries) == first_stock.EACH
    for entry in entries:
        assert level(engine.parse(entry.givens)) == level(entry.varied()) == number


def test_no_two_have_the_same_solution_in_any_form() -> None:
    """A player who has solved one, or the guide's, knows nothing of another, which may be today's daily."""
    puzzles = [tour.GIVENS, *(entry.givens for entry in first_stock.entries())]
    solutions = (engine.solution(engine.parse(givens)) for givens in puzzles)
    classes = [engine.canonical_form(solution) for solution in solutions if solution is not None]
    assert len(set(classes)) == len(classes) == len(puzzles)


def test_it_is_what_its_seeds_make() -> None:
    one = next(first_stock.make(2, 1))
    assert one == next(entry for entry in first_stock.entries() if entry.level == 2)


def test_no_site_offers_it_as_it_is_here(app: Flask) -> None:
    with app.app_context():
        list(bank.stock_up(3, NOW, rated=False))
        stored = db.session.scalars(sa.select(Puzzle).where(Puzzle.rating_version == bank.FIRST)).all()
        assert not {puzzle.givens for puzzle in stored} & {entry.givens for entry in first_stock.entries()}
        assert len({puzzle.canonical for puzzle in stored}) == len(stored) == 10


def test_dailies_have_their_level_technique_and_time_before_anything_is_rated(app: Flask) -> None:
    with app.app_context():
        assert len(list(schedule.schedule(NOW, rated=False))) == 6
        for daily in db.session.scalars(sa.select(Daily)):
            rating = engine.rate(engine.parse(daily.puzzle.givens))
            shown = (daily.level, daily.puzzle.hardest, daily.puzzle.expected_seconds)
            assert shown == (rating.level, rating.hardest, round(rating.expected_seconds or 0))
