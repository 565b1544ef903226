"""Standings: the stage of a race and everyone's progress. Reads only, independent of the viewer.

Others see tenths of the largest share that was ever correct. A bar that followed every digit would show, on a
second screen, whether the last digit is correct. This one does so at most nine times a game, and each time
requires the digits up to it.

Every racer polls every two seconds. A process caches the races that pages ask for: the first request after
FRESH reads all of them in one query, so 500 racers cost a process three queries a second.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from functools import cached_property
from itertools import groupby
from threading import Lock
from typing import Any, Final

import sqlalchemy as sa
from flask import current_app
from sqlalchemy.orm import aliased

import engine
from webapp.competition.races import races
from webapp.competition.races.tables import Race, Racer
from webapp.models import Attempt, Player
from webapp.process.database import db

TENTHS: Final = 10
FRESH: Final = timedelta(seconds=0.3)
WATCHED: Final = timedelta(seconds=10)  # since the last request; pages poll every five seconds at least
LINGERS: Final = timedelta(minutes=10)  # after the last finish, time for a rematch


def tenths(givens: Sequence[int], digits: Sequence[int]) -> int:
    """Return how many tenths of the cells to fill have their correct digit."""
    solution = engine.solution(engine.Grid(bytes(givens)))
    if solution is None:
        return 0
    empty = [cell for cell in range(81) if not givens[cell]]
    right = sum(digits[cell] == solution.digits[cell] for cell in empty)
    return TENTHS * right // max(1, len(empty))


class Stage(StrEnum):
    """The stage of a race."""

    WAITING = "waiting"  # for racers, or for one of them to start it
    COUNTDOWN = "countdown"
    RUNNING = "running"
    OVER = "over"


@dataclass(frozen=True, slots=True)
class RacerRow:
    """A racer's public state."""

    number: int  # in the order of joining, from 1
    name: str
    guest: bool
    tenths: int
    place: int | None  # of a finish without help, from 1
    elapsed_ms: int | None  # of any finish
    helped: bool
    doubts: tuple[str, ...]  # why a finish has no place, shown to the racer alone

    @property
    def share(self) -> float:
        return self.tenths / TENTHS

    @property
    def finished(self) -> bool:
        """Whether they have solved it."""
        return self.elapsed_ms is not None


@dataclass(frozen=True)
class Standings:
    """A race at one moment, ordered by finish, then by progress."""

    key: str
    level: int
    starts_at: datetime | None
    rematch: str | None  # the rematch's key
    entries: tuple[RacerRow, ...]
    last_finish: datetime | None

    def stage(self, now: datetime) -> Stage:
        """The stage at a time."""
        if self.starts_at is None:
            return Stage.WAITING
        if now < self.starts_at:
            return Stage.COUNTDOWN
        over = now >= self.starts_at + races.LASTS or all(entry.finished for entry in self.entries)
        return Stage.OVER if over else Stage.RUNNING

    def lingers(self, now: datetime) -> bool:
        """Whether anything on its page may still change."""
        if self.stage(now) != Stage.OVER:
            return True
        ended = self.last_finish or (self.starts_at and self.starts_at + races.LASTS)
        return self.rematch is None and ended is not None and now < ended + LINGERS

    def version(self, now: datetime) -> str:
        """A value that changes whenever the page has to."""
        return f"{self._digest}-{self.stage(now)}{'' if self.lingers(now) else '-last'}"

    @cached_property
    def _digest(self) -> str:
        return hashlib.blake2b(repr(self).encode(), digest_size=8).hexdigest()


def of(race: Race) -> Standings:
    """Return the current standings of a race."""
    return read([race.key])[race.key]


def read(keys: Collection[str]) -> dict[str, Standings]:
    """Return the standings of the existing races among these keys, by one query."""
    following = aliased(Race)
    # Show an account under its current name, and a guest under the name given here.
    name = sa.case((Racer.guest, Racer.name), else_=sa.func.coalesce(Player.name, Racer.name))
    rows = db.session.execute(
        sa.select(
            Race.key,
            Race.level,
            Race.starts_at,
            following.key.label("rematch"),
            name.label("name"),
            Racer.guest,
            Racer.tenths,
            Attempt.finished_at,
            Attempt.elapsed_ms,
            Attempt.assisted,
            Attempt.doubts,
        )
        .join(Racer, Racer.race_id == Race.id, isouter=True)  # all racers may have deleted their accounts
        .join(Player, Player.id == Racer.player_id, isouter=True)
        .join(Attempt, Attempt.id == Racer.attempt_id, isouter=True)
        .join(following, following.rematch_of == Race.id, isouter=True)
        .where(Race.key.in_(keys))
        .order_by(Race.id, Racer.joined_at, Racer.player_id)
    )
    return {key: _standings(list(racers)) for key, racers in groupby(rows, lambda row: row.key)}


def _standings(rows: Sequence[Any]) -> Standings:
    """Return the standings from one race's rows of `read`, in the order of joining."""
    race, rows = rows[0], [row for row in rows if row.guest is not None]
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
            tuple(json.loads(row.doubts or "[]")) if row.finished_at else (),
        )
        for number, row in numbered
    ]
    entries.sort(key=lambda each: (each.place or len(rows) + 1, each.finished, -each.tenths, each.number))
    return Standings(
        race.key,
        race.level,
        race.starts_at,
        race.rematch,
        tuple(entries),
        max((row.finished_at for row in rows if row.finished_at), default=None),
    )


def number_of(race: Race, player_id: int | None) -> int | None:
    """Return a player's number in a race; None for a spectator."""
    racers = sa.select(Racer.player_id).where(Racer.race_id == race.id)
    order = list(db.session.scalars(racers.order_by(Racer.joined_at, Racer.player_id)))
    return order.index(player_id) + 1 if player_id in order else None


# The cache


@dataclass(slots=True)
class _Race:
    standings: Standings
    read_at: datetime
    asked_at: datetime


def recent() -> Recent:
    """Return this process's cache of races."""
    found: Recent = current_app.extensions.setdefault("recent_races", Recent())
    return found


class Recent:
    """The cached races of one process; thread-safe."""

    def __init__(self) -> None:
        self._races: dict[str, _Race] = {}
        self._reading = Lock()

    def of(self, key: str, now: datetime) -> Standings:
        """Return the standings of a race, reading them if necessary. Raises NotFound."""
        # While another thread reads, serve slightly older ones.
        found = self._younger(key, now, 2 * FRESH if self._reading.locked() else FRESH)
        if found is not None:
            return found
        with self._reading:
            found = self._younger(key, now, FRESH)
            return found or self._read(key, now)

    def _younger(self, key: str, now: datetime, age: timedelta) -> Standings | None:
        race = self._races.get(key)
        if race is None or not timedelta() <= now - race.read_at < age:
            return None
        race.asked_at = now
        return race.standings

    def _read(self, key: str, now: datetime) -> Standings:
        watched = {each: race for each, race in self._races.items() if now - race.asked_at < WATCHED}
        # Read an unknown key alone, so that invented keys cost nothing more.
        found = read(watched if key in watched else [key])
        if key not in found:
            return of(races.of_key(key))
        for each, fresh in found.items():
            before = watched.get(each)
            if before is None:
                watched[each] = _Race(fresh, now, now)
            else:  # keep the same object if unchanged: its digest is cached
                same = before.standings == fresh
                watched[each] = _Race(before.standings if same else fresh, now, before.asked_at)
        self._races = watched
        return watched[key].standings
