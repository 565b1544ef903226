"""Leaderboards: pages of a day's board, of a week's and of all-time points, and where one player stands.

Pages are found by the key of the row they begin after or end before, never by counting rows, so the last page
is as fast as the first. A rank of a day is a sum over `TimeCount`. Ties: the same second, or the same points,
is the same rank.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Any

import sqlalchemy as sa

from webapp.database import db
from webapp.models import Attempt, Board, Daily, Listing, Player, Scope, Score, TimeCount
from webapp.models.daily import FIRST_DAY
from webapp.services import plausibility, ranking

PAGE = 50
PUBLIC_ID = re.compile(r"[\w-]{1,22}", re.ASCII)
BOARD = Attempt.__table__
COUNT = TimeCount.__table__
SCORE = Score.__table__


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a board: a time, or points."""

    rank: int
    tied: bool
    name: str | None  # None for a player who wants to stay anonymous
    mine: bool
    elapsed_ms: int | None = None
    finished_at: datetime | None = None
    points: float | None = None
    solves: int | None = None


@dataclass(frozen=True, slots=True)
class Page:
    """A page of a board with the player's own row, wherever it stands."""

    rows: list[Row]
    total: int
    mine: Row | None
    before: str | None = None  # key for the page before this one
    after: str | None = None  # key for the next one


@dataclass(frozen=True, slots=True)
class Cursor:
    """Where a page begins: right after this key, or right before it."""

    key: tuple[Any, ...]
    backwards: bool = False


# Days


def day_key(text: str) -> tuple[int, datetime, str] | None:
    """The key of a row of a day's board, as `Page` writes it; None where it is none."""
    ms, _, rest = text.partition(".")
    micros, _, attempt_id = rest.partition(".")
    if not (_number(ms) and _number(micros) and PUBLIC_ID.fullmatch(attempt_id)):
        return None
    return int(ms), datetime.fromtimestamp(0, UTC) + timedelta(microseconds=int(micros)), attempt_id


def _number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= 17


def _day_key(row: Any) -> str:
    micros = (row.finished_at - datetime.fromtimestamp(0, UTC)) // timedelta(microseconds=1)
    return f"{row.board_ms}.{micros}.{row.id}"


_ORDER = (BOARD.c.board_ms, BOARD.c.finished_at, BOARD.c.id)
_ROWS = sa.select(*_ORDER, BOARD.c.player_id).where(
    BOARD.c.daily_id == sa.bindparam("daily"), BOARD.c.board == sa.bindparam("on_board")
)


def page_of_day(after: Cursor | None) -> sa.Select[Any]:
    """The keys of one page and of one row more; parameters `daily` and `on_board`."""
    query = _ROWS.limit(PAGE + 1)
    if after is None:
        return query.order_by(*_ORDER)
    key = sa.tuple_(
        *(sa.literal(value, column.type) for value, column in zip(after.key, _ORDER, strict=True))
    )
    if after.backwards:
        return query.where(sa.tuple_(*_ORDER) < key).order_by(*(column.desc() for column in _ORDER))
    return query.where(sa.tuple_(*_ORDER) > key).order_by(*_ORDER)


def day(daily_id: int, board: Board, player_id: int | None, at: Cursor | None = None) -> Page:
    """A page of a daily's board; the first where no key is given."""
    rows = db.session.execute(page_of_day(at), {"daily": daily_id, "on_board": board}).all()
    rows, before, after = _paged(rows, at, _day_key)
    seconds = [row.board_ms // 1000 for row in rows]
    mine = None
    if player_id is not None:
        mine = db.session.execute(own_row(player_id, daily_id, board)).first()
    ranks = _ranks(daily_id, board, seconds)
    if mine is None:
        total = int(db.session.scalar(_on_board(sa.func.sum(COUNT.c.solves), daily_id, board)) or 0)
    else:
        counts = ranking.counts(daily_id, board, mine.board_ms // 1000)
        total, ranks[mine.board_ms // 1000] = counts.total, (counts.faster + 1, counts.same)
    names = _names([row.player_id for row in [*rows, *([mine] if mine else [])]])

    def line(row: Any) -> Row:
        rank, same = ranks[row.board_ms // 1000]
        return Row(
            rank,
            same > 1,
            names[row.player_id],
            row.player_id == player_id,
            elapsed_ms=row.board_ms,
            finished_at=row.finished_at,
        )

    own = line(mine) if mine else None
    return Page([line(row) for row in rows], total, own, before, after)


def own_row(player_id: int, daily_id: int, board: Board) -> sa.Select[Any]:
    """The key of a player's row on a board."""
    # By the player's attempts: adding 0 keeps SQLite from reading the whole board for it.
    return sa.select(*_ORDER, BOARD.c.player_id).where(
        BOARD.c.player_id == player_id, BOARD.c.daily_id + 0 == daily_id, BOARD.c.board == board
    )


def _on_board(what: Any, daily_id: int, board: str) -> sa.Select[Any]:
    return sa.select(what).where(COUNT.c.daily_id == daily_id, COUNT.c.board == board)


def _ranks(daily_id: int, board: str, seconds: Sequence[int]) -> dict[int, tuple[int, int]]:
    """For each second: its rank, and how many took it."""
    ranks: dict[int, tuple[int, int]] = {}
    if not seconds:
        return ranks
    counts = _on_board(COUNT.c.second, daily_id, board).add_columns(COUNT.c.solves)
    faster = _on_board(sa.func.coalesce(sa.func.sum(COUNT.c.solves), 0), daily_id, board)
    ahead = int(db.session.scalar(faster.where(COUNT.c.second < min(seconds))) or 0)
    found = counts.where(COUNT.c.second.between(min(seconds), max(seconds))).order_by(COUNT.c.second)
    for second, solves in db.session.execute(found):
        ranks[second] = ahead + 1, solves
        ahead += solves
    return ranks


def _names(player_ids: Sequence[int]) -> dict[int, str | None]:
    found = sa.select(Player.id, Player.name, Player.listing).where(Player.id.in_(set(player_ids)))
    return {
        player_id: None if listing == Listing.ANONYMOUS else name
        for player_id, name, listing in db.session.execute(found)
    }


def _paged(rows: Sequence[Any], at: Cursor | None, key: Any) -> tuple[list[Any], str | None, str | None]:
    """The rows of a page in order, and the keys of its neighbours; one row more was asked for."""
    more, shown = len(rows) > PAGE, list(rows[:PAGE])
    if at is not None and at.backwards:
        shown.reverse()
        before, after = more, bool(shown)
    else:
        before, after = at is not None and bool(shown), more
    return shown, key(shown[0]) if before else None, key(shown[-1]) if after else None


# Weeks and all time


def score_key(text: str) -> tuple[float, int] | None:
    """The key of a row of points, as `Page` writes it; None where it is none."""
    thousandths, _, player_id = text.partition(".")
    if not (_number(thousandths) and _number(player_id) and len(player_id) <= 9):
        return None
    return int(thousandths) / 1000, int(player_id)


def _score_key(row: Any) -> str:
    return f"{round(row.points * 1000)}.{row.player_id}"


def _table(scope: Scope, starts_on: date, level: int) -> sa.ColumnElement[bool]:
    return sa.and_(SCORE.c.scope == scope, SCORE.c.starts_on == starts_on, SCORE.c.level == level)


def points(scope: Scope, day: date, level: int, player_id: int | None, at: Cursor | None = None) -> Page:
    """A page of the points of the week of a day, or of all time, for one level or, with 0, for all."""
    table = _table(scope, ranking.monday(day) if scope == Scope.WEEK else FIRST_DAY, level)
    columns = (SCORE.c.points, SCORE.c.player_id, SCORE.c.solves)
    order = (SCORE.c.points, SCORE.c.player_id)
    query = sa.select(*columns).where(table).limit(PAGE + 1)
    if at is None or not at.backwards:
        query = query.order_by(*(column.desc() for column in order))
    else:
        query = query.order_by(*order)
    if at is not None:
        key = sa.tuple_(sa.literal(at.key[0], sa.Float), sa.literal(at.key[1], sa.Integer))
        query = query.where(sa.tuple_(*order) > key if at.backwards else sa.tuple_(*order) < key)
    rows, before, after = _paged(db.session.execute(query).all(), at, _score_key)
    mine = None
    if player_id is not None:
        mine = db.session.execute(sa.select(*columns).where(table, SCORE.c.player_id == player_id)).first()
    names = _names([row.player_id for row in [*rows, *([mine] if mine else [])]])

    def counted(condition: sa.ColumnElement[bool]) -> int:
        return db.session.scalar(sa.select(sa.func.count()).select_from(SCORE).where(table, condition)) or 0

    def line(row: Any, rank: int, tied: bool) -> Row:
        name, own = names[row.player_id], row.player_id == player_id
        return Row(rank, tied, name, own, points=row.points, solves=row.solves)

    lines: list[Row] = []
    if rows:
        ahead = counted(SCORE.c.points > rows[0].points)
        same = {row.points: 0 for row in rows}
        for row in rows:
            same[row.points] += 1
        # Only the points at the ends of a page can be shared with rows beyond it.
        for end in {rows[0].points, rows[-1].points}:
            same[end] = counted(SCORE.c.points == end)
        for points in same:  # in the order of the page
            lines += [line(row, ahead + 1, same[points] > 1) for row in rows if row.points == points]
            ahead += same[points]
    own = None
    if mine is not None:
        own = line(
            mine, counted(SCORE.c.points > mine.points) + 1, counted(SCORE.c.points == mine.points) > 1
        )
    return Page(lines, counted(sa.true()), own, before, after)


def daily(day: date, level: int) -> Daily | None:
    """The daily of a day and level."""
    return db.session.scalar(sa.select(Daily).where(Daily.date == day, Daily.level == level))


# One solve


@dataclass(frozen=True, slots=True)
class Place:
    """Where a solve of a daily stands, for its player."""

    attempt: Attempt
    board: Board | None
    rank: int | None
    tied: bool
    total: int
    percentile: float | None  # 0..100: of the others, how many were slower
    final: bool  # whether the board is frozen
    named: bool
    listing: str  # a Listing
    doubts: list[str]  # words


def place(attempt: Attempt) -> Place:
    """Where a finished attempt at a daily stands now."""
    fresh = db.session.execute(
        sa.select(
            Attempt.board, Attempt.board_ms, Attempt.percentile, Daily.frozen_at, Player.name, Player.listing
        )
        .join(Attempt.player)
        .join(Attempt.daily)
        .where(Attempt.id == attempt.id)
    ).one()
    rank, same, total, share = None, 0, 0, fresh.percentile
    if fresh.board is not None and attempt.daily_id is not None:
        counts = ranking.counts(attempt.daily_id, fresh.board, fresh.board_ms // 1000)
        rank, same, total = counts.faster + 1, counts.same, counts.total
        if share is None and fresh.board == Board.DAY:
            share = counts.percentile
    return Place(
        attempt,
        None if fresh.board is None else Board(fresh.board),
        rank,
        tied=same > 1,
        total=total,
        percentile=share,
        final=fresh.frozen_at is not None,
        named=fresh.name is not None,
        listing=fresh.listing,
        doubts=[plausibility.words(key) for key in json.loads(attempt.doubts or "[]")],
    )


def standing(daily_id: int, player_id: int | None) -> Attempt | None:
    """The ranked, solved attempt of a player at a daily, whatever became of it."""
    if player_id is None:
        return None
    return db.session.scalar(
        sa.select(Attempt).where(
            Attempt.player_id == player_id,
            Attempt.daily_id == daily_id,
            Attempt.ranked,
            Attempt.finished_at.is_not(None),
        )
    )
