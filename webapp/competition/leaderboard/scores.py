"""Leaderboards of points: pages for a week and for all time. The same points share a rank."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

import sqlalchemy as sa

from webapp.competition.leaderboard.rows import (
    Cursor,
    LeaderboardPage,
    Row,
    counted,
    cut,
    is_number,
    names,
    numbered,
    paged,
)
from webapp.competition.points import monday
from webapp.models import Daily, Scope, Score
from webapp.models.daily import FIRST_DAY, SCHEDULED
from webapp.process.database import db

SCORE = Score.__table__


def score_key(text: str) -> tuple[int, int] | None:
    """Parse the key of a row of points; None if invalid."""
    points, _, player_id = text.partition(".")
    if not (is_number(points) and is_number(player_id) and max(len(points), len(player_id)) <= 9):
        return None
    return int(points), int(player_id)


def points(
    scope: Scope, day: date, level: int, player_id: int | None, at: Cursor | None = None
) -> LeaderboardPage:
    """Return a page of points for the week of a day or for all time, for one level or, with 0, for all."""
    starts_on = monday(day) if scope == Scope.WEEK else FIRST_DAY
    on_table = sa.and_(SCORE.c.scope == scope, SCORE.c.starts_on == starts_on, SCORE.c.level == level)
    found = sa.select(*SCORE.c["points", "player_id", "solves"]).where(on_table)
    page = paged(found, (SCORE.c.points, SCORE.c.player_id), at, most_first=True)
    rows, before, after = cut(db.session.execute(page).all(), at, lambda row: f"{row.points}.{row.player_id}")
    mine = None
    if player_id is not None:
        mine = db.session.execute(found.where(SCORE.c.player_id == player_id)).first()
    shown = names([row.player_id for row in [*rows, *([mine] if mine else [])]])

    first_points = rows[0].points if rows else 0
    values = [first_points] if mine is None else [first_points, mine.points]
    first, *own = counted(found, *((SCORE.c.points > value, SCORE.c.points == value) for value in values))
    numbers = numbered([row.points for row in rows], first)

    def line(row: Any, rank: int) -> Row:
        name, its_own = shown[row.player_id], row.player_id == player_id
        return Row(rank, name, its_own, points=row.points, solves=row.solves)

    listed = [line(row, numbers[row.points]) for row in rows]
    return LeaderboardPage(listed, first.total, line(mine, own[0].rank) if own else None, before, after)


def closed_days(day: date) -> list[date]:
    """Return the days of a week for which points are given, those that count in it so far."""
    first = monday(day)
    within = Daily.date.between(first, first + timedelta(days=6))
    closed = sa.select(Daily.date).where(within, Daily.closed_at.is_not(None), SCHEDULED)
    return list(db.session.scalars(closed.distinct().order_by(Daily.date)))
