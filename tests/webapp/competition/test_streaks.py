"""Streaks by the numbers of the dailies: which days count, which end one, which don't yet."""

from __future__ import annotations

from datetime import date, datetime, timedelta

import pytest
import sqlalchemy as sa
from flask import Flask
from hypothesis import given
from hypothesis import strategies as st

from tests.webapp.solves import add_daily
from tests.webapp.visitors import SetClock
from webapp.competition.daily import streaks
from webapp.competition.daily.views import StreakView
from webapp.models import Attempt, Daily, Player, Standing
from webapp.models.daily import opening
from webapp.process.database import db, write_tx

DAY = date(2026, 2, 1)  # the first day of a history
HOUR = timedelta(hours=1)


def history(days: str, *, late: timedelta = 12 * HOUR, assisted: bool = False) -> int:
    """Create a player who has solved (s), begun (b), skipped (-) or had no (_) daily, day by day. Returns
    the id.
    """
    with write_tx():
        player = Player(created_at=opening(DAY))
        db.session.add(player)
        for number, what in enumerate(days):
            day = DAY + timedelta(days=number)
            if what == "_":
                continue
            daily = db.session.get_one(Daily, add_daily(day))
            if what in "sb":
                end = opening(day) + late if what == "s" else None
                attempt = Attempt(
                    player=player,
                    puzzle=daily.puzzle,
                    daily=daily,
                    level=2,
                    started_at=opening(day),
                    updated_at=opening(day),
                    finished_at=end,
                    elapsed_ms=None if end is None else 1000,
                    assisted=assisted,
                )
                db.session.add(attempt)
        db.session.flush()
        return player.id


def end_of(days: str) -> datetime:
    """Return noon of the last day of a history."""
    return opening(DAY) + timedelta(days=len(days) - 1) + 12 * HOUR


@pytest.mark.both_databases
@pytest.mark.parametrize(
    ("days", "current", "longest"),
    [
        ("", 0, 0),
        ("-", 0, 0),
        ("b", 0, 0),
        ("s", 1, 1),
        ("sss", 3, 3),
        ("sss-", 3, 3),  # today can still be solved
        ("sss--", 3, 3),  # so can yesterday
        ("sss---", 0, 3),
        ("ss-ss", 2, 2),
        ("sss-s", 4, 4),  # yesterday is open: nothing has ended
        ("sss-s-", 1, 3),
        ("ss_ss", 4, 4),  # a day without a daily ends nothing
        ("ssss-ss---", 0, 4),
    ],
)
def test_a_streak_ends_with_the_first_day_whose_window_has_passed(
    app: Flask, days: str, current: int, longest: int
) -> None:
    with app.app_context():
        player = history(days)
        found = streaks.of(player, end_of(days))
        assert (found.current, found.longest) == (current, longest)


TEN = "s" * 10


def folded(days: str) -> streaks.Streaks:
    """Return the streaks of solved (s), missed (-) and still open (o) days; no database."""
    all_days = {DAY + timedelta(days=number): what for number, what in enumerate(days)}
    counted = frozenset(day for day, what in all_days.items() if what == "s")
    return streaks.fold(all_days, counted, tuple(day for day, what in all_days.items() if what == "o"))


@pytest.mark.parametrize(
    ("days", "current", "freezes"),
    [
        ("s" * 9, 9, 0),
        (TEN, 10, 1),
        (TEN * 2, 20, 2),
        (TEN * 5, 50, 2),  # no more than two are kept
        (TEN + "-", 10, 0),  # covered, and not counted
        (TEN + "-s", 11, 0),
        (TEN + "--", 0, 0),
        (TEN + "-" + TEN, 20, 1),
        (TEN * 2 + "--s", 21, 0),
        (TEN * 2 + "---s", 1, 0),
        (TEN + "o", 10, 1),  # an open day uses none
        (TEN + "os", 11, 1),
        ("s" * 9 + "-" + "s" * 9, 9, 0),  # ten, but not in a row
    ],
)
def test_ten_days_in_a_row_earn_a_freeze_that_covers_a_missed_one(
    days: str, current: int, freezes: int
) -> None:
    found = folded(days)
    assert (found.current, found.freezes) == (current, freezes)


@pytest.mark.parametrize(("days", "current"), [("-x", 0), ("xs", 1), ("sx", 2), ("sxs", 3), ("s-x", 0)])
def test_an_excused_day_counts_for_a_running_streak_and_begins_none(days: str, current: int) -> None:
    all_days = {DAY + timedelta(days=number): what for number, what in enumerate(days)}
    solved, excused = (frozenset(day for day in all_days if all_days[day] == what) for what in "sx")
    assert streaks.fold(all_days, solved, (), excused).current == current


@given(st.text("sssss-o", max_size=120))
def test_the_laws_of_freezes(days: str) -> None:
    found = folded(days)
    missed = {DAY + timedelta(days=number) for number, what in enumerate(days) if what == "-"}
    assert 0 <= found.freezes <= streaks.MOST_HELD
    assert found.frozen <= missed
    assert found.freezes + len(found.frozen) <= len(found.days) // streaks.EARNED_BY
    assert found.current <= found.longest <= len(found.days)
    # A freeze is used when there is one: of the days a streak spans, all missed ones are covered.
    behind = days[: days.rindex("s") + 1] if "s" in days else ""
    alive = folded(behind)
    since, left = [], alive.current
    for number in range(len(behind) - 1, -1, -1):
        if left == 0:
            break
        since.append(DAY + timedelta(days=number))
        left -= behind[number] == "s"
    assert set(since) & missed <= alive.frozen
    # An open day changes nothing.
    without = folded(days.replace("o", ""))
    assert (without.current, without.longest, without.freezes) == (
        found.current,
        found.longest,
        found.freezes,
    )


@pytest.mark.both_databases
@pytest.mark.parametrize(("late", "assisted", "longest"), [(12, True, 2), (48, False, 0)])
def test_help_counts_and_a_solve_after_the_window_does_not(
    app: Flask, late: int, assisted: bool, longest: int
) -> None:
    with app.app_context():
        player = history("ss", late=late * HOUR, assisted=assisted)
        assert streaks.of(player, end_of("ss----")).longest == longest


@pytest.mark.both_databases
def test_a_solve_that_a_curator_has_removed_counts_for_no_day(app: Flask) -> None:
    with app.app_context():
        player = history("sss")
        with write_tx():
            of_day = sa.select(Daily.id).where(Daily.date == DAY + timedelta(days=1)).scalar_subquery()
            removed = sa.update(Attempt).where(Attempt.daily_id == of_day)
            db.session.execute(removed.values(standing=Standing.REMOVED))
        found = streaks.of(player, end_of("sss") + timedelta(days=1))
        assert (found.current, found.longest) == (1, 1)


def test_days_that_count_and_open_days_are_shown(app: Flask) -> None:
    with app.app_context():
        player = history("s-s-")
        found = streaks.of(player, end_of("s-s-"))
        assert found.days == {DAY, DAY + timedelta(days=2)}
        assert found.open == (DAY + timedelta(days=3),)


def test_nobody_has_no_streak(app: Flask) -> None:
    with app.app_context():
        history("ss")
        found = streaks.of(None, SetClock.time)
        assert (found.current, found.longest, found.freezes, found.days) == (0, 0, 0, frozenset())


@pytest.mark.parametrize(
    ("days", "blocks"), [("", []), ("s", [1]), ("s" * 9, [9]), ("s" * 12, [9, 3]), ("s" * 28, [9, 1])]
)
def test_nine_days_make_a_block(app: Flask, days: str, blocks: list[int]) -> None:
    with app.test_request_context():
        player_id, at = history(days), end_of(days or "-")
        streak = StreakView(streaks.of(player_id, at), at)
        filled = [sum(state != "" for _x, _y, state in block) for block in streak.blocks]
        assert (streak.current, filled) == (len(days), blocks)
