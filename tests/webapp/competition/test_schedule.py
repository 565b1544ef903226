"""Which puzzles become dailies: far enough ahead, never twice, never one that a player has seen."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import date, timedelta
from itertools import pairwise
from threading import Barrier

import pytest
import sqlalchemy as sa
from flask import Flask

import engine
from tests.webapp.conftest import new_puzzle
from tests.webapp.visitors import SetClock
from webapp.bank import bank
from webapp.competition.daily import choosing, schedule
from webapp.models import Daily, Puzzle, Status
from webapp.models.daily import FIRST_DAY, number_of
from webapp.process.database import db, write_tx

pytestmark = pytest.mark.usefixtures("inside")

NOW = SetClock.time
TODAY = date(2026, 3, 1)
ORDINARY = ("pointing", "claiming", "hidden_pair", "naked_triple", "hidden_triple")


def stored(level: int = 2, **columns: object) -> Puzzle:
    """Store a fresh puzzle of the bank."""
    puzzle = new_puzzle(level)
    for name, value in columns.items():
        setattr(puzzle, name, value)
    with write_tx():
        db.session.add(puzzle)
    return puzzle


def in_the_bank(minutes: list[float], hardest: str | None = None, level: int = 3) -> list[int]:
    """Add puzzles that may become dailies. Returns their numbers."""
    ordinary = [hardest or ORDINARY[int(each) % len(ORDINARY)] for each in minutes]
    return [
        stored(level, expected_seconds=60 * each, hardest=name).id
        for each, name in zip(minutes, ordinary, strict=True)
    ]


def scheduled(day: date, level: int, puzzle: Puzzle, *, by_hand: bool = False) -> Daily:
    with write_tx():
        daily = Daily(date=day, level=level, puzzle=puzzle, by_hand=by_hand, created_at=NOW)
        puzzle.status = Status.DAILY
        db.session.add_all([puzzle, daily])
    return daily


def all_dailies() -> list[Daily]:
    return list(db.session.scalars(sa.select(Daily).order_by(Daily.date, Daily.level)))


@pytest.mark.slow
def test_two_weeks_are_scheduled_ahead_by_the_rules() -> None:
    list(schedule.schedule(NOW, rated=True))
    found = all_dailies()
    days = [TODAY + timedelta(days=number) for number in range(15)]
    assert [(daily.date, daily.level) for daily in found] == [
        (day, level) for day in days for level in (2, 3, 4)
    ]
    puzzles = [daily.puzzle for daily in found]
    assert {puzzle.status for puzzle in puzzles} == {Status.DAILY}
    assert [puzzle.level for puzzle in puzzles] == [daily.level for daily in found]
    assert len({puzzle.canonical for puzzle in puzzles}) == len(puzzles)
    for puzzle in puzzles:
        assert engine.verdict(engine.parse(puzzle.givens)) is engine.Verdict.UNIQUE
    for level in (2, 3, 4):
        hardest = [daily.puzzle.hardest for daily in found if daily.level == level]
        assert not any(len(set(hardest[first : first + 3])) == 1 for first in range(len(hardest) - 2))
    assert list(schedule.schedule(NOW, rated=True)) == []
    (*_earlier, last) = schedule.schedule(NOW + timedelta(days=1), rated=True)
    assert last.date == days[-1] + timedelta(days=1)


def test_the_first_stock_repeats_no_technique_either(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(choosing, "MADE", 0)
    for ahead in (1, 2):
        scheduled(TODAY + timedelta(days=ahead), 2, stored(2, hardest="hidden_single"))
    tried = choosing.search(TODAY + timedelta(days=3), 2, NOW, rated=True)
    repeats = [puzzle.hardest == "hidden_single" for puzzle in tried]
    assert not repeats[0]
    assert repeats == sorted(repeats)


def test_before_puzzles_can_be_rated_only_the_nearest_days_are_filled() -> None:
    list(schedule.schedule(NOW, rated=False))
    assert {daily.date for daily in all_dailies()} == {TODAY, TODAY + timedelta(days=1)}


@pytest.mark.both_databases
def test_what_its_rating_moves_to_another_level_is_replaced_before_its_time() -> None:
    list(schedule.schedule(NOW, rated=False))
    chosen = scheduled(TODAY + timedelta(days=2), 2, stored(), by_hand=True)
    first_day = {daily.puzzle_id for daily in all_dailies() if daily.date == TODAY}
    with write_tx():
        db.session.execute(sa.update(Puzzle).where(Puzzle.status == Status.DAILY).values(level=5))
    list(schedule.schedule(NOW, rated=True))
    found = all_dailies()
    assert {daily.puzzle_id for daily in found if daily.date == TODAY} == first_day
    assert chosen in found
    rest = [daily for daily in found if daily.date > TODAY and not daily.by_hand]
    assert all(daily.puzzle.level == daily.level for daily in rest)
    given_back = sa.select(sa.func.count()).where(
        Puzzle.status == Status.APPROVED, Puzzle.method.is_not(None)
    )
    assert db.session.scalar(given_back.where(Puzzle.rating_version == bank.FIRST)) == 3


@pytest.mark.both_databases
def test_a_pick_at_a_level_that_is_not_its_own_or_no_dailys_anymore_is_given_back() -> None:
    """A curator's choice stays, and so does a released one. Its puzzle takes the level of its rating."""
    tomorrow = TODAY + timedelta(days=1)
    scheduled(TODAY, 5, stored(5))
    scheduled(tomorrow, 5, stored(5))
    scheduled(tomorrow, 1, stored(1), by_hand=True)
    puzzle = scheduled(tomorrow, 2, stored(rated_level=4)).puzzle
    schedule._give_back_misplaced(NOW)
    assert [(daily.date, daily.level) for daily in all_dailies()] == [(TODAY, 5), (tomorrow, 1)]
    assert (puzzle.status, puzzle.level) == (Status.APPROVED, 4)


def test_the_bank_is_used_before_anything_is_made() -> None:
    fresh = {stored().id, stored().id}
    list(schedule.schedule(NOW, rated=False))
    assert {daily.puzzle_id for daily in all_dailies() if daily.level == 2} == fresh


def test_a_harder_daily_is_expected_to_take_longer_if_the_bank_has_such_a_puzzle() -> None:
    for level, minutes in {2: (5, 5), 3: (4, 4, 4, 8), 4: (6, 6, 6, 10)}.items():
        for each in minutes:
            stored(level, expected_seconds=60.0 * each)
    list(schedule.schedule(NOW, rated=False))
    lasts = [daily.puzzle.expected_seconds for daily in all_dailies() if daily.date == TODAY]
    assert lasts == [300.0, 480.0, 600.0]


def test_a_puzzle_that_somebody_has_met_becomes_no_daily() -> None:
    met = {stored(shown_at=NOW).id, stored(first_started_at=NOW).id, stored(status=Status.ENTERED).id}
    stored()
    list(schedule.schedule(NOW, rated=False))
    assert not met & {daily.puzzle_id for daily in all_dailies()}


@pytest.mark.both_databases
@pytest.mark.parametrize(("apart", "taken"), [(1, False), (365, False), (366, True), (-365, False)])
def test_no_class_comes_twice_within_a_year(apart: int, taken: bool) -> None:
    """The bank's puzzles of all levels are one puzzle under five relabelings."""
    with write_tx():
        db.session.execute(sa.update(Puzzle).where(Puzzle.level == 1).values(level=2))
        db.session.execute(sa.update(Puzzle).values(rating_version=bank.RATED, shown_at=None))
    before = db.session.scalars(sa.select(Puzzle).where(Puzzle.level == 4)).one()
    scheduled(TODAY - timedelta(days=apart), 4, before)
    list(schedule.schedule(NOW, rated=False))
    todays = [choosing.class_of(daily.puzzle) for daily in all_dailies() if daily.date == TODAY]
    assert (choosing.class_of(before) in todays) is taken


@pytest.mark.both_databases
@pytest.mark.parametrize(
    ("others", "free"),
    [((-2, -1), False), ((-1, 1), False), ((1, 2), False), ((-3, -1), True), ((2, 3), True)],
)
def test_the_hardest_technique_is_not_the_same_on_three_days_running(
    others: tuple[int, int], free: bool
) -> None:
    for offset in others:
        scheduled(TODAY + timedelta(days=offset), 2, stored(hardest="pointing"))
    with write_tx():
        db.session.execute(sa.delete(Puzzle).where(Puzzle.status == Status.APPROVED))
    stored(hardest="pointing")
    spare = stored(hardest="pointing").id
    list(schedule.schedule(NOW, rated=False))
    (todays,) = [daily.puzzle_id for daily in all_dailies() if (daily.date, daily.level) == (TODAY, 2)]
    with_pointing = db.session.get(Puzzle, todays).hardest == "pointing"
    assert with_pointing is free
    assert free or todays != spare


@pytest.mark.both_databases
def test_processes_that_schedule_together_fill_each_gap_once(app: Flask) -> None:
    together = Barrier(4)

    def work(_process: int) -> None:
        together.wait()
        with app.app_context():
            list(schedule.schedule(NOW, rated=False))

    with ThreadPoolExecutor(4) as processes:
        list(processes.map(work, range(4)))
    with app.app_context():
        assert len(all_dailies()) == 6


def test_numbers_follow_the_calendar() -> None:
    assert number_of(FIRST_DAY) == 1
    days = [FIRST_DAY + timedelta(days=number) for number in range(800)]
    assert all(number_of(later) - number_of(earlier) == 1 for earlier, later in pairwise(days))


@pytest.mark.parametrize(
    ("columns", "taken"),
    [({"rating_version": bank.BY_GIVENS}, False), ({"rated_level": 3}, False), ({"rated_level": 2}, True)],
)
def test_only_a_puzzle_whose_level_the_rating_confirms_becomes_a_daily(
    columns: dict[str, object], taken: bool
) -> None:
    numbers = {stored(**columns).id, stored(**columns).id}
    list(schedule.schedule(NOW, rated=False))
    assert bool(numbers & {daily.puzzle_id for daily in all_dailies()}) is taken
