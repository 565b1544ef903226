"""Leaderboards of points: pages for a week and for all time. The same points share a rank."""

from __future__ import annotations

from collections import Counter
from datetime import date
from typing import Any

import sqlalchemy as sa

from webapp.competition.leaderboard.rows import PAGE, Cursor, LeaderboardPage, Row, cut, is_number, names
from webapp.competition.ranking.points import monday, tenth
from webapp.models import PointCount, Scope, Score
from webapp.models.daily import FIRST_DAY
from webapp.process.database import db

SCORE = Score.__table__
POINT_COUNT = PointCount.__table__


def score_key(text: str) -> tuple[float, int] | None:
    """Parse the key of a row of points; None if invalid."""
    thousandths, _, player_id = text.partition(".")
    if not (is_number(thousandths) and is_number(player_id) and len(player_id) <= 9):
        return None
    return int(thousandths) / 1000, int(player_id)


def _score_key(row: Any) -> str:
    return f"{round(row.points * 1000)}.{row.player_id}"


_PARAMETERS = {
    "scope": sa.bindparam("of_scope", type_=sa.String),
    "starts_on": sa.bindparam("from_day", type_=sa.Date),
    "level": sa.bindparam("of_level", type_=sa.Integer),
}
_ON_TABLE = sa.and_(*(SCORE.c[name] == value for name, value in _PARAMETERS.items()))
_BY_POINTS = (SCORE.c.points, SCORE.c.player_id)
_POINTS = sa.select(*_BY_POINTS, *SCORE.c["solves", "provisional"]).where(_ON_TABLE)
_OWN_POINTS = _POINTS.where(SCORE.c.player_id == sa.bindparam("player"))


def _above(name: str) -> sa.ColumnElement[int]:
    above = POINT_COUNT.c.tenth > sa.bindparam(name, type_=sa.Integer)
    players = sa.func.sum(POINT_COUNT.c.players).filter(above)
    return sa.func.coalesce(players, 0)


_COUNTED = sa.select(
    sa.func.coalesce(sa.func.sum(POINT_COUNT.c.players), 0), _above("first_tenth"), _above("own_tenth")
).where(*(POINT_COUNT.c[name] == value for name, value in _PARAMETERS.items()))
_these = sa.bindparam("points", type_=sa.Float)
_NEAR_POINTS = sa.select(
    sa.func.count().filter(SCORE.c.points > _these), sa.func.count().filter(SCORE.c.points == _these)
).where(_ON_TABLE, SCORE.c.points >= _these, SCORE.c.points < sa.bindparam("above", type_=sa.Float))


def page_of_points(at: Cursor | None) -> sa.Select[Any]:
    """The keys of one page of points plus one row; parameters of `_PARAMETERS`."""
    query = _POINTS.limit(PAGE + 1)
    if at is not None:
        key = sa.tuple_(sa.literal(at.key[0], sa.Float), sa.literal(at.key[1], sa.Integer))
        order = sa.tuple_(*_BY_POINTS)
        query = query.where(order > key if at.backwards else order < key)
    if at is not None and at.backwards:
        return query.order_by(*_BY_POINTS)
    return query.order_by(*(column.desc() for column in _BY_POINTS))


def points(
    scope: Scope, day: date, level: int, player_id: int | None, at: Cursor | None = None
) -> LeaderboardPage:
    """Return a page of points for the week of a day or for all time, for one level or, with 0, for all."""
    starts_on = monday(day) if scope == Scope.WEEK else FIRST_DAY
    table = {"of_scope": scope, "from_day": starts_on, "of_level": level}
    rows, before, after = cut(db.session.execute(page_of_points(at), table).all(), at, _score_key)
    mine = None
    if player_id is not None:
        mine = db.session.execute(_OWN_POINTS, table | {"player": player_id}).first()
    shown = names([row.player_id for row in [*rows, *([mine] if mine else [])]])
    tenths = {
        "first_tenth": tenth(rows[0].points) if rows else 0,
        "own_tenth": tenth(mine.points) if mine else 0,
    }
    total, above_first, above_own = db.session.execute(_COUNTED, table | tenths).one()

    def near(points: float) -> tuple[int, int]:
        """Count the players in the same tenth with more points than these, and with as many."""
        above = {"points": points, "above": (tenth(points) + 1) / 10}
        more, same = db.session.execute(_NEAR_POINTS, table | above).one()
        return more, same

    def line(row: Any, ahead: int, same: int) -> Row:
        name, own = shown[row.player_id], row.player_id == player_id
        return Row(
            ahead + 1,
            same > 1,
            name,
            own,
            points=row.points,
            solves=row.solves,
            provisional=row.provisional,
        )

    lines: list[Row] = []
    if rows:
        same = Counter(row.points for row in rows)
        # Only points at the ends of a page can be tied with rows beyond it.
        more, same[rows[0].points] = near(rows[0].points)
        ahead = above_first + more
        if rows[-1].points != rows[0].points:
            same[rows[-1].points] = near(rows[-1].points)[1]
        for points in same:  # in the page's order
            lines += [line(row, ahead, same[points]) for row in rows if row.points == points]
            ahead += same[points]
    own = None
    if mine is not None:
        more, equal = near(mine.points)
        own = line(mine, above_own + more, equal)
    return LeaderboardPage(lines, total, own, before, after)
