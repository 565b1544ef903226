"""Seasons: settled once their last leaderboard is final, each league exactly once; then the next is drawn.

For the worker. Points count from a season's first day, however late its leagues are drawn. Owns its
transactions; whoever is second finds nothing to do.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

import sqlalchemy as sa

from webapp.competition.daily import dailies
from webapp.competition.leagues import arranging, leagues
from webapp.competition.leagues.arranging import Entrant
from webapp.models import Daily, League, LeaguePlayer, Period, Player, PlayerRating, Seat
from webapp.models.daily import WINDOW
from webapp.models.learning.strength import OVERALL
from webapp.process.database import db, write_tx


def turn(now: datetime, stopping: Callable[[], bool] = lambda: False) -> int:
    """Settle the leagues whose season is final, and draw those of the running one. Returns how many."""
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
    """Store what each player of a league came to, and where they belong next. False if that was done."""
    with write_tx():
        leagues.hold()
        league = db.session.scalar(sa.select(League).where(League.id == league_id).with_for_update())
        if league is None or league.settled_at is not None:
            return False
        for line in leagues.standings(league, everyone=True).lines:
            seat = db.session.get_one(Seat, (league.id, line.player_id))
            seat.points, seat.solves, seat.rank, seat.moved = line.points, line.solves, line.rank, line.moved
            own = db.session.get(LeaguePlayer, (line.player_id, league.period))
            if own is not None:
                own.tier = league.number + line.moved
        league.settled_at = now
        return True


def draw(period: Period, now: datetime) -> int:
    """Seat everybody who takes part in the season of today, unless it is drawn or one before is open."""
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
        seated = arranging.leagues_of(_entrants(period))
        for number, players in enumerate(seated, 1):
            league = League(period=period, starts_on=starts, number=number)
            db.session.add(league)
            db.session.flush()
            rows = [{"league_id": league.id, "player_id": player_id} for player_id in players]
            db.session.execute(sa.insert(Seat), rows)
            own = sa.and_(LeaguePlayer.period == period, LeaguePlayer.player_id.in_(players))
            db.session.execute(sa.update(LeaguePlayer).where(own).values(tier=number))
        return len(seated)


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
