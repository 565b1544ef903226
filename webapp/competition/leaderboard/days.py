"""Leaderboards of a day: pages of times, with ranks. The same second shares a rank.

A page is one keyset query plus one count.
"""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import Any, Final

import sqlalchemy as sa

from webapp.competition.leaderboard.rows import (
    Cursor,
    LeaderboardPage,
    Ranks,
    Row,
    counted,
    cut,
    is_number,
    names,
    numbered,
    paged,
)
from webapp.models import Attempt, Leaderboard
from webapp.models.attempt import PUBLIC_ID
from webapp.process.database import db

ATTEMPT = Attempt.__table__
ORDER = (ATTEMPT.c.elapsed_ms, ATTEMPT.c.finished_at, ATTEMPT.c.id)
COLUMNS = (*ORDER, *ATTEMPT.c["player_id", "board", "replay_shown"])


def day_key(text: str) -> tuple[int, datetime, str] | None:
    """Parse the key of a row of a day's leaderboard; None if invalid."""
    ms, _, rest = text.partition(".")
    micros, _, attempt_id = rest.partition(".")
    if not (is_number(ms) and is_number(micros) and PUBLIC_ID.fullmatch(attempt_id)):
        return None
    return int(ms), datetime.fromtimestamp(0, UTC) + timedelta(microseconds=int(micros)), attempt_id


def _day_key(row: Any) -> str:
    micros = (row.finished_at - datetime.fromtimestamp(0, UTC)) // timedelta(microseconds=1)
    return f"{row.elapsed_ms}.{micros}.{row.id}"


def on(daily_id: int, board: Leaderboard) -> sa.ColumnElement[bool]:
    """Return the condition on attempts to be on a list of a daily."""
    # A literal in the statement, so that a partial index applies whatever the parameters are.
    return sa.and_(
        ATTEMPT.c.daily_id == daily_id,
        ATTEMPT.c.board == sa.literal(board.value, sa.String, literal_execute=True),
    )


LARGE: Final = 10_000  # solves of a list whose count by second is remembered
REMEMBERED: Final = 5  # seconds


def by_second(daily_id: int, board: Leaderboard = Leaderboard.DAY) -> dict[int, int]:
    """Count the solves of a list by whole second, in order; of a large one, as it was some seconds ago."""
    remembered = _remembered(str(db.engine.url), daily_id, board, time.monotonic() // REMEMBERED)
    return remembered if sum(remembered.values()) >= LARGE else _by_second(daily_id, board)


@lru_cache(maxsize=32)
def _remembered(_database: str, daily_id: int, board: Leaderboard, _turn: float) -> dict[int, int]:
    return _by_second(daily_id, board)


def _by_second(daily_id: int, board: Leaderboard) -> dict[int, int]:
    second = (ATTEMPT.c.elapsed_ms // sa.literal_column("1000", sa.Integer)).label("second")
    counted = sa.select(second, sa.func.count()).where(on(daily_id, board)).group_by(second).order_by(second)
    return dict(db.session.execute(counted).all())


def ranks(daily_id: int, board: Leaderboard, *elapsed_ms: int) -> list[Ranks]:
    """Count the solves on a list, and for each time those in fewer whole seconds and those in as many."""
    took = ATTEMPT.c.elapsed_ms
    seconds = (ms // 1000 * 1000 for ms in elapsed_ms)
    parts = ((took < second, took.between(second, second + 999)) for second in seconds)
    return counted(sa.select(ATTEMPT).where(on(daily_id, board)), *parts)


def day(
    daily_id: int,
    board: Leaderboard,
    player_id: int | None,
    at: Cursor | None = None,
    *,
    closed: bool = False,
) -> LeaderboardPage:
    """Return a page of a daily's leaderboard, by default the first, with the player's own row.

    The ranked list also shows the solves without a rank. closed: whether the daily is closed, so that replays
    can be watched.
    """
    boards = (board, Leaderboard.UNRANKED) if board == Leaderboard.DAY else (board,)
    # A page of each list by its index, then the first rows of all.
    parts = (paged(sa.select(*COLUMNS).where(on(daily_id, each)), ORDER, at) for each in boards)
    both = sa.union_all(*(sa.select(part.subquery()) for part in parts)).subquery()
    page = paged(sa.select(both), [both.c[column.name] for column in ORDER], at)
    rows, before, after = cut(db.session.execute(page).all(), at, _day_key)
    # Adding 0 makes SQLite use the index on the player's attempts instead of reading the whole leaderboard.
    its = ATTEMPT.c.player_id == player_id, ATTEMPT.c.daily_id + 0 == daily_id, ATTEMPT.c.board.in_(boards)
    mine = None if player_id is None else db.session.execute(sa.select(*COLUMNS).where(*its)).first()
    seconds = [row.elapsed_ms // 1000 for row in rows if row.board == board]
    times = [1000 * seconds[0] if seconds else 0]
    if mine is not None and mine.board == board:
        times.append(mine.elapsed_ms)
    first, *own = ranks(daily_id, board, *times)
    numbers = numbered(seconds, first)
    named = names([row.player_id for row in [*rows, *([mine] if mine else [])]])

    def line(row: Any, rank: int | None) -> Row:
        return Row(
            rank,
            named[row.player_id],
            row.player_id == player_id,
            elapsed_ms=row.elapsed_ms,
            finished_at=row.finished_at,
            replay=row.id if closed and row.replay_shown and row.board == Leaderboard.DAY else None,
        )

    return LeaderboardPage(
        [line(row, numbers[row.elapsed_ms // 1000] if row.board == board else None) for row in rows],
        first.total,
        None if mine is None else line(mine, own[0].rank if own else None),
        before,
        after,
        own[0] if own else None,
    )


def first_three(daily_id: int) -> list[Row]:
    """Return the first three ranked solves of a daily."""
    first = sa.select(*COLUMNS).where(on(daily_id, Leaderboard.DAY)).order_by(*ORDER)
    found = db.session.execute(first.limit(3)).all()
    named = names([row.player_id for row in found])
    seconds = [row.elapsed_ms // 1000 for row in found]
    return [
        Row(seconds.index(second) + 1, named[row.player_id], mine=False, elapsed_ms=row.elapsed_ms)
        for row, second in zip(found, seconds, strict=True)
    ]


def fastest_shown(daily_id: int) -> tuple[str, int] | None:
    """Return the fastest solve of a daily whose player shares it, and its rank."""
    shown = sa.select(ATTEMPT.c.id, ATTEMPT.c.elapsed_ms).where(
        on(daily_id, Leaderboard.DAY), ATTEMPT.c.replay_shown == sa.true()
    )
    first = db.session.execute(shown.order_by(ATTEMPT.c.elapsed_ms, ATTEMPT.c.finished_at).limit(1)).first()
    return first and (first.id, ranks(daily_id, Leaderboard.DAY, first.elapsed_ms)[0].rank)
