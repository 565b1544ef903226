"""Seasons: settle each league exactly once after its last leaderboard is final, then create the next season.

For the worker. Points count from a season's first day, however late its leagues are created. Owns its
transactions; of two concurrent workers, the second finds nothing to do.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

import sqlalchemy as sa

from webapp.competition.daily import dailies
from webapp.competition.leagues import arranging, leagues
from webapp.competition.leagues.arranging import Entrant
from webapp.models import Daily, League, LeagueMember, LeaguePlayer, Period, Player, PlayerRating
from webapp.models.daily import WINDOW
from webapp.models.learning.strength import OVERALL
from webapp.process.database import db, write_tx


def turn(now: datetime, stopping: Callable[[], bool] = lambda: False) -> int:
    """Settle the leagues whose season is final, and create those of the current one. Returns how many."""
    return sum(_settle_all(period, now, stopping) + draw(period, now) for period in Period)


def _settle_all(period: Period, now: datetime, stopping: Callable[[], bool]) -> int:
    waiting = sa.select(League.id, League.starts_on).where(
        League.period == period, League.settled_at.is_(None)
    )
    done = 0
    for league_id, starts_on in db.session.execute(waiting.order_by(League.id)).all():
        last = arranging.last_of(period, starts_on)
        if stopping():
            break
        if now < Daily(date=last).opens_at + WINDOW or _open_between(starts_on, last):
            continue
        done += settle(league_id, now)
    return done


def _open_between(first: object, last: object) -> bool:
    not_final = sa.select(Daily.id).where(Daily.date.between(first, last), Daily.frozen_at.is_(None))
    return db.session.scalar(not_final.limit(1)) is not None


def settle(league_id: int, now: datetime) -> bool:
    """Store each player's result in a league and their next tier. False if it was settled before."""
    with write_tx():
        leagues.hold()
        league = db.session.scalar(sa.select(League).where(League.id == league_id).with_for_update())
        if league is None or league.settled_at is not None:
            return False
        for line in leagues.standings(league, everyone=True).lines:
            member = db.session.get_one(LeagueMember, (league.id, line.player_id))
            member.points, member.solves, member.rank, member.moved = (
                line.points,
                line.solves,
                line.rank,
                line.moved,
            )
            own = db.session.get(LeaguePlayer, (line.player_id, league.period))
            if own is not None:
                own.tier = league.number + line.moved
        league.settled_at = now
        return True


def draw(period: Period, now: datetime) -> int:
    """Create the leagues of the current season, unless they exist or an earlier season is still open."""
    starts = arranging.start_of(period, dailies.today(now))
    drawn = sa.select(League.id).where(
        League.period == period, sa.or_(League.starts_on >= starts, League.settled_at.is_(None))
    )
    if db.session.scalar(drawn.limit(1)) is not None or not _entrants(period):
        return 0
    with write_tx():
        leagues.hold()
        if db.session.scalar(drawn.limit(1)) is not None:
            return 0
        groups = arranging.leagues_of(_entrants(period))
        for number, players in enumerate(groups, 1):
            league = League(period=period, starts_on=starts, number=number)
            db.session.add(league)
            db.session.flush()
            rows = [{"league_id": league.id, "player_id": player_id} for player_id in players]
            db.session.execute(sa.insert(LeagueMember), rows)
            own = sa.and_(LeaguePlayer.period == period, LeaguePlayer.player_id.in_(players))
            db.session.execute(sa.update(LeaguePlayer).where(own).values(tier=number))
        return len(groups)


def _entrants(period: Period) -> list[Entrant]:
    rated = sa.and_(PlayerRating.player_id == LeaguePlayer.player_id, PlayerRating.family == OVERALL)
    rating = sa.func.coalesce(PlayerRating.rating, leagues.UNRATED)
    found = (
        sa.select(LeaguePlayer.player_id, LeaguePlayer.tier, rating)
        .join(Player, Player.id == LeaguePlayer.player_id)
        .outerjoin(PlayerRating, rated)
        .where(LeaguePlayer.period == period, leagues.LISTED)
        .order_by(LeaguePlayer.player_id)
    )
    return [Entrant(player_id, tier, float(mean)) for player_id, tier, mean in db.session.execute(found)]
