"""Leagues: membership and standings, which are provisional until the season is settled.

A player's points are the sum of their points for the season's dailies, as on the leaderboards of points. Owns
its transactions, except `hold`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

import sqlalchemy as sa

from webapp.competition.daily import dailies
from webapp.competition.leagues import arranging
from webapp.identity.records import plain
from webapp.models import (
    Attempt,
    Daily,
    Leaderboard,
    League,
    LeagueMember,
    LeaguePlayer,
    Listing,
    Period,
    Player,
    PlayerRating,
)
from webapp.models.daily import WINDOW
from webapp.models.learning.strength import OVERALL
from webapp.process.database import db, hold_lock, write_tx
from webapp.process.errors import BadInput, NotFound
from webapp.process.words import gettext as _

LEAGUES = 2026_0019  # PostgreSQL advisory lock for assignments and seasons
UNRATED = 1500.0
PAST = 30  # seasons listed
RECORDS = 10  # times per level
LISTED = sa.and_(Player.name.is_not(None), Player.listing != Listing.NONE, ~Player.suspended)


@dataclass(frozen=True, slots=True)
class Line:
    """A player in the standings."""

    player_id: int
    rank: int
    tied: bool
    name: str | None  # None for an anonymous player
    points: float
    solves: int
    moved: int  # -1 promoted, 1 relegated, 0 neither; provisional during the season


@dataclass(frozen=True, slots=True)
class Standings:
    """A league with its players, best first."""

    league: League
    leagues: int  # number of leagues in the season
    lines: list[Line]

    @property
    def final(self) -> bool:
        return self.league.settled_at is not None

    @property
    def last(self) -> date:
        return arranging.last_of(Period(self.league.period), self.league.starts_on)

    def closing(self, now: datetime) -> bool:
        """Whether its days are over while some of their leaderboards are still open."""
        return not self.final and dailies.today(now) > self.last


@dataclass(frozen=True, slots=True)
class Taking:
    """A player's participation in the seasons of a period."""

    period: Period
    member: bool
    standings: list[Standings]  # of unsettled seasons, the latest first


@dataclass(frozen=True, slots=True)
class PastSeason:
    """A player's result in a season."""

    league: League
    rank: int
    points: float
    moved: int


@dataclass(frozen=True, slots=True)
class Best:
    """One of the fastest ranked times of a level."""

    rank: int
    name: str | None
    elapsed_ms: int
    day: date


def hold() -> None:
    """Inside `write_tx()`: lock assignments and seasons until the transaction ends."""
    hold_lock(LEAGUES)


def join(player_id: int, period: Period, now: datetime) -> None:
    """Take part from now on, also in the running season if there is one. Raises BadInput."""
    with write_tx():
        hold()
        if db.session.scalar(sa.select(Player.id).where(Player.id == player_id, LISTED)) is None:
            raise BadInput(member=_("Leagues list their players, so show yourself on leaderboards first."))
        if db.session.get(LeaguePlayer, (player_id, period)) is not None:
            return
        starts = arranging.start_of(period, dailies.today(now))
        before = _before(player_id, period)
        running = _running(period)
        near = min(running, key=_nearness(player_id, before), default=None)
        tier = before.tier if before is not None else near.league.number if near is not None else 1
        db.session.add(LeaguePlayer(player_id=player_id, period=period, tier=tier, joined_at=now))
        db.session.flush()
        enrolled = before is not None and before.starts_on == starts
        if near is not None and not near.full and near.league.starts_on == starts and not enrolled:
            db.session.add(LeagueMember(league_id=near.league.id, player_id=player_id))


def leave(player_id: int, period: Period) -> None:
    """Stop taking part.

    The player's row stays in its league and is settled with the others, so leaving and returning evades no
    relegation. It is hidden until the season is settled.
    """
    with write_tx():
        hold()
        own = sa.and_(LeaguePlayer.player_id == player_id, LeaguePlayer.period == period)
        db.session.execute(sa.delete(LeaguePlayer).where(own))


@dataclass(frozen=True, slots=True)
class _Before:
    """The last season of a returning player."""

    starts_on: date
    tier: int  # their current tier


def _before(player_id: int, period: Period) -> _Before | None:
    mine = (
        sa.select(League.starts_on, League.number, LeagueMember.moved)
        .join(LeagueMember, LeagueMember.league_id == League.id)
        .where(LeagueMember.player_id == player_id, League.period == period)
        .order_by(League.starts_on.desc())
        .limit(1)
    )
    row = db.session.execute(mine).one_or_none()
    return None if row is None else _Before(row.starts_on, row.number + (row.moved or 0))


def _nearness(player_id: int, before: _Before | None) -> Callable[[_Running], tuple[bool, float]]:
    """Return how far a league is from a player's tier: by their last season, or else by rating."""
    if before is not None:
        return lambda each: (each.full, abs(each.league.number - before.tier))
    rating = _rating(player_id)
    return lambda each: (each.full, abs(each.rating - rating))


@dataclass(frozen=True, slots=True)
class _Running:
    league: League
    rating: float  # the mean of its players' ratings
    players: int

    @property
    def full(self) -> bool:
        return self.players >= arranging.MOST


def _running(period: Period) -> list[_Running]:
    """Return the leagues of the latest unsettled season."""
    rating = sa.func.avg(sa.func.coalesce(PlayerRating.rating, UNRATED))
    rated = sa.and_(PlayerRating.player_id == LeagueMember.player_id, PlayerRating.family == OVERALL)
    latest = sa.select(sa.func.max(League.starts_on)).where(
        League.period == period, League.settled_at.is_(None)
    )
    found = (
        sa.select(League, rating, sa.func.count(LeagueMember.player_id))
        .outerjoin(LeagueMember, LeagueMember.league_id == League.id)
        .outerjoin(PlayerRating, rated)
        .where(
            League.period == period,
            League.settled_at.is_(None),
            League.starts_on == latest.scalar_subquery(),
        )
        .group_by(League.id)
    )
    return [
        _Running(league, UNRATED if mean is None else float(mean), players)
        for league, mean, players in db.session.execute(found)
    ]


def _rating(player_id: int) -> float:
    row = db.session.get(PlayerRating, (player_id, OVERALL))
    return UNRATED if row is None else row.rating


def of_player(player_id: int) -> list[Taking]:
    """Return a player's participation in each period."""
    own_leagues = (
        sa.select(League)
        .join(LeagueMember, LeagueMember.league_id == League.id)
        .where(LeagueMember.player_id == player_id, League.settled_at.is_(None))
        .order_by(League.starts_on.desc())
    )
    member_of = db.session.scalars(own_leagues).all()
    member = set(
        db.session.scalars(sa.select(LeaguePlayer.period).where(LeaguePlayer.player_id == player_id))
    )
    return [
        Taking(
            period,
            period in member,
            [standings(each) for each in member_of if each.period == period and period in member],
        )
        for period in Period
    ]


def past(player_id: int) -> list[PastSeason]:
    """Return a player's settled seasons, the latest first."""
    mine = (
        sa.select(League, LeagueMember.rank, LeagueMember.points, LeagueMember.moved)
        .join(LeagueMember, LeagueMember.league_id == League.id)
        .where(LeagueMember.player_id == player_id, League.settled_at.is_not(None))
        .order_by(League.starts_on.desc(), League.period)
        .limit(PAST)
    )
    return [
        PastSeason(league, rank or 0, points or 0.0, moved or 0)
        for league, rank, points, moved in db.session.execute(mine)
    ]


def league(league_id: int) -> League:
    """Return a league. Raises NotFound."""
    found = db.session.get(League, league_id)
    if found is None:
        raise NotFound(_("We couldn’t find that league."))
    return found


def neighbors(of: League) -> Sequence[League]:
    """Return the leagues of the same season, the highest first."""
    same = sa.select(League).where(League.period == of.period, League.starts_on == of.starts_on)
    return db.session.scalars(same.order_by(League.number)).all()


def standings(of: League, *, everyone: bool = False) -> Standings:
    """Return a league's standings: final ones as stored, others from the solves so far.

    everyone: include players who aren't listed now, or who left before the season was settled. They keep
    their place, so the others' ranks stay the same.
    """
    stays = sa.exists().where(
        LeaguePlayer.player_id == LeagueMember.player_id, LeaguePlayer.period == of.period
    )
    shown = LISTED if of.settled_at is not None else sa.and_(LISTED, stays)
    players = (
        sa.select(LeagueMember, Player.name, Player.listing, shown.label("listed"))
        .join(Player, Player.id == LeagueMember.player_id)
        .where(LeagueMember.league_id == of.id)
        .order_by(LeagueMember.player_id)
    )
    rows = db.session.execute(players).all()
    size = sa.select(sa.func.max(League.number)).where(
        League.period == of.period, League.starts_on == of.starts_on
    )
    leagues = db.session.scalar(size) or 1
    if of.settled_at is not None:
        points = {row.player_id: (row.points or 0.0, row.solves or 0) for row, *_player in rows}
        moved = [row.moved or 0 for row, *_player in rows]
    else:
        earned = _points(of, [row.player_id for row, *_player in rows])
        points = {row.player_id: earned.get(row.player_id, (0.0, 0)) for row, *_player in rows}
        moved = arranging.moves([own for own, _solves in points.values()], of.number, leagues)
    all_points = [own for own, _solves in points.values()]
    lines = [
        Line(
            row.player_id,
            1 + sum(other > own for other in all_points),
            all_points.count(own) > 1,
            None if listing != Listing.NAMED else name,
            own,
            solves,
            move,
        )
        for (row, name, listing, listed), (own, solves), move in zip(
            rows, points.values(), moved, strict=True
        )
        if everyone or listed
    ]
    return Standings(of, leagues, sorted(lines, key=lambda line: (line.rank, -line.solves, line.player_id)))


def _points(of: League, players: Sequence[int]) -> dict[int, tuple[float, int]]:
    """Return points and solves of these players in a season, including provisional ones."""
    last = arranging.last_of(Period(of.period), of.starts_on)
    share = sa.func.coalesce(Attempt.percentile, Attempt.provisional)
    opens, closes = (datetime.combine(day, time(), UTC) for day in (of.starts_on, last + timedelta(days=1)))
    earned = (
        sa.select(Attempt.player_id, sa.func.sum(share), sa.func.count())
        .join(Daily, Daily.id == Attempt.daily_id)
        .where(
            Attempt.player_id.in_(players),
            Attempt.finished_at.between(opens, closes + WINDOW),
            Attempt.board == Leaderboard.DAY,
            share.is_not(None),
            Daily.date.between(of.starts_on, last),
        )
        .group_by(Attempt.player_id)
    )
    return {
        player_id: (round(float(points), 3), solves)
        for player_id, points, solves in db.session.execute(earned)
    }


def records(level: int) -> list[Best]:
    """Return the fastest ranked times of a level on final leaderboards."""
    fastest = (
        sa.select(Player.name, Player.listing, sa.NotNullable(Attempt.board_ms), Daily.date)
        .join(Player, Player.id == Attempt.player_id)
        .join(Daily, Daily.id == Attempt.daily_id)
        .where(
            # A literal in the statement, so that the partial index applies.
            Attempt.board == sa.literal(Leaderboard.DAY.value, sa.String, literal_execute=True),
            Attempt.level == level,
            Attempt.percentile.is_not(None),
        )
        .order_by(Attempt.board_ms, Attempt.finished_at)
        .limit(RECORDS)
    )
    rows = db.session.execute(fastest).all()
    times = [ms // 1000 for _name, _listing, ms, _day in rows]
    return [
        Best(times.index(ms // 1000) + 1, None if listing == Listing.ANONYMOUS else name, ms, day)
        for name, listing, ms, day in rows
    ]


def exported(player_id: int) -> list[dict[str, Any]]:
    """Return a player's seasons, for their data export."""
    query = (
        sa.select(
            League.period,
            League.starts_on,
            League.number.label("league"),
            LeagueMember.rank,
            LeagueMember.points,
        )
        .join(LeagueMember, LeagueMember.league_id == League.id)
        .where(LeagueMember.player_id == player_id)
        .order_by(League.starts_on, League.period)
    )
    return plain(db.session.execute(query))
