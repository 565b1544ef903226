"""The standing of a solve: on which of its daily's lists it is, by the rules and by curators' verdicts.

Functions that write run inside their caller's write transaction, unless they say otherwise.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any, Final

import sqlalchemy as sa

from webapp.competition import points
from webapp.competition.statistics import BARRED
from webapp.game.fair_play import rules
from webapp.models import Attempt, Daily, Leaderboard, Listing, Player, Standing
from webapp.models.daily import WINDOW, opening
from webapp.process.database import db, write_tx
from webapp.process.errors import NotFound
from webapp.process.words import gettext as _

TYPED_LISTED: Final = timedelta(days=9)  # for curators, after the release

_attempt = Attempt.__table__
# Finished attempts at dailies, with all that determines their lists.
ROWS = (
    sa.select(
        *_attempt.c["id", "player_id", "daily_id", "ranked", "standing", "finished_at", "elapsed_ms"],
        *_attempt.c["board", "points", "verdict", "doubts"],
        *(Player.name, Player.listing, Player.suspended, Player.named_at, Daily.date, Daily.closed_at),
        BARRED.label("barred"),
    )
    .join(Player, Player.id == _attempt.c.player_id)
    .join(Daily, Daily.id == _attempt.c.daily_id)
    .where(_attempt.c.finished_at.is_not(None))
    .order_by(_attempt.c.id)
)


def board_of(row: Any) -> Leaderboard | None:
    """Return the list that a row of `ROWS` belongs on.

    A listed attempt is a named player's first at the puzzle and without help. It is ranked if it was started
    ranked, finished on time, and neither under review nor typed as if from paper. A closed day accepts only
    the solves it has given points for.
    """
    hidden = row.name is None or row.listing == Listing.NONE or row.suspended
    if hidden or row.barred or row.standing not in (Standing.VERIFIED, Standing.REVIEW):
        return None
    closes_at = opening(row.date) + WINDOW
    named = row.named_at is not None and row.named_at < closes_at
    on_time = row.ranked and named and row.finished_at < closes_at
    if row.standing == Standing.REVIEW:
        return Leaderboard.UNRANKED if on_time else None
    if not on_time:
        return Leaderboard.ARCHIVE
    if row.doubts is not None and row.verdict is None:  # of a verified solve: typed as if from paper
        return Leaderboard.UNRANKED
    return Leaderboard.DAY if row.closed_at is None or row.points is not None else Leaderboard.ARCHIVE


def place(connection: sa.Connection, which: sa.ColumnElement[bool]) -> None:
    """Put these finished attempts on the lists they belong on."""
    for row in connection.execute(ROWS.where(which)).all():
        if (board := board_of(row)) != row.board:
            moved = sa.update(_attempt).where(_attempt.c.id == row.id)
            connection.execute(moved.values(board=board))


def lock_players(connection: sa.Connection, players: sa.ColumnElement[bool]) -> list[int]:
    """Lock these players' solves and points until the transaction ends; in order, so that none deadlock."""
    held = sa.select(Player.id).where(players).order_by(Player.id).with_for_update(key_share=True)
    return list(connection.scalars(held))


def locked_attempt(attempt_id: str) -> Attempt | None:
    """Return an attempt, with its player's solves and points locked until the transaction ends."""
    player = sa.select(_attempt.c.player_id).where(_attempt.c.id == attempt_id)
    lock_players(db.session.connection(), Player.id.in_(player))
    return db.session.get(Attempt, attempt_id, with_for_update=True, populate_existing=True)


def relist(player_id: int) -> None:
    """Place all solves of a player whose name, listing or attempts have changed, and sum up their points."""
    db.session.flush()
    connection = db.session.connection()
    players = lock_players(connection, Player.id == player_id)
    place(connection, _attempt.c.player_id == player_id)
    points.sum_up(connection, players)
    db.session.expire_all()


def readmit(player_id: int) -> None:
    """Like `relist`, for a player whose suspension is over: days that closed without them close again."""
    db.session.flush()
    missed = sa.and_(_attempt.c.player_id == player_id, _attempt.c.ranked, _attempt.c.points.is_(None))
    days = sa.select(_attempt.c.daily_id).where(
        missed, _attempt.c.standing == Standing.VERIFIED, _attempt.c.finished_at.is_not(None)
    )
    _reopen(Daily.id.in_(days))
    relist(player_id)


def _reopen(which: sa.ColumnElement[bool]) -> None:
    """Let the worker close these days again, with other solves."""
    late = sa.or_(Daily.closed_at.is_(None), Daily.closed_at == Daily.created_at)
    db.session.execute(
        sa.update(Daily)
        .where(which, ~late)
        .values(closed_at=None)
        .execution_options(synchronize_session=False)
    )
    db.session.expire_all()


def verdict(attempt_id: str, standing: Standing, note: str, now: datetime) -> None:
    """Record a curator's verdict, verified or removed, and its reason. Raises NotFound.

    After the day has closed, it closes again.
    """
    attempt = locked_attempt(attempt_id)
    if attempt is None or attempt.standing is None or attempt.daily is None:
        raise NotFound(_("We couldn’t find that solve."))
    attempt.standing, attempt.verdict, attempt.updated_at = standing, note, now
    attempt.appeal = None
    if standing == Standing.REMOVED:
        attempt.points = None
    player_id, daily_id = attempt.player_id, attempt.daily.id
    changes = attempt.ranked and (attempt.board == Leaderboard.DAY) != (standing == Standing.VERIFIED)
    db.session.flush()
    if changes:
        _reopen(Daily.id == daily_id)
    relist(player_id)


def from_paper(attempt_id: str, now: datetime) -> None:
    """Accept a player's statement that a solve came from paper: it counts, but not as a time. Raises
    NotFound. Owns its transaction.
    """
    with write_tx():
        attempt = locked_attempt(attempt_id)
        if attempt is None or not asked_about_paper(attempt):
            raise NotFound(_("We couldn’t find that solve."))
        attempt.standing, attempt.updated_at = Standing.PAPER, now
        relist(attempt.player_id)


def asked_about_paper(attempt: Attempt) -> bool:
    """Whether a solve has no rank because it was typed as if from paper."""
    typed = json.loads(attempt.doubts or "[]") == [rules.PAPER]
    return typed and attempt.standing == Standing.VERIFIED and attempt.verdict is None


def doubt_copy(attempt_id: str, original_id: str, now: datetime) -> None:
    """Put a verified solve under review that repeats the order of an earlier game. Owns its transaction."""
    with write_tx():
        attempt = locked_attempt(attempt_id)
        if attempt is None or attempt.standing != Standing.VERIFIED or attempt.verdict is not None:
            return
        attempt.standing, attempt.doubts, attempt.updated_at = Standing.REVIEW, json.dumps([rules.ALIKE]), now
        attempt.original_id = original_id
        relist(attempt.player_id)


def typed(now: datetime, most: int) -> Sequence[Attempt]:
    """Return the solves of the last days that have no rank because they were typed as if from paper."""
    query = (
        sa.select(Attempt)
        .join(Attempt.daily)
        .where(
            Daily.date >= (now - TYPED_LISTED).date(),
            Attempt.board == Leaderboard.UNRANKED,
            Attempt.standing == Standing.VERIFIED,
        )
        .order_by(Daily.date.desc(), Attempt.finished_at.desc(), Attempt.id)
        .options(sa.orm.contains_eager(Attempt.daily), sa.orm.joinedload(Attempt.player))
    )
    return db.session.scalars(query.limit(most)).all()
