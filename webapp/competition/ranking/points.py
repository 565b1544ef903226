"""Players' points, summed over weeks and averaged over all time, and the counts that rank them.

`PointCount` holds the number of players per tenth of a point and changes in the same transaction.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import date, timedelta
from typing import Any

import sqlalchemy as sa

from webapp.models import Attempt, Daily, Leaderboard, PointCount, Scope, Score
from webapp.models.daily import FIRST_DAY
from webapp.process.database import upsert

MOST_SCORED, FEWEST_SCORED = 100, 20  # solves in an all-time mean
ALL_LEVELS = 0

_attempt = Attempt.__table__
_score, _point_count = Score.__table__, PointCount.__table__
_COLUMNS = ("player_id", "scope", "starts_on", "level", "points", "solves", "provisional")


def monday(day: date) -> date:
    """Return the Monday of a day's week."""
    return day - timedelta(days=day.weekday())


def rescore(connection: sa.Connection, players: Sequence[int], week: date | None = None) -> None:
    """Update the points of these locked players from their percentiles, final or provisional.

    week: the Monday of the only changed week; None for any.
    """
    of_them: sa.ColumnElement[bool] = _score.c.player_id.in_(players)
    if week is not None:
        of_them = sa.and_(of_them, sa.or_(_score.c.scope == Scope.ALL, _score.c.starts_on == week))
    before = _drop(connection, of_them)
    share = sa.func.coalesce(_attempt.c.percentile, _attempt.c.provisional)
    open_ones = sa.case((_attempt.c.percentile.is_not(None), 0), else_=1)
    solves = (
        sa.select(
            _attempt.c.player_id, Daily.level, Daily.date, share.label("share"), open_ones.label("open")
        )
        .join(Daily, Daily.id == _attempt.c.daily_id)
        .where(_attempt.c.player_id.in_(players), _attempt.c.board == Leaderboard.DAY, share.is_not(None))
    ).subquery()
    days = connection.scalars(sa.select(solves.c.date).distinct()).all()
    weeks = sorted({monday(day) for day in days} if week is None else {week})
    for by_level in (False, True):
        for first in weeks:
            connection.execute(sa.insert(_score).from_select(_COLUMNS, _week(solves, first, by_level)))
        connection.execute(sa.insert(_score).from_select(_COLUMNS, _all_time(solves, by_level)))
    _count(connection, of_them, before)


def _week(solves: sa.Subquery, first: date, by_level: bool) -> sa.Select[Any]:
    """Return the sum of each player's percentiles over the week from its Monday."""
    return (
        sa.select(
            solves.c.player_id,
            sa.literal(Scope.WEEK.value),
            sa.literal(first, sa.Date),
            solves.c.level if by_level else sa.literal(ALL_LEVELS),
            _rounded(sa.func.sum(solves.c.share)),
            sa.func.count(),
            sa.func.max(solves.c.open) == 1,
        )
        .where(solves.c.date >= first, solves.c.date < first + timedelta(days=7))
        .group_by(*_group(solves, by_level))
    )


def _all_time(solves: sa.Subquery, by_level: bool) -> sa.Select[Any]:
    """Return the mean of each player's latest MOST_SCORED percentiles, if at least FEWEST_SCORED."""
    place = sa.func.row_number().over(
        partition_by=_group(solves, by_level), order_by=[solves.c.date.desc(), solves.c.level.desc()]
    )
    last = sa.select(solves, place.label("place")).subquery()
    return (
        sa.select(
            last.c.player_id,
            sa.literal(Scope.ALL.value),
            sa.literal(FIRST_DAY, sa.Date),
            last.c.level if by_level else sa.literal(ALL_LEVELS),
            _rounded(sa.func.avg(last.c.share)),
            sa.func.count(),
            sa.func.max(last.c.open) == 1,
        )
        .where(last.c.place <= MOST_SCORED)
        .group_by(*_group(last, by_level))
        .having(sa.func.count() >= FEWEST_SCORED)
    )


def _group(solves: sa.Subquery, by_level: bool) -> list[sa.ColumnElement[Any]]:
    return [solves.c.player_id, solves.c.level] if by_level else [solves.c.player_id]


def drop(connection: sa.Connection, player_id: int) -> None:
    """Delete a player's points."""
    theirs = _score.c.player_id == player_id
    _count(connection, theirs, _drop(connection, theirs))


_TABLE = ("scope", "starts_on", "level", "tenth")
_TENTH = sa.cast(sa.func.round(_score.c.points * 1000), sa.Integer).op("/")(100).label("tenth")


def tenth(points: float) -> int:
    """Return the tenth under which points are counted."""
    return round(points * 1000) // 100


def _places(connection: sa.Connection, of_them: sa.ColumnElement[bool]) -> Counter[tuple[Any, ...]]:
    """Count these rows of points by their place."""
    key = [*(_score.c[name] for name in _TABLE[:-1]), _TENTH]
    counted = sa.select(*key, sa.func.count()).where(of_them).group_by(*key)
    return Counter({tuple(key): players for *key, players in connection.execute(counted)})


def _drop(connection: sa.Connection, of_them: sa.ColumnElement[bool]) -> Counter[tuple[Any, ...]]:
    """Delete these rows of points. Returns their counts, to be combined with those of their replacements."""
    before = _places(connection, of_them)
    connection.execute(sa.delete(_score).where(of_them))
    return before


def _count(
    connection: sa.Connection, of_them: sa.ColumnElement[bool], before: Counter[tuple[Any, ...]]
) -> None:
    """Update the counts for the new places of these rows of points."""
    changes = _places(connection, of_them)
    changes.subtract(before)
    rows = [
        dict(zip(_TABLE, key, strict=True), players=max(change, 0), change=change)
        for key, change in sorted(changes.items())  # in order, so that no two transactions deadlock
        if change
    ]
    if not rows:
        return
    insert = upsert(_point_count)
    players = _point_count.c.players + sa.bindparam("change", type_=sa.Integer)
    connection.execute(insert.on_conflict_do_update(index_elements=_TABLE, set_={"players": players}), rows)
    this = sa.and_(*(_point_count.c[name] == sa.bindparam(f"its_{name}") for name in _TABLE))
    emptied = [{f"its_{name}": row[name] for name in _TABLE} for row in rows if row["change"] < 0]
    if emptied:
        connection.execute(sa.delete(_point_count).where(this, _point_count.c.players == 0), emptied)


def _rounded(points: sa.ColumnElement[Any]) -> sa.ColumnElement[float]:
    """Round to a thousandth, so that the order of addition doesn't affect equality."""
    return sa.cast(sa.func.round(sa.cast(points, sa.Numeric), 3), sa.Float)
