"""Waits: why a ranked time has no rank yet.

A small site has none: they begin once a daily has ENOUGH established players. Then a new player's times wait,
and a time under half the expected one waits until the player's other times back it up.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any

import sqlalchemy as sa
from sqlalchemy.orm import contains_eager, joinedload

from webapp.competition.counting import BARRED
from webapp.models import Attempt, Daily, Leaderboard, Player, Puzzle, Standing
from webapp.process.database import db

# Established players on a daily before its times can wait. With fewer, one place is more than five of a
# hundred points; a group of fifty friends seldom has more of them on one daily.
ENOUGH = 20
NEWCOMERS = 5  # a player's first ranked dailies, which wait
# A time below the share FAST of the expected one gets a rank once BACKING others of its player took at most
# SLACK times as long, relative to expectation. Only the latest HISTORY count, a year of three dailies a day.
FAST, BACKING, SLACK, HISTORY = 0.5, 10, 1.15, 1000

TYPED_LISTED = timedelta(days=7)

OF_THE_DAY = (Leaderboard.DAY, Leaderboard.TRIAL)

_attempt = Attempt.__table__
_earlier, _other = _attempt.alias("earlier"), _attempt.alias("other")
_puzzle = Puzzle.__table__.alias("puzzle_here")
_its_puzzle = Puzzle.__table__.alias("its_puzzle")


class Wait(StrEnum):
    """Why a time of the day has no rank yet."""

    NEW = "new"  # its player is new
    FAST = "fast"  # its player's other times aren't as fast
    PAPER = "paper"  # it was typed in one go after a long pause, on any site


# Bounds the rows read. With 3,000 ranked solves among 90,000, all took 7.7 ms on SQLite and 41 on PostgreSQL,
# which read the whole table; the latest 1,000 take 1.0 and 1.7 by ix_attempt_player_id_finished_at.
_LATEST = (
    sa.select(_earlier.c.puzzle_id, _earlier.c.elapsed_ms)
    .where(
        _earlier.c.player_id == _attempt.c.player_id,
        _earlier.c.id != _attempt.c.id,
        _earlier.c.ranked,
        _earlier.c.standing == Standing.VERIFIED,
        _earlier.c.doubts.is_(None),
    )
    .order_by(_earlier.c.finished_at.desc())
    .limit(HISTORY)
    .correlate(_attempt)
    .subquery("latest")
)
_AS_FAST = (
    sa.select(_LATEST.c.puzzle_id)
    .join(_its_puzzle, _its_puzzle.c.id == _LATEST.c.puzzle_id)
    .where(
        _LATEST.c.elapsed_ms * _puzzle.c.expected_seconds
        <= SLACK * _attempt.c.elapsed_ms * _its_puzzle.c.expected_seconds
    )
    .limit(1)
    .offset(BACKING - 1)
    .correlate(_attempt, _puzzle)
)
_IS_FAST = _attempt.c.elapsed_ms < 1000 * FAST * _puzzle.c.expected_seconds
_UNBACKED = sa.func.coalesce(sa.and_(_IS_FAST, ~_AS_FAST.exists()), sa.false())


def _established(daily_id: sa.ColumnElement[int]) -> sa.Exists:
    """Whether a daily has ENOUGH established players with verified times, ranked or not."""
    player = Player.__table__.alias("established")
    # Literals in the statement, so that the partial index applies whatever the parameters are.
    boards = [sa.literal(board.value, sa.String, literal_execute=True) for board in OF_THE_DAY]
    return sa.exists(
        sa.select(_other.c.id)
        .join(player, player.c.id == _other.c.player_id)
        .where(_other.c.daily_id == daily_id, _other.c.board.in_(boards), player.c.settled_at.is_not(None))
        .limit(1)
        .offset(ENOUGH - 1)
    )


# Finished attempts at dailies, with all that determines their leaderboards.
PLACES = (
    sa.select(
        *_attempt.c["id", "player_id", "daily_id", "ranked", "standing", "finished_at", "elapsed_ms"],
        *_attempt.c["board", "board_ms", "percentile", "verdict", "doubts"],
        Player.name,
        Player.listing,
        Player.suspended,
        Player.named_at,
        Player.settled_at,
        Daily.date,
        Daily.frozen_at,
        BARRED.label("barred"),
        _UNBACKED.label("unbacked"),
        _established(_attempt.c.daily_id).label("crowded"),
    )
    .join(_puzzle, _puzzle.c.id == _attempt.c.puzzle_id)
    .join(Player, Player.id == _attempt.c.player_id)
    .join(Daily, Daily.id == _attempt.c.daily_id)
    .where(_attempt.c.finished_at.is_not(None))
)


def wait_of(row: Any) -> Wait | None:
    """Return why the time of a row of `PLACES` waits; None if it doesn't.

    A curator's verdict ends it, and a time ranked when its leaderboard froze keeps the rank. One that waited
    then continues to wait, even if others leave.
    """
    waited = row.frozen_at is not None and row.board == Leaderboard.TRIAL
    if row.verdict is not None or row.percentile is not None:
        return None
    if row.doubts is not None:  # of a verified solve: the only doubt without review
        return Wait.PAPER
    if not (row.crowded or waited):
        return None
    if row.settled_at is None:
        return Wait.NEW
    return Wait.FAST if row.unbacked else None


def waits(attempt_ids: Sequence[str]) -> dict[str, Wait]:
    """Return the waits of attempts at dailies, by id."""
    rows = db.session.execute(
        PLACES.where(_attempt.c.id.in_(attempt_ids), _attempt.c.board == Leaderboard.TRIAL)
    )
    return {row.id: wait for row in rows if (wait := wait_of(row))}


def misplaced(daily_id: int) -> sa.Select[Any]:
    """Select a daily's times whose waits may have begun or ended since other players came or left."""
    crowded = _established(sa.literal(daily_id))
    may_wait = sa.or_(Player.settled_at.is_(None), _IS_FAST)
    return PLACES.where(
        _attempt.c.daily_id == daily_id,
        sa.or_(
            sa.and_(_attempt.c.board == Leaderboard.TRIAL, ~crowded),
            sa.and_(_attempt.c.board == Leaderboard.DAY, crowded, may_wait),
        ),
    )


# A separate LIMIT, so that a database begins with it: a seek by `ix_attempt_board` then finds the fast times
# of each daily. Otherwise SQLite reads the whole index.
_OPENED = (
    sa.select(Daily.id, sa.func.coalesce(1000 * FAST * _puzzle.c.expected_seconds, 0).label("fast_ms"))
    .join(_puzzle, _puzzle.c.id == Daily.puzzle_id)
    .where(Daily.date <= sa.bindparam("today"))
    .order_by(Daily.date.desc())
    .limit(HISTORY)
    .subquery("opened")
)
_FOR_CURATORS = (
    sa.select(Attempt)
    .join(_OPENED, _OPENED.c.id == _attempt.c.daily_id)
    .join(_puzzle, _puzzle.c.id == _attempt.c.puzzle_id)
    .join(Attempt.daily)
    .where(_attempt.c.board == Leaderboard.TRIAL, _attempt.c.board_ms < _OPENED.c.fast_ms, _UNBACKED)
    .order_by(Daily.date.desc(), _attempt.c.finished_at.desc(), _attempt.c.id)
    .options(contains_eager(Attempt.daily), joinedload(Attempt.player), joinedload(Attempt.puzzle))
)


_TYPED = (
    sa.select(Attempt)
    .join(Attempt.daily)
    .where(
        Daily.date >= sa.bindparam("since"),
        _attempt.c.board == Leaderboard.TRIAL,
        _attempt.c.doubts.is_not(None),
        _attempt.c.verdict.is_(None),
    )
    .order_by(Daily.date.desc(), _attempt.c.finished_at.desc(), _attempt.c.id)
    .options(contains_eager(Attempt.daily), joinedload(Attempt.player), joinedload(Attempt.puzzle))
)


def for_curators(now: datetime, most: int) -> Sequence[Attempt]:
    """Return the times that wait for a curator, latest days first.

    Very fast ones of the latest HISTORY dailies, then those of the past week that were typed in one go.
    """
    fast = db.session.scalars(_FOR_CURATORS.limit(most), {"today": now.date()}).all()
    typed = db.session.scalars(_TYPED.limit(most), {"since": now.date() - TYPED_LISTED}).all()
    return list(dict.fromkeys([*fast, *typed]))
