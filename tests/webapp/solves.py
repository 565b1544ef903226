"""A competition for tests: dailies, players with names, solves of any length, and what boards come to."""

from __future__ import annotations

import json
from collections import Counter
from contextlib import AbstractContextManager, nullcontext
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import Any

import sqlalchemy as sa

from tests.webapp.conftest import EASY
from webapp.competition import ranking
from webapp.game.evidence import score
from webapp.models import Attempt, Daily, Player, PointCount, Puzzle, Score, Standing, Status, TimeCount
from webapp.process.database import db, write_tx
from webapp.process.operation.statements import may_write

DAY = date(2026, 3, 1)  # the day of SetClock


def at(day: date = DAY, **after: float) -> datetime:
    """A moment so long after the release of a day."""
    return datetime(day.year, day.month, day.day, tzinfo=UTC) + timedelta(**after)


def stored() -> AbstractContextManager[None]:
    """A write transaction, where there is none around already."""
    return nullcontext() if may_write.get() else write_tx()


def add_daily(day: date = DAY, level: int = 2) -> int:
    """A daily with a puzzle of its own; its id."""
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
    """The easy puzzle with other names for its digits and, every 8 of them, other rows."""
    shift, rows = number % 8 + 1, number // 8
    line = EASY.translate(str.maketrans("123456789", "123456789"[shift:] + "123456789"[:shift]))
    bands = [line[27 * band : 27 * band + 27] for band in range(3)]
    order = [(0, 1, 2), (1, 0, 2), (2, 1, 0), (0, 2, 1), (1, 2, 0), (2, 0, 1)][(rows + 1) % 6]
    turned = "".join(bands[band] for band in order)
    return turned if rows < 5 else "".join(turned[9 * row : 9 * row + 9][::-1] for row in range(9))


def add_player(name: str | None = None, **columns: Any) -> int:
    """A player, named the hour before the day of the tests; a guest without a name. The id."""
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
    """A solve of a daily, settled; its id."""
    known = json.loads(columns.get("evidence") or "{}")
    against = score.against(known["shares"], known.get("values", {}).get("pace")) if known else None
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
            against=against,
            **columns,
        )
        db.session.add(attempt)
        db.session.flush()
        ranking.settle(db.session.connection(), attempt.id)
        return attempt.id


def add_points(player_id: int, scope: str, starts_on: date, points: float, solves: int) -> None:
    """Points over all levels, counted as they are when a board freezes; inside a write transaction."""
    db.session.add(
        Score(player_id=player_id, scope=scope, starts_on=starts_on, level=0, points=points, solves=solves)
    )
    key = (scope, starts_on, 0, ranking.tenth(points))
    count = db.session.get(PointCount, key) or PointCount(
        **dict(zip(("scope", "starts_on", "level", "tenth"), key, strict=True)), players=0
    )
    count.players += 1
    db.session.add(count)
    db.session.flush()


def board_of(attempt_id: str) -> tuple[str | None, int | None]:
    """The board an attempt stands on, and its time there in milliseconds."""
    db.session.rollback()
    row = db.session.execute(sa.select(Attempt.board, Attempt.board_ms).where(Attempt.id == attempt_id)).one()
    return row.board, row.board_ms


def assert_counts_are_true() -> None:
    """The law of TimeCount and PointCount: always what a count over the attempts, or the points, gives."""
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
