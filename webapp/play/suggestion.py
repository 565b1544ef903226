"""The next puzzle for a player: new, at the level and minutes where they take about as long as expected."""

from __future__ import annotations

import secrets
from functools import cache
from statistics import median
from typing import Final

import sqlalchemy as sa

from webapp.models import Attempt, Peek, Puzzle, Status
from webapp.process.database import db

LATEST: Final = 10  # finished games without help that count
SHIFTS: Final = {"": 1.0, "easier": 1 / 1.5, "harder": 1.5}  # of the minutes, by what the player asks for
MOST_CHANGE: Final = 1.4  # from the minutes of the latest games, by their pace
CLOSE: Final = 0.1  # of the minutes: puzzles within are equally good
MOST_LOOKED_AT: Final = 12  # puzzles on either side


def level_and_seconds(player_id: int | None, shift: str) -> tuple[int, float | None]:
    """Return the hardest level and the expected time of the puzzle a player should get next.

    Without games, the easiest level and no time. shift: a key of SHIFTS.
    """
    games = (
        sa.select(Attempt.level, Puzzle.expected_seconds, Attempt.elapsed_ms)
        .join(Puzzle, Puzzle.id == Attempt.puzzle_id)
        .where(Attempt.player_id == player_id, Attempt.finished_at.is_not(None), ~Attempt.assisted)
        .where(Puzzle.expected_seconds > 0)
        .order_by(Attempt.finished_at.desc())
        .limit(LATEST)
    )
    rows = db.session.execute(games).all() if player_id is not None else []
    if not rows:
        return (2 if shift == "harder" else 1), None
    expected = median(seconds or 0.0 for _level, seconds, _taken in rows)
    taken = median(max(1, taken or 0) / 1000 for _level, _seconds, taken in rows)
    change = SHIFTS[shift] * min(max(expected / taken, 1 / MOST_CHANGE), MOST_CHANGE)
    return min(5, max(row.level for row in rows) + (change > 1)), change * expected


def nearest(player_id: int | None, seconds: float, level: int = 5) -> int | None:
    """Return the id of an offered puzzle, new to the player, whose expected time is near; None without any.

    level: the hardest allowed.
    """
    given = {"player": player_id, "at": seconds, "level": level}
    found = sorted(
        (abs((value or 0.0) - seconds), puzzle_id)
        for walk in _walks(known=player_id is not None)
        for puzzle_id, value in db.session.execute(walk, given)
    )
    near = [puzzle_id for away, puzzle_id in found if away <= CLOSE * seconds]
    return secrets.choice(near) if near else next((puzzle_id for _away, puzzle_id in found), None)


@cache  # building them costs more than running them
def _walks(*, known: bool) -> tuple[sa.Select[int, float | None], ...]:
    """Return two walks along the index of expected times, up and down from `at`."""
    at, column = sa.bindparam("at", type_=sa.Float), Puzzle.expected_seconds
    query = sa.select(Puzzle.id, column).limit(MOST_LOOKED_AT)
    query = query.where(
        Puzzle.status == Status.APPROVED, Puzzle.offered, Puzzle.level <= sa.bindparam("level")
    )
    if known:
        # Read once as a set, not looked up for every row
        for met in (Attempt, Peek):
            theirs = sa.select(met.puzzle_id).where(met.player_id == sa.bindparam("player"))
            query = query.where(Puzzle.id.not_in(theirs))
    up, down = query.where(column >= at), query.where(column < at)
    return up.order_by(column, Puzzle.id), down.order_by(column.desc(), Puzzle.id.desc())
