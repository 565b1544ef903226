"""The place of one solve of a daily, for its player."""

from __future__ import annotations

import json
from dataclasses import dataclass

import sqlalchemy as sa

from webapp.competition.leaderboard import days
from webapp.competition.leaderboard.rows import Ranks
from webapp.competition.statistics import PEEKED
from webapp.game.fair_play import rules
from webapp.identity import players
from webapp.models import Attempt, Daily, Leaderboard, Standing
from webapp.process.database import db


@dataclass(frozen=True, slots=True)
class Place:
    """The place of a solve of a daily, for its player."""

    attempt: Attempt
    ranks: Ranks | None  # None without a rank
    peeked: bool  # whether the player had seen the puzzle at the desk

    @property
    def closed(self) -> bool:
        """Whether points are given."""
        return self.attempt.daily is not None and self.attempt.daily.closed_at is not None

    @property
    def doubts(self) -> list[str]:
        """Reasons in words."""
        return [rules.words(key) for key in json.loads(self.attempt.doubts or "[]")]

    @property
    def moderated(self) -> bool:
        """Whether anybody could review it."""
        return players.any_moderators()

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
        return self.attempt.board == Leaderboard.UNRANKED and self.attempt.standing == Standing.VERIFIED

    @property
    def rank_of_day(self) -> tuple[int, int] | None:
        """Return rank and total on the day's leaderboard; None without others, or if not listed."""
        if self.attempt.board != Leaderboard.DAY or self.rank is None or self.total < 2:
            return None
        return self.rank, self.total


def place(attempt: Attempt) -> Place:
    """Return the current place of a finished attempt at a daily."""
    found = _place(Attempt.id == attempt.id)
    assert found is not None, "it is stored"
    return found


def ranked(player_id: int, daily_id: int, known: Ranks | None = None) -> Place | None:
    """Return the place of a player's ranked solve of a daily; None without one.

    known: where it stands on the day's list, if that was counted.
    """
    own = sa.and_(
        Attempt.player_id == player_id,
        Attempt.daily_id + 0 == daily_id,
        Attempt.puzzle_id == Daily.puzzle_id,  # not of one that was withdrawn
        Attempt.ranked,
        Attempt.finished_at.is_not(None),
    )
    return _place(own, known)


def _place(which: sa.ColumnElement[bool], known: Ranks | None = None) -> Place | None:
    query = (
        sa.select(Attempt, PEEKED.label("peeked"))
        .join(Attempt.player)
        .join(Attempt.daily)
        .options(sa.orm.contains_eager(Attempt.player), sa.orm.contains_eager(Attempt.daily))
        .execution_options(populate_existing=True)  # its list and points are written by statements
    )
    own = db.session.execute(query.where(which)).first()
    if own is None:
        return None
    attempt = own.Attempt
    ranks = known if attempt.board == Leaderboard.DAY else None
    if ranks is None and attempt.board in (Leaderboard.DAY, Leaderboard.ARCHIVE):
        [ranks] = days.ranks(attempt.daily_id, Leaderboard(attempt.board), attempt.elapsed_ms)
    return Place(attempt, ranks, own.peeked)
