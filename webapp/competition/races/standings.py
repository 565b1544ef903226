"""Standings: where a race is, and where everyone in it is. Reads only.

Every racer asks every two seconds, so a process keeps what it has read for half of one: however many ask, a
race costs each process two queries a second. Nothing in it is about the one who asks.
"""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from functools import lru_cache
from typing import Final

import sqlalchemy as sa

from webapp.competition.races import races
from webapp.competition.races.progress import TENTHS
from webapp.models import Attempt, Player, Race, Racer
from webapp.process.database import db

FRESH: Final = timedelta(seconds=0.5)
MOST_KEPT: Final = 1000  # races of a process
LINGERS: Final = timedelta(minutes=10)  # after the last finish, for a rematch


class Stage(StrEnum):
    """Where a race is."""

    WAITING = "waiting"  # for racers, and for one of them to start it
    COUNTDOWN = "countdown"
    RUNNING = "running"
    OVER = "over"


@dataclass(frozen=True, slots=True)
class RacerRow:
    """A racer, as everyone may see them."""

    number: int  # in the order in which they joined, from 1
    name: str
    guest: bool
    tenths: int
    place: int | None  # of a clean finish, from 1
    elapsed_ms: int | None  # of any finish
    helped: bool
    doubted: bool

    @property
    def finished(self) -> bool:
        """Whether they have solved it."""
        return self.elapsed_ms is not None


@dataclass(frozen=True, slots=True)
class Standings:
    """A race at one moment; the first to finish first, then whoever has come furthest."""

    key: str
    level: int
    starts_at: datetime | None
    rematch: str | None  # its key
    entries: tuple[RacerRow, ...]
    last_finish: datetime | None

    def stage(self, now: datetime) -> Stage:
        """Where the race is at a moment."""
        if self.starts_at is None:
            return Stage.WAITING
        if now < self.starts_at:
            return Stage.COUNTDOWN
        over = now >= self.starts_at + races.LASTS or all(entry.finished for entry in self.entries)
        return Stage.OVER if over else Stage.RUNNING

    def lingers(self, now: datetime) -> bool:
        """Whether anything may still change that a page should show."""
        if self.stage(now) != Stage.OVER:
            return True
        ended = self.last_finish or (self.starts_at and self.starts_at + races.LASTS)
        return self.rematch is None and ended is not None and now < ended + LINGERS

    def version(self, now: datetime) -> str:
        """Equal for as long as a page that shows it need not change."""
        return _digest(self, self.stage(now), self.lingers(now))


@lru_cache(maxsize=1000)
def _digest(standings: Standings, stage: Stage, lingers: bool) -> str:
    shown = repr((standings, stage, lingers)).encode()
    return hashlib.blake2b(shown, digest_size=8).hexdigest()


_kept: OrderedDict[str, tuple[datetime, Standings]] = OrderedDict()


def recent(key: str, now: datetime) -> Standings:
    """Return standings that are at most FRESH old. Raises NotFound."""
    kept = _kept.get(key)
    if kept is not None and timedelta() <= now - kept[0] < FRESH:
        return kept[1]
    found = of(races.of_key(key))
    _kept[key] = now, found
    if len(_kept) > MOST_KEPT:
        _kept.popitem(last=False)
    return found


def of(race: Race) -> Standings:
    """Return the standings of a race as they are now."""
    # An account is shown as it is called now, a guest by the name they gave here.
    name = sa.case((Racer.guest, Racer.name), else_=sa.func.coalesce(Player.name, Racer.name))
    rows = db.session.execute(
        sa.select(
            name.label("name"),
            Racer.guest,
            Racer.tenths,
            Attempt.finished_at,
            Attempt.elapsed_ms,
            Attempt.assisted,
            Attempt.doubts,
        )
        .join(Player, Player.id == Racer.player_id)
        .join(Attempt, Attempt.id == Racer.attempt_id, isouter=True)
        .where(Racer.race_id == race.id)
        .order_by(Racer.joined_at, Racer.player_id)
    ).all()
    numbered = list(enumerate(rows, 1))
    clean = [
        (number, row) for number, row in numbered if row.finished_at and not (row.assisted or row.doubts)
    ]
    clean.sort(key=lambda each: (each[1].finished_at, each[0]))
    places = {number: place for place, (number, _row) in enumerate(clean, 1)}
    entries = [
        RacerRow(
            number,
            row.name,
            row.guest,
            TENTHS if row.finished_at else row.tenths,
            places.get(number),
            row.elapsed_ms,
            bool(row.assisted),
            bool(row.finished_at and row.doubts),
        )
        for number, row in numbered
    ]
    entries.sort(key=lambda each: (each.place or len(rows) + 1, each.finished, -each.tenths, each.number))
    following = races.rematch_of(race)
    return Standings(
        race.key,
        race.level,
        race.starts_at,
        None if following is None else following.key,
        tuple(entries),
        max((row.finished_at for row in rows if row.finished_at), default=None),
    )


def number_of(race: Race, player_id: int | None) -> int | None:
    """Return a player's number in a race; None for someone who only watches."""
    racers = sa.select(Racer.player_id).where(Racer.race_id == race.id)
    order = list(db.session.scalars(racers.order_by(Racer.joined_at, Racer.player_id)))
    return order.index(player_id) + 1 if player_id in order else None
