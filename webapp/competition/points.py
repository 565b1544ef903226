"""Points: those of a closed day by rank, summed over weeks and averaged over all time."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta
from typing import Any, Final

import sqlalchemy as sa

from webapp.models import Attempt, Daily, Leaderboard, Scope, Score
from webapp.models.daily import FIRST_DAY

BEST: Final = 100  # for the first place
MOST_SCORED, FEWEST_SCORED = 100, 20  # solves in an all-time mean
ALL_LEVELS: Final = 0

_attempt, _score = Attempt.__table__, Score.__table__
_COLUMNS = ("player_id", "scope", "starts_on", "level", "points", "solves")
_RANKED = (
    sa.select(
        _attempt.c.id,
        sa.func.rank().over(order_by=_attempt.c.elapsed_ms // 1000).label("rank"),
        sa.func.count().over().label("total"),
    )
    .where(_attempt.c.daily_id == sa.bindparam("daily"), _attempt.c.board == Leaderboard.DAY)
    .subquery("ranked")
)
# First place earns BEST points, and each place below an equal step less.
_GIVEN = (2 * BEST * (_RANKED.c.total - _RANKED.c.rank + 1) + _RANKED.c.total) // (2 * _RANKED.c.total)
_GIVE = sa.update(_attempt).where(_attempt.c.id == _RANKED.c.id).values(points=_GIVEN)


def monday(day: date) -> date:
    """Return the Monday of a day's week."""
    return day - timedelta(days=day.weekday())


def give(connection: sa.Connection, daily_id: int) -> None:
    """Turn the ranks of a day into whole points."""
    connection.execute(_GIVE, {"daily": daily_id})


def sum_up(connection: sa.Connection, players: Sequence[int], week: date | None = None) -> None:
    """Sum up the points of these locked players.

    week: the Monday of the only changed week; None for any.
    """
    of_them: sa.ColumnElement[bool] = _score.c.player_id.in_(players)
    if week is not None:
        of_them = sa.and_(of_them, sa.or_(_score.c.scope == Scope.ALL, _score.c.starts_on == week))
    connection.execute(sa.delete(_score).where(of_them))
    solves = (
        sa.select(_attempt.c.player_id, Daily.level, Daily.date, _attempt.c.points)
        .join(Daily, Daily.id == _attempt.c.daily_id)
        .where(
            _attempt.c.player_id.in_(players),
            _attempt.c.board == Leaderboard.DAY,
            _attempt.c.points.is_not(None),
        )
    ).subquery()
    days = connection.scalars(sa.select(solves.c.date).distinct()).all()
    weeks = sorted({monday(day) for day in days} if week is None else {week})
    for by_level in (False, True):
        for first in weeks:
            total = _summed(solves, by_level, Scope.WEEK, first, sa.func.sum(solves.c.points))
            within = solves.c.date.between(first, first + timedelta(days=6))
            connection.execute(sa.insert(_score).from_select(_COLUMNS, total.where(within)))
        connection.execute(sa.insert(_score).from_select(_COLUMNS, _all_time(solves, by_level)))


def _summed(
    solves: sa.Subquery, by_level: bool, scope: Scope, starts_on: date, points: sa.ColumnElement[int]
) -> sa.Select[Any]:
    """Select the points of each player, at each level or over all."""
    return sa.select(
        solves.c.player_id,
        sa.literal(scope.value),
        sa.literal(starts_on, sa.Date),
        solves.c.level if by_level else sa.literal(ALL_LEVELS),
        points,
        sa.func.count(),
    ).group_by(*_group(solves, by_level))


def _all_time(solves: sa.Subquery, by_level: bool) -> sa.Select[Any]:
    """Select the mean of each player's latest MOST_SCORED solves, if at least FEWEST_SCORED."""
    place = sa.func.row_number().over(
        partition_by=_group(solves, by_level), order_by=[solves.c.date.desc(), solves.c.level.desc()]
    )
    last = sa.select(solves, place.label("place")).subquery()
    total, count = sa.func.sum(last.c.points), sa.func.count()
    mean = _summed(last, by_level, Scope.ALL, FIRST_DAY, (2 * total + count) // (2 * count))
    return mean.where(last.c.place <= MOST_SCORED).having(count >= FEWEST_SCORED)


def _group(solves: sa.Subquery, by_level: bool) -> list[sa.ColumnElement[Any]]:
    return [solves.c.player_id, solves.c.level] if by_level else [solves.c.player_id]
