"""Move finished attempts to the leaderboards they belong on.

Functions that write run inside their caller's write transaction.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from webapp.competition.ranking import counts, points
from webapp.competition.ranking.waits import NEWCOMERS, OF_THE_DAY, PLACES, wait_of
from webapp.models import Attempt, Daily, Leaderboard, Listing, Player, Standing
from webapp.models.daily import WINDOW
from webapp.process.database import db, write_tx

MOST_HISTORY = 30  # solves counted in a player's history

_attempt = Attempt.__table__
_IN_ORDER = PLACES.order_by(_attempt.c.daily_id)  # the order in which their seconds are locked
_PLACED = _IN_ORDER.with_for_update(read=True, of=Daily)  # no freeze between this read and the next write
_ON_TRIAL = PLACES.where(
    _attempt.c.player_id == sa.bindparam("player"), _attempt.c.board == Leaderboard.TRIAL
)


def hold(connection: sa.Connection, players: sa.ColumnElement[bool]) -> list[int]:
    """Lock these players until the transaction ends, so that no rows are counted twice.

    Call before reading any of their counted rows and before locking their attempts. Locks in order, so that
    no two transactions deadlock.
    """
    held = sa.select(Player.id).where(players).order_by(Player.id).with_for_update(key_share=True)
    return list(connection.scalars(held))


def hold_player_of(attempt_id: str) -> None:
    """Lock this player's solves and points until the transaction ends."""
    player = sa.select(_attempt.c.player_id).where(_attempt.c.id == attempt_id)
    hold(db.session.connection(), Player.id.in_(player))


def settle(connection: sa.Connection, attempt_id: str) -> None:
    """Move a solved attempt at a daily to its current leaderboard, or remove it."""
    for row in connection.execute(_PLACED.where(_attempt.c.id == attempt_id)):
        _move(connection, row, board_of(row))


def settle_player(player_id: int) -> None:
    """Do the same for all attempts of a player whose name, listing or attempts have changed."""
    db.session.flush()
    connection = db.session.connection()
    players = hold(connection, Player.id == player_id)
    for row in connection.execute(_PLACED.where(_attempt.c.player_id == player_id)).all():
        _move(connection, row, board_of(row))
    points.rescore(connection, players)
    db.session.expire_all()


def unlist(player_id: int) -> None:
    """Remove all of a player's attempts from leaderboards, before they are deleted."""
    db.session.flush()
    connection = db.session.connection()
    hold(connection, Player.id == player_id)
    for row in connection.execute(_PLACED.where(_attempt.c.player_id == player_id)).all():
        _move(connection, row, None)
    points.drop(connection, player_id)
    db.session.expire_all()


def readmit(player_id: int) -> None:
    """Like `settle_player`, for a player whose suspension or wait has ended.

    Their solves of days that froze without them are ranked among the frozen solves, except those that were
    unlisted then: no player may hide until a result is known, then collect points for it.
    """
    db.session.flush()
    connection = db.session.connection()
    hold(connection, Player.id == player_id)
    kept_out = _attempt.c.board.is_distinct_from(Leaderboard.ARCHIVE)
    missed = sa.and_(Daily.frozen_at.is_not(None), _attempt.c.percentile.is_(None), kept_out)
    for row in connection.execute(_PLACED.where(_attempt.c.player_id == player_id, missed)).all():
        if _listed(row) and _in_time(row) and wait_of(row) is None:
            share = counts.share_if_added(row.daily_id, row.elapsed_ms // 1000)
            connection.execute(sa.update(_attempt).where(_attempt.c.id == row.id).values(percentile=share))
    settle_player(player_id)


def promote(player_id: int, now: datetime) -> None:
    """End a player's waits that a new solve may have ended. Owns its transaction.

    A new player is settled after the configured number of solved dailies. Solves of days that froze meanwhile
    are ranked among the frozen solves.
    """
    settled = db.session.scalar(sa.select(Player.settled_at).where(Player.id == player_id)) is not None
    if settled:
        trials = db.session.execute(_ON_TRIAL, {"player": player_id}).all()
        if all(wait_of(row) for row in trials):
            return
    elif history(player_id) <= NEWCOMERS:
        return
    with write_tx():
        hold(db.session.connection(), Player.id == player_id)
        if not settled:
            db.session.execute(sa.update(Player).where(Player.id == player_id).values(settled_at=now))
        readmit(player_id)


def history(player_id: int) -> int:
    """Count a player's verified ranked solves, up to MOST_HISTORY."""
    solves = sa.select(_attempt.c.id).where(
        _attempt.c.player_id == player_id, _attempt.c.ranked, _attempt.c.standing == Standing.VERIFIED
    )
    return (
        db.session.scalar(sa.select(sa.func.count()).select_from(solves.limit(MOST_HISTORY).subquery())) or 0
    )


def placed(connection: sa.Connection) -> Iterator[tuple[Any, Leaderboard | None]]:
    """Yield every finished attempt at a daily with the leaderboard it belongs on; locks nothing.

    While a daily is open, a time may be on either leaderboard of the day until `freezing.regroup` has run.
    """
    for row in connection.execute(_IN_ORDER):
        board = board_of(row)
        if row.frozen_at is None and board in OF_THE_DAY and row.board in OF_THE_DAY:
            board = Leaderboard(row.board)
        yield row, board


def board_of(row: Any) -> Leaderboard | None:
    """Return the leaderboard of a row of `PLACES`.

    A listed attempt is a named player's first at the puzzle, without help and not under review. It is on the
    day's leaderboard if it was ranked, on time, and doesn't wait. A frozen leaderboard accepts only its own
    solves, and those cleared or readmitted since.
    """
    if not _listed(row):
        return None
    if not _in_time(row):
        return Leaderboard.ARCHIVE
    if wait_of(row) is not None:
        return Leaderboard.TRIAL
    joins = row.frozen_at is None or row.percentile is not None
    return Leaderboard.DAY if joins else Leaderboard.ARCHIVE


def _listed(row: Any) -> bool:
    hidden = row.name is None or row.listing == Listing.NONE or row.suspended
    return bool(row.standing == Standing.VERIFIED and not hidden and not row.barred)


def _in_time(row: Any) -> bool:
    closes_at = Daily(date=row.date).opens_at + WINDOW
    named = row.named_at is not None and row.named_at < closes_at
    return bool(row.ranked and named and row.finished_at < closes_at)


def _move(connection: sa.Connection, row: Any, board: Leaderboard | None) -> None:
    """Move an attempt to this leaderboard, unless it is there already."""
    if board == row.board:
        return
    if row.board is not None:
        counts.change(connection, row.daily_id, row.board, row.board_ms // 1000, -1)
    if board is not None:
        counts.change(connection, row.daily_id, board, row.elapsed_ms // 1000, 1)
    place = {"board": board, "board_ms": None if board is None else row.elapsed_ms, "provisional": None}
    if row.frozen_at is None:
        place["percentile"] = None  # a concurrent freeze may have set one, which is removed with the place
    connection.execute(sa.update(_attempt).where(_attempt.c.id == row.id).values(place))
