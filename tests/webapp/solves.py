"""A competition for tests: dailies, named players, solves of any length, and the resulting leaderboards."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from datetime import UTC, date, datetime, timedelta
from typing import Any

import sqlalchemy as sa
from flask import Flask

from tests.webapp.conftest import EASY
from tests.webapp.visitors import SetClock, Visitor
from webapp.competition import standing as standings
from webapp.competition.daily import closing
from webapp.models import Attempt, Daily, Player, Puzzle, Score, Standing, Status
from webapp.process.database import db, may_write, write_tx

DAY = date(2026, 3, 1)  # the day of SetClock


def at(day: date = DAY, **after: float) -> datetime:
    """Return a moment by its distance from the release of a day."""
    return datetime(day.year, day.month, day.day, tzinfo=UTC) + timedelta(**after)


def stored() -> AbstractContextManager[None]:
    """Open a write transaction, unless there is one."""
    return nullcontext() if may_write.get() else write_tx()


def add_daily(day: date = DAY, level: int = 2, **columns: Any) -> int:
    """Add a daily with a puzzle of its own, which may have these columns. Returns its id."""
    with stored():
        number = db.session.scalar(sa.select(sa.func.count()).select_from(Puzzle)) or 0
        values = {"givens": relabelled(number), "expected_seconds": 400.0, "explainer": 2.0}
        puzzle = Puzzle(
            level=level,
            rating_version="test",
            status=Status.DAILY,
            engine_version="test",
            created_at=at(day, days=-14),
            **values | columns,
        )
        daily = Daily(date=day, level=level, puzzle=puzzle, created_at=at(day, days=-14))
        db.session.add(daily)
        db.session.flush()
        return daily.id


def open_daily(app: Flask, day: date = DAY) -> str:
    """Add a daily to an app that has none. Returns its givens."""
    with app.app_context():
        daily = db.session.get_one(Daily, add_daily(day))
        return daily.puzzle.givens


def play(visitor: Visitor, clock: SetClock, minutes: float = 8) -> str:
    """Start today's easy daily ranked and solve it, as a player who was offline would send it."""
    address = visitor.start(daily=DAY.isoformat(), level=2, ranked=1)
    clock.advance(minutes=minutes)
    assert visitor.finish(address).status_code == 200
    return address


def relabelled(number: int) -> str:
    """Return the easy puzzle with relabeled digits and, every 8 of them, reordered rows."""
    shift, rows = number % 8 + 1, number // 8
    line = EASY.translate(str.maketrans("123456789", "123456789"[shift:] + "123456789"[:shift]))
    bands = [line[27 * band : 27 * band + 27] for band in range(3)]
    order = [(0, 1, 2), (1, 0, 2), (2, 1, 0), (0, 2, 1), (1, 2, 0), (2, 0, 1)][(rows + 1) % 6]
    transformed = "".join(bands[band] for band in order)
    return transformed if rows < 5 else "".join(transformed[9 * row : 9 * row + 9][::-1] for row in range(9))


def add_player(name: str | None = None, **columns: Any) -> int:
    """Add a player, named the hour before the day of the tests; a guest without a name. Returns the id."""
    with stored():
        player = Player(name=name, created_at=at(days=-1))
        if name is not None:
            player.name_key, player.password_hash = name.lower(), "x"
            player.named_at = at(hours=-1)
        for column, value in columns.items():
            setattr(player, column, value)
        db.session.add(player)
        db.session.flush()
        return player.id


def add_solve(
    player_id: int,
    daily_id: int,
    seconds: float,
    *,
    ranked: bool = True,
    standing: Standing = Standing.VERIFIED,
    starts: datetime | None = None,
    **columns: Any,
) -> str:
    """Add a settled solve of a daily. Returns its id."""
    with stored():
        daily = db.session.get_one(Daily, daily_id)
        started_at = starts or daily.opens_at + timedelta(hours=8)
        finished_at = started_at + timedelta(seconds=seconds)
        attempt = Attempt(
            player_id=player_id,
            puzzle_id=daily.puzzle_id,
            daily_id=daily_id,
            level=daily.level,
            started_at=started_at,
            updated_at=finished_at,
            finished_at=finished_at,
            elapsed_ms=round(seconds * 1000),
            ranked=ranked,
            standing=standing,
            assisted=standing == Standing.ASSISTED,
            **columns,
        )
        db.session.add(attempt)
        db.session.flush()
        standings.place(db.session.connection(), Attempt.id == attempt.id)
        return attempt.id


def verdict(attempt_id: str, standing: Standing, note: str, now: datetime) -> None:
    """Store a curator's verdict on a solve."""
    with stored():
        standings.verdict(attempt_id, standing, note, now)


def close(now: datetime) -> int:
    """Close the days that are over, as the worker does. Returns how many."""
    closed = len(list(closing.close(now)))
    list(closing.settle())
    return closed


def add_points(player_id: int, scope: str, starts_on: date, points: int, solves: int) -> None:
    """Add points over all levels; needs a write transaction."""
    db.session.add(
        Score(player_id=player_id, scope=scope, starts_on=starts_on, level=0, points=points, solves=solves)
    )
    db.session.flush()


def board_of(attempt_id: str) -> str | None:
    """Return the list that an attempt is on."""
    db.session.rollback()
    return db.session.execute(sa.select(Attempt.board).where(Attempt.id == attempt_id)).scalar_one()


def points_of(attempt_id: str) -> int | None:
    """Return the points of a solve."""
    db.session.rollback()
    return db.session.execute(sa.select(Attempt.points).where(Attempt.id == attempt_id)).scalar_one()
