"""The place of one solve of a daily, for its player."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from webapp.competition.counting import PEEKED
from webapp.competition.ranking import counts, waits
from webapp.game.fair_play import rules
from webapp.identity import players
from webapp.models import Attempt, Daily, Leaderboard, Player, Standing
from webapp.process.database import db

PODIUM = 3  # first places, where a provisional time isn't listed

ATTEMPT = Attempt.__table__
ORDER = (ATTEMPT.c.board_ms, ATTEMPT.c.finished_at, ATTEMPT.c.id)


@dataclass(frozen=True, slots=True)
class Place:
    """The place of a solve of a daily, for its player."""

    attempt: Attempt
    board: Leaderboard | None
    rank: int | None
    tied: bool
    total: int
    percentile: float | None  # 0..100: share of others that were slower
    final: bool  # whether the leaderboard is frozen
    named: bool
    listing: str  # a Listing
    peeked: bool  # whether the player had seen the puzzle at the desk
    doubts: list[str]  # reasons in words
    moderated: bool  # whether anybody could review it, if it is under review
    wait: waits.Wait | None  # why the time has no rank yet
    new_for: int  # a player is new for this many ranked dailies
    backing: int  # how many similarly fast times a player needs before a very fast one gets a rank
    waiting: bool  # whether a provisional time would be among the first three, so that it isn't listed yet

    @property
    def rank_of_day(self) -> tuple[int, int] | None:
        """Return rank and total on the day's leaderboard; None without others, or if not listed."""
        if self.board != Leaderboard.DAY or self.rank is None or self.total < 2:
            return None
        return self.rank, self.total


# Select columns, not the attempt: the session may have loaded it before they were written.
_OWN = (
    sa.select(
        Attempt,
        *ATTEMPT.c["id", "player_id", "finished_at", "board", "board_ms", "percentile", "daily_id"],
        Daily.frozen_at,
        Player.name,
        Player.listing,
        PEEKED.label("peeked"),
    )
    .select_from(Attempt)
    .join(Attempt.player)
    .join(Attempt.daily)
)
_RANKED = _OWN.where(
    Attempt.player_id == sa.bindparam("player"),
    Attempt.daily_id + 0 == sa.bindparam("daily"),
    Attempt.puzzle_id == Daily.puzzle_id,  # not of one that was withdrawn
    Attempt.ranked,
    Attempt.finished_at.is_not(None),
)


def place(attempt: Attempt) -> Place:
    """Return the current place of a finished attempt at a daily."""
    return place_of(db.session.execute(_OWN.where(Attempt.id == attempt.id)).one(), None)


def ranked(player_id: int, daily_id: int) -> sa.Row[Any] | None:
    """Return the input of `place_of` for a player's ranked solve of a daily."""
    return db.session.execute(_RANKED, {"daily": daily_id, "player": player_id}).first()


def place_of(own: Any, around: counts.Counts | None) -> Place:
    """Return the place of a solve; `around`: the counts around its second, if known."""
    rank, same, total, share = None, 0, 0, own.percentile
    if own.board is not None and own.board != Leaderboard.TRIAL:
        around = around or counts.around(own.daily_id, own.board, own.board_ms // 1000)
        rank, same, total = around.rank, around.same, around.total
        if share is None and own.board == Leaderboard.DAY:
            share = around.percentile
    return Place(
        own.Attempt,
        None if own.board is None else Leaderboard(own.board),
        rank,
        tied=same > 1,
        total=total,
        percentile=share,
        final=own.frozen_at is not None,
        named=own.name is not None,
        listing=own.listing,
        peeked=own.peeked,
        doubts=[rules.words(key) for key in json.loads(own.Attempt.doubts or "[]")],
        moderated=own.Attempt.standing != Standing.REVIEW or players.any_moderators(),
        wait=waits.waits([own.id]).get(own.id) if own.board == Leaderboard.TRIAL else None,
        new_for=waits.NEWCOMERS,
        backing=waits.BACKING,
        waiting=own.board == Leaderboard.TRIAL and own.board_ms <= podium(own.daily_id),
    )


def podium(daily_id: int) -> int:
    """Return the time in milliseconds above which provisional times are listed: the last of the first three.

    With fewer settled players it is that of their last one, and 0 without any: nobody loses a place.
    """
    times = db.session.scalars(
        sa.select(ATTEMPT.c.board_ms)
        .where(ATTEMPT.c.daily_id == daily_id, ATTEMPT.c.board == Leaderboard.DAY)
        .order_by(*ORDER)
        .limit(PODIUM)
    )
    return max(times.all(), default=0)
