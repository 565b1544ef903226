"""A competition for tests: dailies, named players, solves of any length, and the resulting leaderboards."""

from __future__ import annotations

from collections import Counter
from contextlib import AbstractContextManager, nullcontext
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import Any

import sqlalchemy as sa

from tests.webapp.conftest import EASY
from webapp.competition.ranking import placing, verdicts
from webapp.competition.ranking.points import tenth
from webapp.competition.ranking.waits import ENOUGH
from webapp.models import (
    Attempt,
    Daily,
    Leaderboard,
    Player,
    PointCount,
    Puzzle,
    Score,
    Standing,
    Status,
    TimeCount,
)
from webapp.process.database import db, may_write, write_tx

DAY = date(2026, 3, 1)  # the day of SetClock


def at(day: date = DAY, **after: float) -> datetime:
    """Return a moment by its distance from the release of a day."""
    return datetime(day.year, day.month, day.day, tzinfo=UTC) + timedelta(**after)


def stored() -> AbstractContextManager[None]:
    """Open a write transaction, unless there is one."""
    return nullcontext() if may_write.get() else write_tx()


def add_daily(day: date = DAY, level: int = 2) -> int:
    """Add a daily with a puzzle of its own. Returns its id."""
    with stored():
        number = db.session.scalar(sa.select(sa.func.count()).select_from(Puzzle)) or 0
        puzzle = Puzzle(
            givens=relabelled(number),
            level=level,
            rating_version="test",
            expected_seconds=400.0,
            explainer=2.0,
            status=Status.DAILY,
            engine_version="test",
            created_at=at(day, days=-14),
        )
        daily = Daily(date=day, level=level, puzzle=puzzle, created_at=at(day, days=-14))
        db.session.add(daily)
        db.session.flush()
        return daily.id


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
        placing.settle(db.session.connection(), attempt.id)
        return attempt.id


def crowd(daily_id: int, count: int = ENOUGH, seconds: int = 3000) -> None:
    """Add solves of that many established players to a daily, all in the same second."""
    with stored():
        daily = db.session.get_one(Daily, daily_id)
        names = [f"crowd {number}" for number in range(count)]
        known = set(db.session.scalars(sa.select(Player.name).where(Player.name.in_(names))))
        for name in names:
            if name not in known:
                add_player(name, settled_at=at(days=-1))
        ids = db.session.scalars(sa.select(Player.id).where(Player.name.in_(names))).all()
        solve = {
            "puzzle_id": daily.puzzle_id,
            "daily_id": daily_id,
            "level": daily.level,
            "started_at": daily.opens_at,
            "updated_at": daily.opens_at,
            "finished_at": daily.opens_at + timedelta(seconds=seconds),
            "elapsed_ms": 1000 * seconds,
            "ranked": True,
            "standing": Standing.VERIFIED,
            "board": Leaderboard.DAY,
            "board_ms": 1000 * seconds,
        }
        db.session.execute(sa.insert(Attempt), [{"player_id": player, **solve} for player in ids])
        count_of = TimeCount(daily_id=daily_id, board=Leaderboard.DAY, second=seconds, solves=len(ids))
        db.session.add(count_of)


def verdict(attempt_id: str, standing: Standing, note: str, now: datetime) -> None:
    """Store a curator's verdict on a solve."""
    with stored():
        verdicts.give_verdict(attempt_id, standing, note, now)


def add_points(player_id: int, scope: str, starts_on: date, points: float, solves: int) -> None:
    """Add points over all levels, counted as when a leaderboard freezes; needs a write transaction."""
    db.session.add(
        Score(player_id=player_id, scope=scope, starts_on=starts_on, level=0, points=points, solves=solves)
    )
    key = (scope, starts_on, 0, tenth(points))
    count = db.session.get(PointCount, key) or PointCount(
        **dict(zip(("scope", "starts_on", "level", "tenth"), key, strict=True)), players=0
    )
    count.players += 1
    db.session.add(count)
    db.session.flush()


def board_of(attempt_id: str) -> tuple[str | None, int | None]:
    """Return the leaderboard of an attempt, and its time there in milliseconds."""
    db.session.rollback()
    row = db.session.execute(sa.select(Attempt.board, Attempt.board_ms).where(Attempt.id == attempt_id)).one()
    return row.board, row.board_ms


def assert_counts_are_true() -> None:
    """Assert that TimeCount and PointCount equal a count over the attempts and the points."""
    db.session.rollback()
    listed = sa.select(Attempt.daily_id, Attempt.board, sa.NotNullable(Attempt.board_ms)).where(
        Attempt.board.is_not(None)
    )
    recounted = Counter((daily, board, ms // 1000) for daily, board, ms in db.session.execute(listed))
    kept = db.session.execute(
        sa.select(TimeCount.daily_id, TimeCount.board, TimeCount.second, TimeCount.solves)
    )
    assert {(daily, board, second): solves for daily, board, second, solves in kept} == dict(recounted)
    tables = (Score.scope, Score.starts_on, Score.level)
    gathered = Counter(
        (scope, starts_on, level, int(Decimal(str(points)) * 10))
        for scope, starts_on, level, points in db.session.execute(sa.select(*tables, Score.points))
    )
    counted = db.session.execute(
        sa.select(
            PointCount.scope, PointCount.starts_on, PointCount.level, PointCount.tenth, PointCount.players
        )
    )
    assert {tuple(key): players for *key, players in counted} == dict(gathered)
