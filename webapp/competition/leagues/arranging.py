"""Assign players to leagues, and compute promotions and season dates. Pure functions."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from webapp.models import Period

SIZE = 30  # players in a league, about
FEWEST, MOST = 15, 45
MOVERS = 6  # one in so many is promoted, and one relegated
MOST_MOVERS = 5


@dataclass(frozen=True, slots=True)
class Entrant:
    """A player to be assigned to a league."""

    player_id: int
    tier: int
    rating: float


def leagues_of(entrants: Iterable[Entrant]) -> list[list[int]]:
    """Return the players of each league, the highest first.

    A tier is a league. Tiers with few players join the next one; large ones are split by rating.
    """
    by_tier: dict[int, list[Entrant]] = defaultdict(list)
    for entrant in entrants:
        by_tier[entrant.tier].append(entrant)
    merged: list[list[Entrant]] = []
    for _tier, players in sorted(by_tier.items()):
        if merged and (len(merged[-1]) < FEWEST or len(players) < FEWEST):
            merged[-1] += players
        else:
            merged.append(players)
    return [part for players in merged for part in _split(players)]


def _split(players: list[Entrant]) -> Iterable[list[int]]:
    strongest = sorted(players, key=lambda each: (-each.rating, each.player_id))
    parts = 1 if len(strongest) <= MOST else round(len(strongest) / SIZE)
    for part in range(parts):
        first, end = (len(strongest) * at // parts for at in (part, part + 1))
        yield [each.player_id for each in strongest[first:end]]


def moves(points: Sequence[float], number: int, leagues: int) -> list[int]:
    """Return -1 (promoted), 1 (relegated) or 0 for each player of a league, ordered by points.

    number: the league's, of `leagues`. Ties move together; without points there is no promotion.
    """
    movers = min(MOST_MOVERS, len(points) // MOVERS)

    def move(own: float) -> int:
        if number > 1 and own > 0 and sum(other > own for other in points) < movers:
            return -1
        return int(number < leagues and sum(other < own for other in points) < movers)

    return [move(own) for own in points]


def start_of(period: Period, day: date) -> date:
    """Return the first day of the season that includes a day."""
    return day - timedelta(days=day.weekday()) if period is Period.WEEK else day.replace(day=1)


def last_of(period: Period, start: date) -> date:
    """Return the last day of a season."""
    after = start + timedelta(days=7 if period is Period.WEEK else 31)
    return start_of(period, after) - timedelta(days=1)
