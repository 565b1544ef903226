"""The place of one solve of a daily, for its player."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from webapp.competition.counting import PEEKED
from webapp.competition.leaderboard import days
from webapp.competition.leaderboard.days import ATTEMPT
from webapp.competition.leaderboard.rows import Ranks
from webapp.game.fair_play import rules
from webapp.identity import players
from webapp.models import Attempt, Daily, Leaderboard, Player, Standing
from webapp.process.database import db


@dataclass(frozen=True, slots=True)
class Place:
    """The place of a solve of a daily, for its player."""

    attempt: Attempt
    board: Leaderboard | None
    ranks: Ranks | None  # None without a rank
    points: int | None  # once the day has closed
    closed: bool  # whether points are given
    named: bool
    listing: str  # a Listing
    peeked: bool  # whether the player had seen the puzzle at the desk
    doubts: list[str]  # reasons in words
    moderated: bool  # whether anybody could review it, if it is under review

    @property
    def rank(self) -> int | None:
        """The rank on its list."""
        return None if self.ranks is None else self.ranks.rank

    @property
    def tied(self) -> bool:
        """Whether others took as many seconds."""
        return self.ranks is not None and self.ranks.same > 1

    @property
    def total(self) -> int:
        """How many solves are on its list."""
        return 0 if self.ranks is None else self.ranks.total

    @property
    def beaten(self) -> float:
        """The share of the other players who were slower, 0 to 1."""
        if self.ranks is None or self.ranks.total < 2:
            return 0.0
        return (self.ranks.total - self.ranks.better - self.ranks.same) / (self.ranks.total - 1)

    @property
    def asked_about_paper(self) -> bool:
        """Whether it has no rank because it was typed in one go."""
        return self.board == Leaderboard.UNRANKED and self.attempt.standing == Standing.VERIFIED

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
        *ATTEMPT.c["id", "board", "elapsed_ms", "points", "daily_id"],
        *(Daily.closed_at, Player.name, Player.listing, PEEKED.label("peeked")),
    )
    .select_from(Attempt)
    .join(Attempt.player)
    .join(Attempt.daily)
)


def place(attempt: Attempt) -> Place:
    """Return the current place of a finished attempt at a daily."""
    return _place(db.session.execute(_OWN.where(Attempt.id == attempt.id)).one())


def ranked(player_id: int, daily_id: int, known: Ranks | None = None) -> Place | None:
    """Return the place of a player's ranked solve of a daily; None without one.

    known: where it stands on the day's list, if that was counted.
    """
    query = _OWN.where(
        Attempt.player_id == player_id,
        Attempt.daily_id + 0 == daily_id,
        Attempt.puzzle_id == Daily.puzzle_id,  # not of one that was withdrawn
        Attempt.ranked,
        Attempt.finished_at.is_not(None),
    )
    own = db.session.execute(query).first()
    return None if own is None else _place(own, known)


def _place(own: Any, known: Ranks | None = None) -> Place:
    board = None if own.board is None else Leaderboard(own.board)
    ranks = None
    if board is not None and board != Leaderboard.UNRANKED:
        known = known if board == Leaderboard.DAY else None
        ranks = known or days.ranks(own.daily_id, board, own.elapsed_ms)
    return Place(
        own.Attempt,
        board,
        ranks,
        own.points if board == Leaderboard.DAY else None,
        closed=own.closed_at is not None,
        named=own.name is not None,
        listing=own.listing,
        peeked=own.peeked,
        doubts=[rules.words(key) for key in json.loads(own.Attempt.doubts or "[]")],
        moderated=own.Attempt.standing != Standing.REVIEW or players.any_moderators(),
    )
