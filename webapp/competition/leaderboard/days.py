"""Leaderboards of a day: pages of times, with ranks. The same second shares a rank.

A page is one keyset query, and one count ranks its rows.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Any, Final

import sqlalchemy as sa

from webapp.competition.leaderboard import distribution
from webapp.competition.leaderboard.rows import (
    PAGE,
    Cursor,
    LeaderboardPage,
    Ranks,
    Row,
    cut,
    is_number,
    names,
)
from webapp.models import Attempt, Daily, Leaderboard
from webapp.models.attempt import PUBLIC_ID
from webapp.process.database import db

STEP: Final = distribution.STEPS[0]
LARGE: Final = 5000  # solves of a day from which its bars are remembered
REMEMBERED: Final = 10.0  # seconds

ATTEMPT = Attempt.__table__
ORDER = (ATTEMPT.c.elapsed_ms, ATTEMPT.c.finished_at, ATTEMPT.c.id)
_bars: dict[tuple[str, int, str], tuple[float, dict[int, int]]] = {}  # of this process, by database and list


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


def count(*which: sa.ColumnElement[bool]) -> sa.ScalarSelect[Any]:
    """Count attempts, within another statement."""
    return sa.select(sa.func.count()).select_from(ATTEMPT).where(*which).scalar_subquery()


def _key(row: Any) -> sa.ColumnElement[Any]:
    return sa.tuple_(*(sa.literal(value, column.type) for value, column in zip(row, ORDER, strict=True)))


def page_of_day(daily_id: int, boards: Sequence[Leaderboard], at: Cursor | None) -> sa.Select[Any]:
    """Select one page of these lists together, plus one row."""
    backwards = at is not None and at.backwards
    parts = []
    for board in boards:
        part = sa.select(*ORDER, *ATTEMPT.c["player_id", "board", "replay_shown"]).where(on(daily_id, board))
        if at is not None:
            part = part.where(
                sa.tuple_(*ORDER) < _key(at.key) if backwards else sa.tuple_(*ORDER) > _key(at.key)
            )
        part = part.order_by(*(column.desc() if backwards else column for column in ORDER)).limit(PAGE + 1)
        parts.append(sa.select(part.subquery()))
    both = sa.union_all(*parts).subquery()
    order = [both.c[column.name] for column in ORDER]
    return sa.select(both).order_by(*(key.desc() if backwards else key for key in order)).limit(PAGE + 1)


def around(daily_id: int, board: Leaderboard, elapsed_ms: int) -> Ranks:
    """Count the solves on a list, those in fewer whole seconds, and those in as many."""
    here, begin = on(daily_id, board), elapsed_ms // 1000 * 1000
    took = ATTEMPT.c.elapsed_ms
    row = db.session.execute(
        sa.select(count(here), count(here, took < begin), count(here, took.between(begin, begin + 999)))
    ).one()
    return Ranks(*row)


@dataclass(frozen=True, slots=True)
class Replay:
    """The fastest solve of a closed daily whose player shares it."""

    attempt_id: str
    rank: int


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
    found = db.session.execute(page_of_day(daily_id, boards, at)).all()
    rows, before, after = cut(found, at, _day_key)
    mine = None if player_id is None else _own_row(player_id, daily_id, boards)
    ranked = [row for row in rows if row.board == board]
    total, faster, ahead, own, same = _counts(daily_id, board, ranked[0] if ranked else None, mine)
    named = names([row.player_id for row in [*rows, *([mine] if mine else [])]])
    rank_of: dict[int, int] = {}
    for place, row in enumerate(ranked):
        first = row.elapsed_ms // 1000 == ranked[0].elapsed_ms // 1000
        rank_of.setdefault(row.elapsed_ms // 1000, faster + 1 if first else ahead + place + 1)

    def line(row: Any, rank: int | None) -> Row:
        return Row(
            rank,
            named[row.player_id],
            row.player_id == player_id,
            elapsed_ms=row.elapsed_ms,
            finished_at=row.finished_at,
            replay=row.id if closed and row.replay_shown and row.board == Leaderboard.DAY else None,
        )

    lines = [line(row, rank_of[row.elapsed_ms // 1000] if row.board == board else None) for row in rows]
    own_line = None if mine is None else line(mine, own + 1 if mine.board == board else None)
    ranks = Ranks(total, own, same) if mine is not None and mine.board == board else None
    return LeaderboardPage(lines, total, own_line, before, after, ranks)


def _own_row(player_id: int, daily_id: int, boards: Sequence[Leaderboard]) -> Any:
    """Return a player's row on these lists."""
    # Adding 0 makes SQLite use the index on the player's attempts instead of reading the whole leaderboard.
    query = sa.select(*ORDER, *ATTEMPT.c["player_id", "board", "replay_shown"]).where(
        ATTEMPT.c.player_id == player_id, ATTEMPT.c.daily_id + 0 == daily_id, ATTEMPT.c.board.in_(boards)
    )
    return db.session.execute(query).first()


def _counts(daily_id: int, board: Leaderboard, first: Any, mine: Any) -> tuple[int, ...]:
    """Count a list, its solves faster than a page's first row and before it, those faster than one's own, and
    those in as many seconds.

    One pass over the index.
    """
    took = ATTEMPT.c.elapsed_ms
    nothing = sa.literal(0)
    begin = 0 if first is None else first.elapsed_ms // 1000 * 1000
    own = 0 if mine is None else mine.elapsed_ms // 1000 * 1000
    here = on(daily_id, board)
    row = db.session.execute(
        sa.select(
            count(here),
            count(here, took < begin) if begin else nothing,
            nothing if first is None else count(here, sa.tuple_(*ORDER) < _key(tuple(first)[:3])),
            count(here, took < own) if own else nothing,
            nothing if mine is None else count(here, took.between(own, own + 999)),
        )
    ).one()
    return tuple(row)


def first_three(daily_id: int) -> list[Row]:
    """Return the first three ranked solves of a daily."""
    first = sa.select(*ORDER, ATTEMPT.c.player_id).where(on(daily_id, Leaderboard.DAY)).order_by(*ORDER)
    found = db.session.execute(first.limit(3)).all()
    named = names([row.player_id for row in found])
    seconds = [row.elapsed_ms // 1000 for row in found]
    return [
        Row(seconds.index(second) + 1, named[row.player_id], mine=False, elapsed_ms=row.elapsed_ms)
        for row, second in zip(found, seconds, strict=True)
    ]


def fastest_shown(daily_id: int) -> Replay | None:
    """Return the fastest solve of a daily with a shared replay."""
    shown = sa.select(ATTEMPT.c.id, ATTEMPT.c.elapsed_ms).where(
        on(daily_id, Leaderboard.DAY), ATTEMPT.c.replay_shown == sa.true()
    )
    first = db.session.execute(shown.order_by(ATTEMPT.c.elapsed_ms, ATTEMPT.c.finished_at).limit(1)).first()
    if first is None:
        return None
    return Replay(first.id, around(daily_id, Leaderboard.DAY, first.elapsed_ms).rank)


def steps(daily_id: int, board: Leaderboard = Leaderboard.DAY) -> dict[int, int]:
    """Count the solves of a list by the second at which their bar begins; of a large day, seconds ago."""
    key = (str(db.engine.url), daily_id, board.value)
    until, remembered = _bars.get(key, (0.0, {}))
    if time.monotonic() < until:
        return remembered
    begin = (ATTEMPT.c.elapsed_ms // sa.literal_column(str(1000 * STEP), sa.Integer)).label("begin")
    query = sa.select(begin, sa.func.count()).where(on(daily_id, board)).group_by(begin).order_by(begin)
    found = {STEP * bar: solves for bar, solves in db.session.execute(query)}
    _bars.pop(key, None)
    if sum(found.values()) >= LARGE:
        _bars[key] = time.monotonic() + REMEMBERED, found
    return found


def daily(day: date, level: int) -> Daily | None:
    """Return the daily of a day and level."""
    return db.session.scalar(sa.select(Daily).where(Daily.date == day, Daily.level == level))
