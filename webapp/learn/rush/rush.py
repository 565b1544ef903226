"""Puzzle rush: start a run, answer its questions, see the leaderboard. Owns its transactions.

Only the server's clock counts: a run lasts three minutes from its start, or until the third miss. The
leaderboard has the best run of every listed player with an account. A run faster than anyone can read boards
counts for its player alone; one that a curator has removed counts for nobody. Old runs are deleted, except
the best.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

import sqlalchemy as sa
from sqlalchemy import orm

from webapp.identity import costs, players
from webapp.learn.rush import questions
from webapp.models import Listing, Player, RushRun
from webapp.models.attempt import PUBLIC_ID
from webapp.process.database import db, rows_changed, write_tx
from webapp.process.errors import BadInput, NotFound
from webapp.process.words import gettext as _

LASTS: Final = timedelta(minutes=3)
MOST_WRONG: Final = 3
KEPT: Final = timedelta(days=30)
# A faster average for correct answers means that nobody read the boards
FASTEST: Final = timedelta(seconds=1)
MOST_LISTED: Final = 50
MOST_SHOWN: Final = 3  # of one's own runs that were removed
SCOPES: Final = ("day", "all")


@dataclass(frozen=True, slots=True)
class Place:
    """A row of the leaderboard; ties share a rank."""

    rank: int
    name: str
    public: bool  # whether their profile is public
    right: int
    mine: bool


def start(player_id: int | None, now: datetime) -> tuple[RushRun, Player]:
    """Start a run, which ends the one under way; creates a guest if there is no player yet."""
    question = questions.ask(1)
    with write_tx():
        costs.spend(costs.GAMES)
        player = db.session.get(Player, player_id, with_for_update=True) if player_id is not None else None
        if player is None:
            player = players.new_guest(now)
            db.session.flush()
        running = sa.update(RushRun).where(RushRun.player_id == player.id, RushRun.ends_at > now)
        db.session.execute(running.values(ends_at=now))
        run = RushRun(
            player_id=player.id,
            day=now.date(),
            started_at=now,
            ends_at=now + LASTS,
            right=0,
            wrong=0,
            took_ms=0,
            number=1,
            digits=question.digits,
            cell=question.cell,
            digit=question.digit,
        )
        db.session.add(run)
        return run, player


def own(player_id: int | None, key: str, *, lock: bool = False) -> RushRun:
    """Return a player's run. Raises NotFound for a missing one or another player's."""
    query = sa.select(RushRun).where(RushRun.key == key, RushRun.player_id == player_id)
    known = PUBLIC_ID.fullmatch(key) and player_id is not None
    run = db.session.scalar(query.with_for_update() if lock else query) if known else None
    if run is None:
        raise NotFound(_("We couldn’t find that run."))
    return run


def answer(player_id: int | None, key: str, number: int | None, digit: int | None, now: datetime) -> RushRun:
    """Answer the question of this number; an answer that is late or to another question changes nothing.

    Raises NotFound, and BadInput for an invalid digit.
    """
    run = own(player_id, key)
    if digit is None or not 1 <= digit <= 9:
        raise BadInput(digit=_("Answer with a digit from 1 to 9."))
    if not _open(run, number, now):
        return run
    following = questions.ask(run.number + 1)
    with write_tx():
        run = own(player_id, key, lock=True)
        if not _open(run, number, now):
            return run
        if digit == run.digit:
            run.right += 1
            run.took_ms = (now - run.started_at) // timedelta(milliseconds=1)
        else:
            run.wrong += 1
            run.misses = json.dumps([*json.loads(run.misses), [run.digits, run.cell, digit]])
            if run.wrong >= MOST_WRONG:
                run.ends_at = now
        run.number += 1
        run.digits, run.cell, run.digit = following.digits, following.cell, following.digit
        return run


def _open(run: RushRun, number: int | None, now: datetime) -> bool:
    return number == run.number and now < run.ends_at


def best(player_id: int | None, now: datetime) -> int | None:
    """Return a player's best result of a finished run."""
    ended = sa.select(sa.func.max(RushRun.right)).where(
        RushRun.player_id == player_id, RushRun.ends_at <= now, ~RushRun.removed
    )
    return db.session.scalar(ended)


def removed(player_id: int | None) -> Sequence[RushRun]:
    """Return a player's runs that a curator has removed, the latest first."""
    theirs = sa.select(RushRun).where(RushRun.player_id == player_id, RushRun.removed)
    return db.session.scalars(theirs.order_by(RushRun.id.desc()).limit(MOST_SHOWN)).all()


def leaderboard(scope: str, player_id: int | None, now: datetime) -> list[Place]:
    """Return the best finished runs, of today (UTC) or of all time, the first MOST_LISTED."""
    most = sa.func.max(RushRun.right)
    query = (
        sa.select(Player.id, Player.name, Player.listing, most.label("most"))
        .join(RushRun, RushRun.player_id == Player.id)
        .where(
            Player.name.is_not(None),
            Player.listing != Listing.NONE,
            ~Player.suspended,
            RushRun.ends_at <= now,
            RushRun.right > 0,
            ~RushRun.removed,
            _read(RushRun),
        )
        .group_by(Player.id, Player.name, Player.listing, Player.name_key)
        .order_by(most.desc(), Player.name_key)
        .limit(MOST_LISTED)
    )
    if scope == "day":
        query = query.where(RushRun.day == now.date())
    rows: Sequence[Any] = db.session.execute(query).all()
    ranked = [row.most for row in rows]
    return [
        Place(
            ranked.index(row.most) + 1,
            row.name if row.listing == Listing.NAMED else "",
            row.listing == Listing.NAMED,
            row.most,
            row.id == player_id,
        )
        for row in rows
    ]


def _read(run: type[RushRun]) -> sa.ColumnElement[bool]:
    """Whether a human could have read its boards."""
    return run.right * (FASTEST // timedelta(milliseconds=1)) <= run.took_ms


def prune(now: datetime) -> int:
    """Delete runs that ended KEPT ago, except each player's best: listed, not, removed. Returns how many."""
    other = orm.aliased(RushRun)
    better = sa.exists().where(
        other.player_id == RushRun.player_id,
        other.ends_at <= now,
        _read(other) == _read(RushRun),
        other.removed == RushRun.removed,
        sa.or_(other.right > RushRun.right, sa.and_(other.right == RushRun.right, other.id < RushRun.id)),
    )
    with write_tx():
        return rows_changed(sa.delete(RushRun).where(RushRun.ends_at < now - KEPT, better))
